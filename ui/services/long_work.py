"""Show the progress of long tasks, and cancel them.

Each task is identified by a key, which the page chooses.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from time import monotonic

from core.errors import Cancelled
from core.long_work.progress import report, reporting

LOOK_S = 0.2  # seconds between two checks whether a waiting task was cancelled


@dataclass(frozen=True, slots=True)
class HowFar:
    """The progress of a long task."""

    what: str  # name of the current step; "" before the first report
    done: int
    total: int  # 0: unknown
    seconds: float  # seconds since the step began


class LongWorks:
    """The long tasks that one server is running. A task can be cancelled only when it reports progress."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._works: dict[str, _Work] = {}

    @contextmanager
    def begun(self, key: str) -> Iterator[None]:
        """Record the progress that the work in the block reports.

        `key` identifies the work. Only reports of this thread or async task are recorded.
        """
        work = _Work()
        with self._lock:
            self._works[key] = work
        try:
            with reporting(work.show):
                yield
        finally:
            with self._lock:
                self._works.pop(key, None)

    def how_far(self, key: str) -> HowFar | None:
        """Return the progress of a task, or None if it has ended or not yet begun."""
        with self._lock:
            work = self._works.get(key)
        return work.how_far() if work else None

    def cancel(self, key: str) -> None:
        """Cancel a task. It stops when it next reports progress.

        Nothing happens if the task has ended.
        """
        with self._lock:
            work = self._works.get(key)
        if work:
            work.cancelled = True


class _Work:
    def __init__(self) -> None:
        self.cancelled = False
        self._said: tuple[str, int, int] = ("", 0, 0)
        self._since = monotonic()

    def show(self, what: str, done: int, total: int) -> None:
        if self.cancelled:
            raise Cancelled(f"{what}: cancelled.")
        if what != self._said[0]:
            self._since = monotonic()
        self._said = (what, done, total)

    def how_far(self) -> HowFar:
        return HowFar(*self._said, monotonic() - self._since)


@contextmanager
def turn(lock: Lock, what: str) -> Iterator[None]:
    """Hold a lock within the block. While waiting, report `what` as progress. Raises Cancelled."""
    while not lock.acquire(timeout=LOOK_S):
        report(what, 0, 0)
    try:
        yield
    finally:
        lock.release()
