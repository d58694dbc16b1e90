"""Work that pages wait for: how far it is and how quick, and cancelling it, by a key that the page makes up."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from time import monotonic

from core.errors import Cancelled, NotFound
from core.long_work.progress import report, reporting

LOOK_S = 0.2  # how often somebody who waits for their turn looks whether they have given up


@dataclass(frozen=True, slots=True)
class HowFar:
    """How far some work is."""

    what: str  # is being done; "" where nothing has been said yet
    done: int
    total: int  # 0: not known
    seconds: float  # since this was begun to be done


class LongWorks:
    """The works in progress of one server. A work without a report between two steps cannot be cancelled there."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._works: dict[str, _Work] = {}

    @contextmanager
    def begun(self, key: str) -> Iterator[None]:
        """Keep the progress of what is done within, in this thread or task, under a key."""
        work = _Work()
        with self._lock:
            self._works[key] = work
        try:
            with reporting(work.show):
                yield
        finally:
            with self._lock:
                self._works.pop(key, None)

    def how_far(self, key: str) -> HowFar:
        """Return how far a work is. Raises NotFound for one that is over, or was never begun."""
        return self._named(key).how_far()

    def cancel(self, key: str) -> None:
        """End a work at its next report. Raises NotFound as `how_far`."""
        self._named(key).cancelled = True

    def _named(self, key: str) -> "_Work":
        with self._lock:
            found = self._works.get(key)
        if found is None:
            raise NotFound("That work is over.")
        return found


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
    """Hold a lock; who waits for it hears what for. Raises Cancelled where they give up."""
    while not lock.acquire(timeout=LOOK_S):
        report(what, 0, 0)
    try:
        yield
    finally:
        lock.release()
