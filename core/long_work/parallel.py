"""Run work in threads. Threads suit work that mostly waits, e.g. for a server."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from threading import Event
from typing import TypeVar

from core.errors import Cancelled
from core.long_work.progress import reporting

T = TypeVar("T")
R = TypeVar("R")


def side_by_side(work: Callable[[T], R], items: Iterable[T], workers: int) -> Iterator[R]:
    """Run work for each item in threads, and yield the results.

    Each result is yielded as soon as it is ready, in any order. Items are taken from `items` little by little. At any
    time, at most 2 · `workers` items are unfinished. If work on an item fails, or if the caller closes the iterator,
    everything stops. Items whose work has not started are dropped. Work that has started is cancelled when it next
    reports progress.
    """
    stopped, waiting = Event(), set[Future[R]]()

    def check(what: str, done: int, total: int) -> None:
        if stopped.is_set():
            raise Cancelled(f"{what}: cancelled")

    def one(item: T) -> R:
        with reporting(check):
            return work(item)

    with ThreadPoolExecutor(workers) as pool:
        try:
            for item in items:
                waiting.add(pool.submit(one, item))
                if len(waiting) == 2 * workers:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in done)
            yield from (future.result() for future in as_completed(waiting))
        finally:
            stopped.set()
            pool.shutdown(cancel_futures=True)
