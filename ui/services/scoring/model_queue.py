"""The queue of all model work for the pages.

One job runs at a time. Clients take turns, and each client's jobs keep their order.

A job that ends soon only has a result. Otherwise the client receives the number of jobs before its job, then the
progress, and finally the result. If the client disconnects, its job leaves the queue. A running job stops at its next
progress report.
"""

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from core.errors import Cancelled, CapscopeError, QueueFull, WorkFailed
from core.long_work.progress import reporting

T = TypeVar("T")
MOST, MOST_EACH = 200, 30  # maximum number of waiting jobs: of all clients, of one client; one page sends at most ten
QUIET_S = 0.2  # seconds before a client hears of a job's progress; most jobs end within this time
PAUSE_S = 0.1  # seconds between two progress reports to a client
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Event: the job has not begun yet."""

    before: int  # jobs that run first; 0: the job is next


@dataclass(frozen=True, slots=True)
class Working:
    """Event: the progress of a running job."""

    what: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Finished(Generic[T]):
    """Event: the job is done; the event has its result."""

    result: T


Told = Waiting | Working | Finished[T]


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    client: str
    work: Callable[[], Any]
    result: "Future[Any]"


class ModelQueue:
    """A thread for models, and the queue of waiting jobs."""

    def __init__(self, most_each: int = MOST_EACH) -> None:
        """Make a queue without jobs.

        most_each: maximum number of waiting jobs of one client.
        """
        self._most_each = most_each
        self._pool = ThreadPoolExecutor(1, "models")  # the thread starts with the first job
        self._lock = threading.RLock()
        self._waiting: list[_Job] = []  # in order of arrival
        self._running: _Job | None = None
        # Clients in the order in which their jobs last ran; the latest client is last. Clients without waiting jobs are
        # removed.
        self._served: list[str] = []
        self._closed = threading.Event()

    async def run(self, work: Callable[[], T], client: str = "") -> AsyncGenerator[Told[T]]:
        """Run the job when its turn comes, and yield its progress.

        Closing the iterator cancels the job. Raises the job's own expected errors. Raises Cancelled if the queue is
        closed, QueueFull if too many jobs wait, and WorkFailed for any other error in the job.
        """
        cancelled, latest = threading.Event(), list[Working]()

        def tell(what: str, done: int, total: int) -> None:
            if self._closed.is_set():
                raise _closing()
            if cancelled.is_set():
                raise Cancelled(f"{what}: cancelled, because the client disconnected")
            latest[:] = [Working(what, done, total)]

        def job() -> T:
            with reporting(tell):
                return work()

        future = self._enter(client, job)
        try:
            async for news in self._news(future, latest):
                yield news
            yield Finished(_result(future))
        finally:
            cancelled.set()
            future.cancel()

    async def result(self, work: Callable[[], T], client: str = "") -> T:
        """Run the job when its turn comes, and return its result. Raises the same errors as `run`."""
        async with aclosing(self.run(work, client)) as news:
            async for event in news:
                if isinstance(event, Finished):
                    return event.result
        raise _closing()

    def begin(self, work: Callable[[], object]) -> None:
        """Run a job in the background when its turn comes. Do nothing if the queue is closed."""
        if not self._closed.is_set():
            self._add(_Job("", work, Future()))

    def before(self, job: "Future[T]") -> int:
        """Return how many jobs run before this job."""
        with self._lock:
            results = [other.result for other in self._in_order()]
            return results.index(job) + (self._running is not None) if job in results else 0

    def length(self) -> int:
        """Return the number of unfinished jobs."""
        with self._lock:
            return len(self._in_order()) + (self._running is not None)

    def close(self, patience_s: float = 0.0) -> bool:
        """Accept no more jobs, drop waiting jobs, and cancel the running job.

        Return whether the running job ended within patience_s seconds.
        """
        self._closed.set()
        with self._lock:
            for job in self._waiting:
                job.result.cancel()
            begun = [self._running.result] if self._running else []
        self._pool.shutdown(wait=False, cancel_futures=True)
        return not wait(begun, patience_s).not_done

    def _enter(self, client: str, work: Callable[[], T]) -> "Future[T]":
        if self._closed.is_set():
            raise _closing()
        job = _Job(client, work, Future())
        with self._lock:
            waiting = self._in_order()
            if len(waiting) >= MOST or sum(other.client == client for other in waiting) >= self._most_each:
                raise QueueFull("Too many requests are waiting. Wait a moment, then try again.")
            self._add(job)
        return job.result

    def _add(self, job: _Job) -> None:
        job.result.add_done_callback(_log_surprise)
        with self._lock:
            self._waiting.append(job)
            self._go_on()

    def _go_on(self) -> None:
        """Start the next job unless a job is running."""
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
        """Return the waiting jobs in the order in which they will run.

        Clients take turns with one job each. The client whose last turn was longest ago is first.
        """
        self._waiting = [job for job in self._waiting if not job.result.cancelled()]
        rounds: dict[str, int] = {}
        places = []
        for place, job in enumerate(self._waiting):
            rounds[job.client] = rounds.get(job.client, 0) + 1
            last = self._served.index(job.client) if job.client in self._served else -1
            places.append((rounds[job.client], last, place, job))
        return [job for *_, job in sorted(places, key=lambda found: found[:3])]

    async def _news(self, job: "Future[T]", latest: Sequence[Working]) -> AsyncGenerator[Waiting | Working]:
        """Yield the job's position in the queue when it changes, then its progress.

        The iteration ends when the job is done or the queue is closed. latest: the latest progress, if there is any.
        """
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        job.add_done_callback(lambda _: _call_soon(loop, done.set))
        told: Waiting | Working | None = None
        pause = QUIET_S
        while not await _is_set(done, pause) and not self._closed.is_set():
            place, pause = self.before(job), PAUSE_S
            news = latest[0] if latest else Waiting(place)
            if news != told:
                told = news
                yield news


async def _is_set(event: asyncio.Event, patience_s: float) -> bool:
    """Return whether an event is set within patience_s seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(patience_s):
            await event.wait()
    return event.is_set()


def _result(job: "Future[T]") -> T:
    """Return the result of a job that is done.

    Raises the errors that the job raised. Raises Cancelled if the queue was closed before the job began.
    """
    if job.cancelled() or not job.done():
        raise _closing()
    problem = job.exception()
    if problem is None or isinstance(problem, CapscopeError):
        return job.result()
    raise WorkFailed(problem) from problem


def _log_surprise(job: "Future[Any]") -> None:
    """Log an unexpected error of a job, even if no client waits for the job any more."""
    problem = None if job.cancelled() else job.exception()
    if problem is not None and not isinstance(problem, CapscopeError):
        _log.error("A model's work failed", exc_info=problem)


def _closing() -> Cancelled:
    return Cancelled("Capscope is stopping and does not accept more work.")


def _call_soon(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Call a function in the event loop. Do nothing if the loop has ended."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(call)
