"""The epoch: by it pages recognise a database that went back to an earlier time, and ask for their answers again.

A database that was restored or replaced has fewer answers than some pages know of. Nothing in the database itself can
show that, so the epoch changes whenever a step back is possible: when a server starts, after `restore`, and when the
newest event has a smaller number than this process has seen. A change without a step back costs one comparison.
"""

import secrets
import time
from collections.abc import Callable, Sequence

from sqlalchemy import bindparam, func, select

from core.errors import StorageUnavailable
from storage.engine.database import Database, utc_now
from storage.tables import EpochRow, EventRow
from storage.types import Rater

LOOK_EVERY_S = 1.0  # between two looks at the newest event; PostgreSQL can be restored while Capscope runs
MOST_KEYS = 1_000  # that one request may ask about
_ONE = 1  # the table has one row
_EPOCH = select(select(EpochRow.epoch).scalar_subquery(), select(func.max(EventRow.id)).scalar_subquery())
_STORED = select(EventRow.request_key).where(
    EventRow.rater_id == bindparam("rater"), EventRow.request_key.in_(bindparam("keys", expanding=True))
)


class Epochs:
    """Verbs on the epoch, and on what the database holds of a browser's answers."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.monotonic) -> None:
        self._database, self._clock = database, clock
        self._is_over = True  # a process that has just started knows nothing of what was before
        self._seen = 0  # the largest number of an event that this process knows of
        self._looked: tuple[float, str] | None = None
        self._unstored = secrets.token_hex(8)

    def now(self) -> str:
        """Return the present epoch, at most LOOK_EVERY_S old."""
        at = self._clock()
        if self._looked is None or at - self._looked[0] >= LOOK_EVERY_S:
            self._looked = (at, self._look())
        return self._looked[1]

    def note_newest(self, event: int) -> None:
        """Take note of the newest event's number as soon as it is stored: a restore may come before the next look."""
        self._seen = max(self._seen, event)

    def renew(self) -> str:
        """Begin another epoch; returns it."""
        epoch, began_at = secrets.token_hex(8), utc_now()
        new = self._database.dialect.insert(EpochRow).values(id=_ONE, epoch=epoch, began_at=began_at)
        changed = {"epoch": epoch, "began_at": began_at}
        with self._database.write() as connection:
            connection.execute(new.on_conflict_do_update(index_elements=["id"], set_=changed))
        self._is_over, self._looked = False, (self._clock(), epoch)
        return epoch

    def missing(self, rater: Rater, keys: Sequence[str]) -> tuple[str, ...]:
        """Return the keys, at most MOST_KEYS, under which nothing of a rater is stored, in their order."""
        with self._database.read() as connection:
            stored = set(connection.scalars(_STORED, {"rater": rater.id, "keys": list(keys)}))
        return tuple(key for key in keys if key not in stored)

    def _look(self) -> str:
        seen = self._seen  # before the look: events that are stored meanwhile are not missing
        with self._database.read() as connection:
            epoch, newest = connection.execute(_EPOCH).one()
        is_back = (newest or 0) < seen
        self._is_over = self._is_over or epoch is None or is_back
        self._seen = newest or 0 if is_back else max(self._seen, newest or 0)
        if not self._is_over:
            return str(epoch)
        try:
            return self.renew()
        except StorageUnavailable:  # a full disk: items can be read all the same
            return self._unstored
