"""Progress and cancelling of long work, by a key that the page chooses."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from time import monotonic

from core.errors import Cancelled
from core.long_work.progress import report, reporting

LOOK_S = 0.2  # how often a waiting thread checks whether its work was cancelled


@dataclass(frozen=True, slots=True)
class HowFar:
    """The progress of a piece of work."""

    what: str  # name of the current step; "" before the first report
    done: int
    total: int  # 0: unknown
    seconds: float  # since the step began


class LongWorks:
    """The works in progress of one server. A work can be cancelled only when it reports progress."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._works: dict[str, _Work] = {}

    @contextmanager
    def begun(self, key: str) -> Iterator[None]:
        """Record the progress of the block's work, in this thread or task, under a key."""
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
        """Return the progress of a work; None for a work that has ended or has not begun yet."""
        with self._lock:
            work = self._works.get(key)
        return work.how_far() if work else None

    def cancel(self, key: str) -> None:
        """Cancel a work at its next report, unless it has ended."""
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
    """Hold a lock within the block. While waiting, report the reason. Raises Cancelled if the work is cancelled."""
    while not lock.acquire(timeout=LOOK_S):
        report(what, 0, 0)
    try:
        yield
    finally:
        lock.release()
