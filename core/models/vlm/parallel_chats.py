"""Send requests in parallel, in one event loop that runs in a thread of its own."""

import asyncio
import threading
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from core.long_work.progress import report

T = TypeVar("T")
POLL_S = 0.1  # seconds between two checks for cancellation


class ParallelChats(ABC):
    """A sender of parallel requests to one server or to several servers."""

    url: str  # address of the server, or addresses of the servers

    def chat(self, bodies: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Return the answers to several parallel requests. A NoScore replaces a missing answer.

        Raises ModelUnavailable, Cancelled.
        """
        return wait_for(self._all(bodies), self.url)

    async def _all(self, bodies: Sequence[Mapping[str, Any]]) -> list[Any]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._one(body)) for body in bodies]
        return [task.result() for task in tasks]

    @abstractmethod
    async def _one(self, body: Mapping[str, Any]) -> Any: ...


@cache
def event_loop() -> asyncio.AbstractEventLoop:
    """Return the event loop of all requests, which runs in a thread of its own."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="endpoint", daemon=True).start()
    return loop


def wait_for(work: Coroutine[Any, Any, T], what: str) -> T:
    """Return the result of the work.

    Reports progress while waiting, so that the work can be cancelled.
    """
    future = asyncio.run_coroutine_threadsafe(_unwrapped(work), event_loop())
    try:
        while True:
            try:
                return future.result(POLL_S)
            except TimeoutError:
                report(f"Waiting for {what}", 0, 1)
    finally:
        future.cancel()


async def _unwrapped(work: Coroutine[Any, Any, T]) -> T:
    """Return the result of a group of parallel requests.

    If requests fail, raises only the first error instead of an ExceptionGroup.
    """
    try:
        return await work
    except ExceptionGroup as group:
        raise group.exceptions[0] from None
