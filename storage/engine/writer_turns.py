"""Queue the writers of this process.

Only one writer writes at a time, and only a few may wait. If another program blocks the database, only the first writer
in the queue waits for that program.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from core.errors import StorageBusy

MOST_WAITING = 30  # maximum number of waiting writers; each uses one of the server's 40 threads, and readers need some
HELD_S = 1.0  # if a writer waits longer than these seconds, another program is assumed to block the database
_LOOK_S = 0.1  # seconds between two checks whether the database is held


class Turns:
    """Let writers of one process take turns. If another program blocks the database, one writer waits for it."""

    def __init__(self) -> None:
        self._turn, self._count = Lock(), Lock()
        self.waiting = 0  # writers
        self._asked_at: float | None = None  # when the current writer began to wait for the database

    @property
    def is_held(self) -> bool:
        """Return whether a writer has waited for the database for more than HELD_S."""
        asked_at = self._asked_at
        return asked_at is not None and time.monotonic() - asked_at > HELD_S

    @contextmanager
    def take(self, patience_s: float) -> Iterator[None]:
        """Wait for this writer's turn and keep the turn during the block.

        Call the yielded function as soon as the database lets the writer begin. Raises StorageBusy if the wait is too
        long or too many writers wait.
        """
        self._wait(patience_s)
        try:
            self._asked_at = time.monotonic()
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
        end = time.monotonic() + patience_s
        with self._waits():
            while not self._turn.acquire(timeout=_LOOK_S):
                if self.is_held or time.monotonic() >= end:
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
