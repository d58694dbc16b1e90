"""The queue of all model work for the pages.

One job runs at a time. Clients take turns, and each client's jobs keep their order.

If the request for a job is cancelled, the job leaves the queue. A running job stops at its next progress report.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from core.errors import Cancelled, CapscopeError, QueueFull, WorkFailed
from core.long_work.progress import reporting

T = TypeVar("T")
MOST, MOST_EACH = 200, 30  # maximum number of waiting jobs: of all clients, of one client; one page sends at most ten
PAUSE_S = 0.1  # seconds between checks whether the queue is closed
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    client: str
    work: Callable[[], Any]
    turn: int  # each client has one job per turn
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
        self._waiting: list[_Job] = []  # in the order in which they will run
        self._running: _Job | None = None
        self._closed = threading.Event()

    async def result(self, work: Callable[[], T], client: str = "") -> T:
        """Run the job when its turn comes, and return its result. Cancelling this call cancels the job.

        Raises the job's own expected errors. Raises Cancelled if the queue is closed, QueueFull if too many jobs wait,
        and WorkFailed for any other error in the job.
        """
        cancelled = threading.Event()

        def tell(what: str, done: int, total: int) -> None:
            if self._closed.is_set():
                raise _closing()
            if cancelled.is_set():
                raise Cancelled(f"{what}: cancelled, because the client disconnected")

        def job() -> T:
            with reporting(tell):
                return work()

        future = self._enter(job, client)
        done = asyncio.wrap_future(future)
        done.add_done_callback(lambda one: one.cancelled() or one.exception())  # asyncio would log an unread error
        try:
            while not (await asyncio.wait([done], timeout=PAUSE_S))[0] and not self._closed.is_set():
                pass
            return _result(future)
        finally:
            cancelled.set()
            future.cancel()

    def begin(self, work: Callable[[], object]) -> None:
        """Run a job in the background when its turn comes. Do nothing if the queue is closed."""
        if not self._closed.is_set():
            self._enter(work, "")

    def length(self) -> int:
        """Return the number of unfinished jobs."""
        with self._lock:
            return len(self._left()) + (self._running is not None)

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

    def _enter(self, work: Callable[[], T], client: str) -> "Future[T]":
        if self._closed.is_set():
            raise _closing()
        with self._lock:
            own = [job.turn for job in self._left() if job.client == client]
            if len(self._waiting) >= MOST or len(own) >= self._most_each:
                raise QueueFull("Too many requests are waiting.")
            turn = max([self._running.turn if self._running else 0, *own]) + 1
            future: Future[T] = Future()
            future.add_done_callback(_log_surprise)
            self._waiting.append(_Job(client, work, turn, future))
            self._waiting.sort(key=lambda job: job.turn)  # jobs of one turn stay in the order of their arrival
            self._go_on()
        return future

    def _left(self) -> list[_Job]:
        self._waiting = [job for job in self._waiting if not job.result.cancelled()]
        return self._waiting

    def _go_on(self) -> None:
        with self._lock:
            while self._running is None and not self._closed.is_set() and self._left():
                job = self._waiting.pop(0)
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
