"""Results that are kept in memory as long as there is room for them."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

R = TypeVar("R")


class Kept(Generic[R]):
    """A function whose newest results are kept: so many, and of so many samples in all. Errors are not kept.

    The result that was made last is always kept, however large it is.
    """

    def __init__(self, work: Callable[..., R], results: int, samples: int, size: Callable[[R], int] = len) -> None:  # type: ignore[assignment]
        """size: of how many samples a result is."""
        self._work, self._results, self._samples, self._size = work, results, samples, size
        self._lock = Lock()
        self._kept: OrderedDict[Hashable, R] = OrderedDict()  # the one that was asked for last at the end

    def __call__(self, *key: Hashable) -> R:
        """Return the result for some arguments, which a stamp of the data belongs to."""
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
        """Return the result for some arguments where it is kept; None: it would have to be made."""
        with self._lock:
            return self._kept.get(key)

    def _held(self) -> int:
        return sum(map(self._size, self._kept.values()))
