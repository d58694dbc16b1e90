"""Change the epoch when an older database may have been restored.

The epoch is a random text that every page remembers. When it changes, pages ask the server which of their answers are
stored, and send the missing answers again. This is needed because a restored or replaced database may lack answers that
pages have sent. The database itself does not show that it was restored.

So the epoch changes whenever the database may be older than before: when a server starts, and after `restore`. It also
changes when the newest event's number is smaller than a number that this process has seen. An unnecessary change only
makes each page ask once.
"""

import secrets
import time
from collections.abc import Sequence

from sqlalchemy import bindparam, func, select, update

from core.errors import StorageUnavailable
from storage.engine.database import Database, utc_now
from storage.engine.sql import upsert
from storage.study_types import Rater
from storage.tables import EpochRow, EventRow

LOOK_EVERY_S = 1.0  # seconds between checks for a restored older database (possible on PostgreSQL while Capscope runs)
HEALTH_PATIENCE_S = 2.0  # seconds that the check of the server's health waits for other writers
MOST_KEYS = 1_000  # maximum number of request keys that one call of `missing` checks
_ONE = 1  # id of the table's only row
_EPOCH = select(select(EpochRow.epoch).scalar_subquery(), select(func.max(EventRow.id)).scalar_subquery())
_STORED = select(EventRow.request_key).where(
    EventRow.rater_id == bindparam("rater"), EventRow.request_key.in_(bindparam("keys", expanding=True))
)


class Epochs:
    """Operations on the epoch (a random text that changes after a restore), and on answers kept by browsers."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._is_over = True  # True: the epoch (a random text) must be renewed; also at first, with no known events
        self._seen = 0  # largest id of a stored event that this process has seen
        self._looked: tuple[float, str] | None = None
        self._unstored = secrets.token_hex(8)

    def now(self) -> str:
        """Return the epoch, a random text that changes after a restore.

        The returned text may be up to LOOK_EVERY_S seconds old.
        """
        at = time.monotonic()
        if self._looked is None or at - self._looked[0] >= LOOK_EVERY_S:
            self._looked = (at, self._look())
        return self._looked[1]

    def note_newest(self, event: int) -> None:
        """Remember the number of the newest event (a stored action of a rater).

        If a later check finds only events with smaller numbers, the database was restored before this check.
        """
        self._seen = max(self._seen, event)

    def renew(self) -> str:
        """Store a new epoch, a random text that pages remember. Return the epoch.

        A page that sees the new text asks the server which of the page's answers are missing.
        """
        epoch, began_at = secrets.token_hex(8), utc_now()
        changed = {"epoch": epoch, "began_at": began_at}
        with self._database.write() as connection:
            new = upsert(connection, EpochRow).values(id=_ONE, epoch=epoch, began_at=began_at)
            connection.execute(new.on_conflict_do_update(index_elements=["id"], set_=changed))
        self._is_over, self._looked = False, (time.monotonic(), epoch)
        return epoch

    def check_writing(self) -> None:
        """Write something that changes nothing. Raises StorageUnavailable, StorageFull, StorageBusy."""
        with self._database.write(patience_s=HEALTH_PATIENCE_S) as connection:
            connection.execute(update(EpochRow).values(began_at=EpochRow.began_at))

    def missing(self, rater: Rater, keys: Sequence[str]) -> tuple[str, ...]:
        """Return the keys of a rater's actions that are not stored.

        keys: the keys that a rater's browser gave to its actions, at most MOST_KEYS. The result is in the order of
        `keys`.
        """
        with self._database.read() as connection:
            stored = set(connection.scalars(_STORED, {"rater": rater.id, "keys": list(keys)}))
        return tuple(key for key in keys if key not in stored)

    def _look(self) -> str:
        seen = self._seen  # read before the query, so that events stored during the query do not seem to be missing
        with self._database.read() as connection:
            epoch, newest = connection.execute(_EPOCH).one()
        is_back = (newest or 0) < seen
        self._is_over = self._is_over or epoch is None or is_back
        self._seen = newest or 0 if is_back else max(self._seen, newest or 0)
        if not self._is_over:
            return str(epoch)
        try:
            return self.renew()
        except StorageUnavailable:  # a full disk must not keep raters from reading items
            return self._unstored
