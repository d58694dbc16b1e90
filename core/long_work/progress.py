"""Progress of long work, and how it is cancelled.

Whoever waits says with ``reporting`` where progress goes; whoever works calls ``report`` between its batches.
A callback that raises Cancelled stops the work there.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter

Progress = Callable[[str, int, int], None]  # what is being done, done so far, total


def no_progress(what: str, done: int, total: int) -> None:
    """Show nothing."""


_current: ContextVar[Progress] = ContextVar("progress", default=no_progress)


@contextmanager
def reporting(progress: Progress) -> Iterator[None]:
    """Within the block, and only in this thread or task, send progress there."""
    token = _current.set(progress)
    try:
        yield
    finally:
        _current.reset(token)


def report(what: str, done: int, total: int) -> None:
    """Tell how far the work is. Raises Cancelled where the one who waits has given up."""
    _current.get()(what, done, total)


class StageClock:
    """A callback that takes down how long every kind of work took."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}  # by what was being done, in the order it was first done
        self._what, self._since = "", perf_counter()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Note the time when the work changes."""
        now = perf_counter()
        if self._what:
            self.seconds[self._what] = self.seconds.get(self._what, 0.0) + now - self._since
        self._what, self._since = what if done < total else "", now
