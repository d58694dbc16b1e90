"""Work on many things side by side, in threads: for work that mostly waits, such as for a server, or is numpy's."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event
from typing import TypeVar

from core.errors import Cancelled
from core.long_work.progress import Progress, report, reporting

CORES = min(2, os.cpu_count() or 1)  # for numbers: more threads would leave none for who else asks the server
T = TypeVar("T")
R = TypeVar("R")


def side_by_side(work: Callable[[T], R], items: Iterable[T], workers: int) -> Iterator[R]:
    """Yield what the work makes of each item, as it is done and in no order; takes few more items than it has workers.

    The first error ends it, as does closing the iterator: what has not begun is dropped, what has begun is cancelled at
    its next report of progress.
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
    """Return what numpy's work makes of each item, in their order, on two cores; reports how many are done.

    Raises the first error of the work, and Cancelled where the one who waits has given up.
    """
    found: dict[int, R] = {}

    def one(place: int) -> tuple[int, R]:
        return place, work(items[place])

    report(what, 0, len(items))
    for place, result in side_by_side(one, range(len(items)), CORES):
        found[place] = result
        report(what, len(found), len(items))
    return [found[place] for place in range(len(items))]


def _until(stopped: Event) -> Progress:
    def told(what: str, done: int, total: int) -> None:
        if stopped.is_set():
            raise Cancelled(f"{what}: given up")

    return told
