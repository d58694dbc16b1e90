"""Store a log of all actions on stored data, except rating. Entries are never deleted."""

import logging
from collections import deque
from collections.abc import Iterator
from typing import Any

from sqlalchemy import insert, select

from core.errors import StorageUnavailable
from storage.accounts.types import AuditEntry
from storage.engine.database import Database, utc_now
from storage.tables import AuditRow

LONGEST = 300  # maximum characters of the texts `actor` and `object` of an entry
MOST_OWED = 1_000  # maximum entries that wait to be stored
PATIENCE_S = 1.0  # maximum seconds to wait for other writers; if the wait is longer, the entry is stored later


class Audit:
    """Operations on the audit log."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._owed: deque[dict[str, Any]] = deque(maxlen=MOST_OWED)

    def add(self, actor: str, deed: str, object: str = "", address: str | None = None) -> None:
        """Log that somebody did something to an object.

        If the database cannot store the entry now (for example on a full disk), the server's log receives it. The
        database then stores the entry together with the next one.
        """
        texts = {"actor": _fit(actor), "object": _fit(object)}
        self._owed.append({"at": utc_now(), "deed": deed, "address": address, **texts})
        try:
            self._store_owed()
        except StorageUnavailable as error:
            where = "" if address is None else f" from {address}"
            logging.getLogger("capscope").error(
                f"Not stored in the audit log: {texts['actor']}{where}, {deed}, {texts['object']}. {error}"
            )

    def _store_owed(self) -> None:
        """Store all entries that could not be stored earlier, oldest first."""
        taken: list[dict[str, Any]] = []
        try:
            with self._database.write(PATIENCE_S) as connection:
                while self._owed:
                    taken.append(self._owed.popleft())
                if taken:  # nothing is left if another thread has stored the entry
                    connection.execute(insert(AuditRow), taken)
        except StorageUnavailable:
            self._owed.extendleft(reversed(taken))
            raise

    def newest(self, count: int, before: int | None = None) -> tuple[AuditEntry, ...]:
        """Return the newest entries, newest first. before: return only entries with smaller ids than this."""
        older = () if before is None else (AuditRow.id < before,)
        query = select(*AuditRow.__table__.columns).where(*older).order_by(AuditRow.id.desc()).limit(count)
        with self._database.read() as connection:
            return tuple(map(_entry, connection.execute(query)))

    def all(self) -> Iterator[AuditEntry]:
        """Yield every entry, oldest first. All entries are from the same state of the database."""
        with self._database.read() as connection:
            yield from map(_entry, connection.execute(select(*AuditRow.__table__.columns).order_by(AuditRow.id)))


def _fit(text: str) -> str:
    """Return a text as one short line that can be stored."""
    whole = text.encode(errors="replace").decode()
    line = "".join(letter if letter.isprintable() else " " for letter in whole)
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def _entry(row: Any) -> AuditEntry:
    return AuditEntry(row.id, row.at, row.actor, row.deed, row.object, row.address)
