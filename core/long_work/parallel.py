"""Run work in threads.

Threads suit numpy computations, and work that mostly waits, e.g. for a server.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event
from typing import TypeVar

from core.errors import Cancelled
from core.long_work.progress import Progress, report, reporting

CORES = min(2, os.cpu_count() or 1)  # maximum threads for computation; more threads would slow down other requests
T = TypeVar("T")
R = TypeVar("R")


def side_by_side(work: Callable[[T], R], items: Iterable[T], workers: int) -> Iterator[R]:
    """Run work for each item in threads, and yield the results.

    Each result is yielded as soon as it is ready, in any order. Items are taken from `items` little by little. At any
    time, at most 2 · `workers` items are unfinished. If work on an item fails, or if the caller closes the iterator,
    everything stops. Items whose work has not started are dropped. Work that has started is cancelled when it next
    reports progress.
    """
    stopped, waiting, done = Event(), set[Future[R]](), SimpleQueue[Future[R]]()

    def one(item: T) -> R:
        with reporting(_until(stopped)):
            return work(item)

    def next_done() -> R:
        future = done.get()
        waiting.discard(future)
        return future.result()

    with ThreadPoolExecutor(workers) as pool:
        try:
            for item in items:
                begun = pool.submit(one, item)
                waiting.add(begun)
                begun.add_done_callback(done.put)
                if len(waiting) >= 2 * workers:
                    yield next_done()
            while waiting:
                yield next_done()
        finally:
            stopped.set()
            for future in waiting:
                future.cancel()


def computed(what: str, work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """Return the result of numpy work for each item, in order, using two threads.

    Reports progress: the number of finished items. what: the name of this work in the progress reports. Raises the
    first error of the work, and Cancelled if the user cancelled.
    """
    results: dict[int, R] = {}

    def one(place: int) -> tuple[int, R]:
        return place, work(items[place])

    report(what, 0, len(items))
    for place, result in side_by_side(one, range(len(items)), CORES):
        results[place] = result
        report(what, len(results), len(items))
    return [results[place] for place in range(len(items))]


def _until(stopped: Event) -> Progress:
    def check(what: str, done: int, total: int) -> None:
        if stopped.is_set():
            raise Cancelled(f"{what}: cancelled")

    return check
