"""The log of what was done, other than by rating. It can only grow."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import insert, select

from storage.database import Database, utc_now
from storage.door.types import AuditEntry
from storage.tables import AuditRow

LONGEST = 300  # characters of who and of what


class Audit:
    """Verbs on the log."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, actor: str, deed: str, object: str = "", address: str | None = None) -> None:
        """Write down that somebody did something to something."""
        told = {"actor": _fit(actor), "object": _fit(object)}
        values = {"at": utc_now(), "deed": deed, "address": address, **told}
        with self._database.write() as connection:
            connection.execute(insert(AuditRow).values(values))

    def newest(self, count: int, before: int | None = None) -> tuple[AuditEntry, ...]:
        """Return the newest entries, newest first; before: only those with smaller ids."""
        older = () if before is None else (AuditRow.id < before,)
        query = select(*AuditRow.__table__.columns).where(*older).order_by(AuditRow.id.desc()).limit(count)
        with self._database.read() as connection:
            return tuple(map(_entry, connection.execute(query)))

    def all(self) -> Iterator[AuditEntry]:
        """Yield every entry, oldest first, as one state of the database."""
        with self._database.read() as connection:
            yield from map(_entry, connection.execute(select(*AuditRow.__table__.columns).order_by(AuditRow.id)))


def _fit(text: str) -> str:
    """Return a text that can be stored and shown on one line."""
    whole = text.encode(errors="replace").decode()
    line = "".join(letter if letter.isprintable() else " " for letter in whole)
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def _entry(row: Any) -> AuditEntry:
    return AuditEntry(row.id, row.at, row.actor, row.deed, row.object, row.address)
