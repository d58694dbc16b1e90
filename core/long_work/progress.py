"""Progress of long work, and its cancellation.

The caller uses ``reporting`` to set a callback for progress. The work calls ``report`` between its batches. A callback
that raises Cancelled stops the work.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter

Progress = Callable[[str, int, int], None]  # name of the step, done so far, total


def no_progress(what: str, done: int, total: int) -> None:
    """Ignore the reported progress."""


_current: ContextVar[Progress] = ContextVar("progress", default=no_progress)


@contextmanager
def reporting(progress: Progress) -> Iterator[None]:
    """Send progress to a callback within the block, but only from this thread or task."""
    token = _current.set(progress)
    try:
        yield
    finally:
        _current.reset(token)


def report(what: str, done: int, total: int) -> None:
    """Report progress. Raises Cancelled if the user cancelled."""
    _current.get()(what, done, total)


class StageClock:
    """A callback that records the time of each step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}  # key: step, in the order in which steps first occur
        self._what, self._since = "", perf_counter()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Add the time of the last step when a new step begins."""
        now = perf_counter()
        if self._what:
            self.seconds[self._what] = self.seconds.get(self._what, 0.0) + now - self._since
        self._what, self._since = what if done < total else "", now
