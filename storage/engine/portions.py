"""Much work in many short transactions, so that other writers never wait long.

`Portions.write` is a transaction that should write about `rows` rows. It measures how long the database was held,
adapts `rows` to HELD_S, and then pauses. The pause matters: a writer of another process looks every two milliseconds
whether SQLite is free (storage.engine.sqlite.LOOK_S), and would never find it free between two transactions that
follow each other.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from sqlalchemy import Connection

from core.errors import StorageBusy
from storage.engine.database import Database

HELD_S = 0.03  # that a transaction should hold the database
FEWEST, MOST = 20, 5_000  # rows of a transaction
PAUSE = 0.25  # share of the time held; a slow machine holds for longer and looks later
SHORTEST_PAUSE_S, LONGEST_PAUSE_S = 0.005, 0.1
COPY_EVERY = 40  # transactions, after which the log is copied into the database
PATIENCE_S = 60.0  # of long work that finds the database held: giving up would waste all of it


class Portions:
    """How much one transaction may write, by what earlier ones of the same work took."""

    def __init__(
        self,
        database: Database,
        rows: int = 100,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """rows: of the first transaction."""
        self._database, self._clock, self._sleep = database, clock, sleep
        self.rows = rows
        self._free_since = clock()
        self._uncopied = 0  # transactions

    @contextmanager
    def write(self, rows: int | None = None, lasting: bool = False) -> Iterator[Connection]:
        """Run a transaction that writes so many rows, or `self.rows`; pause before it for PAUSE of the last one's time.

        Time that the caller spent on other work since then counts as a pause. What is written is on the disk after the
        next transaction that lasts: nobody may be told before that it is stored. Raises what Database.write raises,
        StorageBusy after PATIENCE_S only.
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
        """Copy the log now and then. It is part of the pause: others write meanwhile."""
        if self._uncopied >= COPY_EVERY:
            self._database.copy_log()
            self._uncopied = 0
        self._uncopied += 1

    def _begin(self, stack: ExitStack, lasting: bool) -> Connection:
        """Begin a transaction; one who waits for a rater who waits for another program does not give up at once."""
        end = self._clock() + PATIENCE_S
        while True:
            try:
                return stack.enter_context(self._database.write(lasting=lasting))
            except StorageBusy:
                if self._clock() >= end:
                    raise
            self._sleep(LONGEST_PAUSE_S)
