"""Cache the newest results of a function in memory, within limits."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

R = TypeVar("R")


class Kept(Generic[R]):
    """A function with a cache of its newest results.

    Both the number of results and the number of samples in all results are limited. Errors are not cached. The newest
    result is always cached, also if it is large.
    """

    def __init__(self, work: Callable[..., R], results: int, samples: int, size: Callable[[R], int] = len) -> None:  # type: ignore[assignment]
        """Cache the results of a function.

        work: the function. results: maximum number of cached results. samples: maximum number of samples in all cached
        results together. size: returns the number of samples of a result.
        """
        self._work, self._results, self._samples, self._size = work, results, samples, size
        self._lock = Lock()
        self._kept: OrderedDict[Hashable, R] = OrderedDict()  # the result that was used last is at the end

    def __call__(self, *key: Hashable) -> R:
        """Return the result for the arguments. They must include a stamp that changes when the data change."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = self._work(*key)
        with self._lock:
            self._kept[key] = made
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and (len(self._kept) > self._results or self._held() > self._samples):
                self._kept.popitem(last=False)
        return made

    def known(self, *key: Hashable) -> R | None:
        """Return the cached result for the arguments, or None."""
        with self._lock:
            return self._kept.get(key)

    def _held(self) -> int:
        return sum(map(self._size, self._kept.values()))
