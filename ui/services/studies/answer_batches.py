"""Store raters' answers in shared transactions.

Requests that arrive during a transaction share the next one. A waiting request stays on the event loop and uses no
thread. So if another program locks the database, threads are still free for reading.
"""

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock

from core.errors import StorageUnavailable
from storage import Repository
from storage.rating.saving import Results, Sent, check_theirs

MOST_TOGETHER = 500  # maximum number of actions in one transaction
PATIENCE_S = 2.0  # seconds to wait for other programs' transactions; the browser keeps the answers and sends them again


@dataclass(frozen=True, slots=True, eq=False)
class _Request:
    """The actions that one waiting request sends, and the future for their result."""

    sent: Sent
    answer: "Future[Results]" = field(default_factory=Future)
    alone: bool = False  # True: the request gets a transaction of its own, because a shared one failed


class SaveQueue:
    """A thread that stores raters' actions (answers, notes), and the queue of requests that wait for it."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._pool = ThreadPoolExecutor(1, "saving")  # the thread starts with the first request
        self._lock = Lock()
        self._waiting: list[_Request] = []
        self._is_at_work = False

    async def save(self, sent: Sent) -> Results:
        """Store the actions that one request sends. Return one result for each action.

        A result is the reason why the action was refused, or None if it was stored. Every action is committed and
        flushed to the disk before this returns. Raises NotYours if none may be stored for this rater. Raises
        StorageUnavailable if nothing can be stored now.
        """
        if not sent.saves:
            return ()
        request = _Request(sent)
        with self._lock:
            self._waiting.append(request)
        self._go_on()
        results = await asyncio.wrap_future(request.answer)
        check_theirs(results)
        return results

    def _go_on(self) -> None:
        """Start the next transaction unless one is running.

        Do not hold the lock when calling this function. It adds `_done` as a callback for the end of the transaction.
        If the transaction has already ended, `_done` runs immediately in the same thread. `_done` takes the lock
        itself, so a held lock would block it forever.
        """
        with self._lock:
            if self._is_at_work or not (requests := self._next()):
                return
            self._is_at_work = True
        work = self._pool.submit(self._repository.save_together, [one.sent for one in requests], PATIENCE_S)
        work.add_done_callback(partial(self._done, requests))

    def _next(self) -> list[_Request]:
        """Remove and return the oldest waiting requests that fit into one transaction.

        Requests of disconnected clients are skipped.
        """
        taken: list[_Request] = []
        saves = 0
        while self._waiting:
            first = self._waiting[0]
            saves += len(first.sent.saves)
            if taken and (first.alone or taken[0].alone or saves > MOST_TOGETHER):
                break
            self._waiting.pop(0)
            if first.answer.running() or first.answer.set_running_or_notify_cancel():
                taken.append(first)
        return taken

    def _done(self, requests: list[_Request], work: "Future[tuple[Results, ...]]") -> None:
        """Set the results of a transaction's requests, and start the next transaction."""
        problem, requests_done = work.exception(), list(requests)
        with self._lock:
            self._is_at_work = False
            if isinstance(problem, StorageUnavailable):  # waiting requests would fail too, so they end with this error
                waiting, self._waiting = self._waiting, []
                requests_done += [
                    one for one in waiting if one.answer.running() or one.answer.set_running_or_notify_cancel()
                ]
            # Nothing was stored. One request made the shared transaction fail, so each is tried alone
            elif problem is not None and len(requests) > 1:
                self._waiting = [replace(one, alone=True) for one in requests] + self._waiting
                requests_done = []
        self._go_on()
        if problem is not None:
            for request in requests_done:
                request.answer.set_exception(problem)
        else:
            for request, results in zip(requests, work.result(), strict=True):
                request.answer.set_result(results)
