"""One queue for everything that models do for the pages: first come, first served, one at a time.

Whoever waits hears at once how many are before him, then how far the work is, and last the result. Whoever goes away
is taken out of the queue; work that has begun ends at its next report of progress.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any, Generic, TypeVar

from core.errors import Cancelled
from core.progress import reporting

T = TypeVar("T")
PATIENCE_S = 0.5  # between two looks at the queue
PAUSE_S = 0.05  # between two reports of the same work


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing has begun yet."""

    before: int  # jobs that come first


@dataclass(frozen=True, slots=True)
class Working:
    """How far the work is."""

    what: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Finished(Generic[T]):
    """The work is done."""

    result: T


Told = Waiting | Working | Finished[T]


class ModelQueue:
    """A thread of its own for models, and who waits for it."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "models")  # starts its thread with the first job
        self._jobs: list[Future[Any]] = []  # in order; those that are done leave

    async def run(self, work: Callable[[], T]) -> AsyncIterator[Told[T]]:
        """Do the work when its turn comes and tell of it; raises what the work raises.

        Closing the iterator gives the work up.
        """
        told: asyncio.Queue[Working | None] = asyncio.Queue()
        given_up = threading.Event()
        tell = _teller(told, given_up)

        def job() -> T:
            with reporting(tell):
                return work()

        future = self._enter(job, lambda: told.put_nowait(None))
        try:
            async for news in self._news(future, told):
                yield news
            yield Finished(await asyncio.wrap_future(future))
        finally:
            given_up.set()
            future.cancel()

    def before(self, job: "Future[T]") -> int:
        """Return how many jobs come before this one."""
        self._jobs = [other for other in self._jobs if not other.done()]
        return self._jobs.index(job) if job in self._jobs else 0

    def close(self) -> None:
        """Take no more work, and drop what waits."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _enter(self, job: Callable[[], T], done: Callable[[], None]) -> "Future[T]":
        loop = asyncio.get_running_loop()
        future = self._pool.submit(job)
        self._jobs.append(future)
        future.add_done_callback(lambda _: _call_soon(loop, done))
        return future

    async def _news(self, job: "Future[T]", told: "asyncio.Queue[Working | None]") -> AsyncIterator[Waiting | Working]:
        """Yield what is told until the job is done; while it waits, its place whenever that changes."""
        place = None
        while True:
            if not job.running() and not job.done() and self.before(job) != place:
                place = self.before(job)
                yield Waiting(place)
            with suppress(TimeoutError):
                news = await asyncio.wait_for(told.get(), PATIENCE_S)
                if news is None:
                    return
                yield news


def _teller(told: "asyncio.Queue[Working | None]", given_up: threading.Event) -> Callable[[str, int, int], None]:
    """Return a progress callback for the models' thread: it tells the loop, not too often, and stops given-up work."""
    loop = asyncio.get_running_loop()
    last, last_at = "", 0.0

    def tell(what: str, done: int, total: int) -> None:
        nonlocal last, last_at
        if given_up.is_set():
            raise Cancelled(f"{what}: given up by the one who waited for it")
        if what != last or monotonic() - last_at >= PAUSE_S:
            last, last_at = what, monotonic()
            _call_soon(loop, lambda: told.put_nowait(Working(what, done, total)))

    return tell


def _call_soon(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Call in the loop; a loop that has ended needs to hear nothing."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(call)
