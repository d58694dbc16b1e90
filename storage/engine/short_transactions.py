"""Split a long job into short transactions, so that other writers rarely wait.

A `Portions.write` transaction should write about `rows` rows. It measures how long it blocked other writers, adapts
`rows` so that this time approaches HELD_S, and then pauses. The pause matters: a writer of another process checks every
two milliseconds whether SQLite is free (storage.engine.sqlite.LOOK_S). Without a pause, that writer would never find
SQLite free.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from sqlalchemy import Connection

from core.errors import StorageBusy
from storage.engine.database import Database

HELD_S = 0.03  # desired seconds for which a transaction holds the database
FEWEST, MOST = 20, 5_000  # minimum and maximum number of rows in a transaction
PAUSE = 0.25  # pause as a share of the last transaction's time, because writers need longer pauses on slow machines
SHORTEST_PAUSE_S, LONGEST_PAUSE_S = 0.005, 0.1
COPY_EVERY = 40  # number of transactions after which SQLite's log is copied into the database
PATIENCE_S = 60.0  # maximum seconds to wait for the database; long, because stopping a long job would waste its work


class Portions:
    """Adapts the number of rows per transaction to how long earlier transactions took."""

    def __init__(
        self,
        database: Database,
        rows: int = 100,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Set the number of rows for the first transaction."""
        self._database, self._clock, self._sleep = database, clock, sleep
        self.rows = rows
        self._free_since = clock()
        self._uncopied = 0  # number of transactions since the last copy of the log

    @contextmanager
    def write(self, rows: int | None = None, lasting: bool = False) -> Iterator[Connection]:
        """Run a transaction that writes this many rows, by default `self.rows`.

        First, pause for a fraction (PAUSE) of the last transaction's time. Time that the caller spent on other work
        counts as a pause. If not `lasting`, the changes reach the disk only with the next lasting transaction. Do not
        report them as stored before that. Raises the errors of Database.write. Raises StorageBusy only if the database
        is busy for PATIENCE_S.
        """
        if not self._database.is_alone:
            self._copy_log()
            self._sleep(max(0.0, self._free_since - self._clock()))
        with ExitStack() as stack:
            connection = self._begin(stack, lasting)
            began = self._clock()
            yield connection
        ended = self._clock()
        held = ended - began
        self._free_since = ended + min(max(SHORTEST_PAUSE_S, PAUSE * held), LONGEST_PAUSE_S)
        written = self.rows if rows is None else rows
        wanted = round(written * min(2.0, max(0.25, HELD_S / max(held, 1e-6))))
        self.rows = min(MOST, max(FEWEST, wanted))

    def _copy_log(self) -> None:
        """Copy SQLite's log if enough transactions have passed since the last copy.

        Others can write during the copy. So its time counts as a part of the pause between two transactions.
        """
        if self._uncopied >= COPY_EVERY:
            self._database.copy_log()
            self._uncopied = 0
        self._uncopied += 1

    def _begin(self, stack: ExitStack, lasting: bool) -> Connection:
        """Begin a transaction. While the database is busy, try again.

        The attempts end after PATIENCE_S.
        """
        end = self._clock() + PATIENCE_S
        while True:
            try:
                return stack.enter_context(self._database.write(lasting=lasting))
            except StorageBusy:
                if self._clock() >= end:
                    raise
            self._sleep(LONGEST_PAUSE_S)
