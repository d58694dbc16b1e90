"""One queue for everything that models do for the pages: one at a time, clients by turns, each one's in their order.

Whoever waits hears at once how many are before him, then how far the work is, and last the result. Whoever goes away
is taken out of the queue; work that has begun ends at its next report of progress.
"""

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Generic, TypeVar

from core.errors import Cancelled, CapscopeError, QueueFull, WorkFailed
from core.long_work.progress import reporting

T = TypeVar("T")
MOST, MOST_EACH = 200, 30  # jobs that may wait, in all and of one client; a page asks for ten at most
PATIENCE_S = 0.5  # between two looks at the queue
PAUSE_S = 0.05  # between two reports of the same work
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing has begun yet."""

    before: int  # jobs that come first; 0: its turn has come


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


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    client: str
    work: Callable[[], Any]
    result: "Future[Any]"


class ModelQueue:
    """A thread of its own for models, and who waits for it."""

    def __init__(self, most_each: int = MOST_EACH) -> None:
        """most_each: jobs of one client that may wait."""
        self._most_each = most_each
        self._pool = ThreadPoolExecutor(1, "models")  # starts its thread with the first job
        self._lock = threading.RLock()
        self._waiting: list[_Job] = []  # in the order in which they came
        self._running: _Job | None = None
        self._served: list[str] = []  # clients, whose turn was last stands last; those who wait for nothing leave
        self._closed = threading.Event()

    async def run(self, work: Callable[[], T], client: str = "") -> AsyncGenerator[Told[T]]:
        """Do the work when its turn comes and tell of it; raises what the work raises on purpose.

        Closing the iterator gives the work up. Raises Cancelled when the queue is closed, QueueFull where too much
        waits already, WorkFailed for any other error of the work.
        """
        told: asyncio.Queue[Working | None] = asyncio.Queue()
        given_up = threading.Event()
        tell = _teller(told, given_up, self._closed)

        def job() -> T:
            with reporting(tell):
                return work()

        future = self._enter(client, job, lambda: told.put_nowait(None))
        try:
            async for news in self._news(future, told):
                yield news
            yield Finished(_result(future))
        finally:
            given_up.set()
            future.cancel()

    async def result(self, work: Callable[[], T], client: str = "") -> T:
        """Do the work when its turn comes; returns its result. Raises as `run`."""
        async with aclosing(self.run(work, client)) as news:
            async for told in news:
                if isinstance(told, Finished):
                    return told.result
        raise _closing()

    def begin(self, work: Callable[[], object]) -> None:
        """Do work that nobody waits for, when its turn comes; nothing where the queue is closed."""
        if not self._closed.is_set():
            self._add(_Job("", work, Future()))

    def before(self, job: "Future[T]") -> int:
        """Return how many jobs come before this one."""
        with self._lock:
            results = [other.result for other in self._in_order()]
            return results.index(job) + (self._running is not None) if job in results else 0

    def length(self) -> int:
        """Return how many jobs are not done."""
        with self._lock:
            return len(self._in_order()) + (self._running is not None)

    def close(self, patience_s: float = 0.0) -> bool:
        """Take no more work, drop what waits and give up what has begun; return whether that has ended in time."""
        self._closed.set()
        with self._lock:
            for job in self._waiting:
                job.result.cancel()
            begun = [self._running.result] if self._running else []
        self._pool.shutdown(wait=False, cancel_futures=True)
        return not wait(begun, patience_s).not_done

    def _enter(self, client: str, work: Callable[[], T], done: Callable[[], None]) -> "Future[T]":
        loop = asyncio.get_running_loop()
        if self._closed.is_set():
            raise _closing()
        job = _Job(client, work, Future())
        with self._lock:
            waiting = self._in_order()
            if len(waiting) >= MOST or sum(other.client == client for other in waiting) >= self._most_each:
                raise QueueFull("Too many requests are waiting. Wait a moment, then try again.")
            job.result.add_done_callback(lambda _: _call_soon(loop, done))
            self._add(job)
        return job.result

    def _add(self, job: _Job) -> None:
        job.result.add_done_callback(_log_surprise)
        with self._lock:
            self._waiting.append(job)
            self._go_on()

    def _go_on(self) -> None:
        """Begin the next job, unless one is at work."""
        with self._lock:
            while self._running is None and not self._closed.is_set() and (waiting := self._in_order()):
                job = waiting[0]
                self._waiting.remove(job)
                clients = {other.client for other in self._waiting}
                self._served = [*(one for one in self._served if one in clients and one != job.client), job.client]
                if job.result.set_running_or_notify_cancel():
                    self._running = job
                    self._pool.submit(job.work).add_done_callback(partial(self._done, job))

    def _done(self, job: _Job, work: "Future[Any]") -> None:
        with self._lock:
            self._running = None
        if work.cancelled():
            job.result.set_exception(_closing())
        elif problem := work.exception():
            job.result.set_exception(problem)
        else:
            job.result.set_result(work.result())
        self._go_on()

    def _in_order(self) -> list[_Job]:
        """Return what waits: one job of each client by turns, of who has waited longest for a turn first."""
        self._waiting = [job for job in self._waiting if not job.result.cancelled()]
        rounds: dict[str, int] = {}
        places = []
        for place, job in enumerate(self._waiting):
            rounds[job.client] = rounds.get(job.client, 0) + 1
            last = self._served.index(job.client) if job.client in self._served else -1
            places.append((rounds[job.client], last, place, job))
        return [job for *_, job in sorted(places, key=lambda found: found[:3])]

    async def _news(self, job: "Future[T]", told: "asyncio.Queue[Working | None]") -> AsyncGenerator[Waiting | Working]:
        """Yield the job's place whenever that changes, and what is told, until the job is done or the queue closed."""
        place = None
        while not self._closed.is_set():
            if self.before(job) != place:
                place = self.before(job)
                yield Waiting(place)
            with suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE_S):
                    news = await told.get()
                if news is None:
                    return
                yield news


def _result(job: "Future[T]") -> T:
    """Return what a job has returned. Raises Cancelled where the queue was closed before, and the job's own errors."""
    if job.cancelled() or not job.done():
        raise _closing()
    problem = job.exception()
    if problem is None or isinstance(problem, CapscopeError):
        return job.result()
    raise WorkFailed(problem) from problem


def _log_surprise(job: "Future[Any]") -> None:
    """Log what a job raised without meaning to, also when nobody waits for it any more."""
    problem = None if job.cancelled() else job.exception()
    if problem is not None and not isinstance(problem, CapscopeError):
        _log.error("A model's work failed", exc_info=problem)


def _closing() -> Cancelled:
    return Cancelled("Capscope is being stopped; it takes no more work.")


def _teller(
    told: "asyncio.Queue[Working | None]", given_up: threading.Event, closed: threading.Event
) -> Callable[[str, int, int], None]:
    """Return a progress callback for the models' thread: it tells the loop, not too often, and stops given-up work."""
    loop = asyncio.get_running_loop()
    last, last_at = "", 0.0

    def tell(what: str, done: int, total: int) -> None:
        nonlocal last, last_at
        if closed.is_set():
            raise _closing()
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
