"""Report the progress of a long job, and cancel it.

The caller uses ``reporting`` to set a callback for progress. The job calls ``report`` between its batches. A callback
that raises Cancelled stops the job.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Progress = Callable[[str, int, int], None]  # takes the step's name, the number of its finished parts, and of all parts


def no_progress(what: str, done: int, total: int) -> None:
    """Do nothing. Used when nobody wants to know the progress."""


_current: ContextVar[Progress] = ContextVar("progress", default=no_progress)


@contextmanager
def reporting(progress: Progress) -> Iterator[None]:
    """Send progress to a callback within a `with` block.

    Only progress of this thread or asyncio task is sent.
    """
    token = _current.set(progress)
    try:
        yield
    finally:
        _current.reset(token)


def report(what: str, done: int, total: int) -> None:
    """Report progress. Raises Cancelled if the user cancelled."""
    _current.get()(what, done, total)
