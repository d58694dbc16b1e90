"""Store raters. A rater is known by a short code only."""

from datetime import datetime

from sqlalchemy import Connection, insert, select

from core.errors import AlreadyExists, BadSetting, NotFound
from storage.engine.database import Operations, new_id, utc_now
from storage.engine.sql import upsert
from storage.study_types import Rater
from storage.tables import RaterRow, VisitRow

LONGEST_CODE = 24


class Raters(Operations):
    """Operations on raters."""

    def add(self, code: str) -> Rater:
        """Add a rater with a code. Raises BadSetting for a malformed code.

        Raises AlreadyExists if another rater has the code.
        """
        code = clean_code(code)
        with self._database.write() as connection:
            if connection.scalar(select(RaterRow.id).where(RaterRow.code == code)) is not None:
                raise AlreadyExists(f"The code {code} is taken. Choose another one, or give its return key.")
            return Rater(new_id(connection.execute(insert(RaterRow).values(code=code, created_at=utc_now()))), code)

    def has_some(self) -> bool:
        """Return whether there is a rater."""
        with self._database.read() as connection:
            return connection.scalar(select(RaterRow.id).limit(1)) is not None

    def named(self, code: str) -> Rater:
        """Return the rater who has this code. Raises NotFound."""
        with self._database.read() as connection:
            return find_rater(connection, code)


def find_rater(connection: Connection, code: str) -> Rater:
    """Return the rater who has this code. Raises NotFound."""
    row = connection.execute(select(RaterRow.id, RaterRow.code).where(RaterRow.code == clean_code(code))).first()
    if row is None:
        raise NotFound(f"There is no rater with the code {code!r}.")
    return Rater(row.id, row.code)


def come(connection: Connection, study: int, rater: int, at: datetime | None = None) -> None:
    """Store that a rater came to a study, unless it is stored. at: when; None: now."""
    values = {"study_id": study, "rater_id": rater, "came_at": at or utc_now()}
    connection.execute(upsert(connection, VisitRow).values(values).on_conflict_do_nothing())


def clean_code(code: str) -> str:
    """Return a rater's code in its stored form. Raises BadSetting.

    The stored form has only capital letters, digits, - and _. Other characters are refused before the letters become
    capitals. Otherwise "ß" would become "SS" and "ﬀ" would become "FF", and the code could be equal to another person's
    code.
    """
    cleaned = code.strip()
    if not 1 <= len(cleaned) <= LONGEST_CODE or not all(c.isascii() and (c.isalnum() or c in "-_") for c in cleaned):
        raise BadSetting(f"A rater's code is 1 to {LONGEST_CODE} letters, digits, - or _, for instance K7.")
    return cleaned.upper()
