"""Queue the writers of this process.

One writer writes at a time, and few may wait. Only the first writer waits for another program.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from core.errors import StorageBusy

MOST_WAITING = 30  # maximum waiting writers, one thread each; the server has 40 threads, and readers need the others
HELD_S = 1.0  # after this wait for the database, another program is assumed to hold it
_LOOK_S = 0.1  # pause before the next check whether the database is held


class Turns:
    """Let writers of one process take turns. Only the first one waits for another program."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._turn, self._count = Lock(), Lock()
        self.waiting = 0  # writers
        self._asked_at: float | None = None  # when the current writer began to wait for the database

    @property
    def is_held(self) -> bool:
        """Return whether a writer has waited for the database for more than HELD_S."""
        asked_at = self._asked_at
        return asked_at is not None and self._clock() - asked_at > HELD_S

    @contextmanager
    def take(self, patience_s: float) -> Iterator[None]:
        """Wait for this writer's turn and keep it during the block.

        Call the yielded function as soon as the database lets the writer begin. Raises StorageBusy if the wait is too
        long or too many writers wait.
        """
        self._wait(patience_s)
        try:
            self._asked_at = self._clock()
            yield
        finally:
            self._asked_at = None
            self._turn.release()

    def begun(self) -> None:
        """Note that the database let the writer begin."""
        self._asked_at = None

    def _wait(self, patience_s: float) -> None:
        if self._turn.acquire(blocking=False):
            return
        end = self._clock() + patience_s
        with self._waits():
            while not self._turn.acquire(timeout=_LOOK_S):
                if self.is_held or self._clock() >= end:
                    raise StorageBusy

    @contextmanager
    def _waits(self) -> Iterator[None]:
        with self._count:
            if self.waiting >= MOST_WAITING:
                raise StorageBusy
            self.waiting += 1
        try:
            yield
        finally:
            with self._count:
                self.waiting -= 1
