"""Store a log of all actions on stored data, except rating. Entries are never deleted."""

import logging
from collections.abc import Iterator

from sqlalchemy import insert, select

from core.errors import StorageUnavailable
from storage.accounts.types import AuditEntry
from storage.engine.database import Operations, utc_now
from storage.tables import AuditRow

LONGEST = 300  # maximum characters of the texts `actor` and `object` of an entry
PATIENCE_S = 1.0  # maximum seconds to wait for other writers


class Audit(Operations):
    """Operations on the audit log."""

    def add(self, actor: str, deed: str, object: str = "", address: str | None = None) -> None:
        """Log that somebody did something to an object.

        If the database cannot store the entry now (for example on a full disk), the server's log receives it.
        """
        entry = {"at": utc_now(), "actor": _fit(actor), "deed": deed, "object": _fit(object), "address": address}
        try:
            with self._database.write(PATIENCE_S) as connection:
                connection.execute(insert(AuditRow), entry)
        except StorageUnavailable as error:
            told = f"{entry['actor']}{address and f' from {address}' or ''}, {deed}, {entry['object']}"
            logging.getLogger("capscope").error(f"Not stored in the audit log: {told}. {error}")

    def newest(self, count: int) -> tuple[AuditEntry, ...]:
        """Return the newest entries, newest first."""
        query = select(*AuditRow.__table__.columns).order_by(AuditRow.id.desc()).limit(count)
        with self._database.read() as connection:
            return tuple(AuditEntry(*row) for row in connection.execute(query))

    def all(self) -> Iterator[AuditEntry]:
        """Yield every entry, oldest first. All entries are from the same state of the database."""
        with self._database.read() as connection:
            query = select(*AuditRow.__table__.columns).order_by(AuditRow.id)
            yield from (AuditEntry(*row) for row in connection.execute(query))


def _fit(text: str) -> str:
    """Return a text as one short line that can be stored."""
    whole = text.encode(errors="replace").decode()
    line = "".join(letter if letter.isprintable() else " " for letter in whole)
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
