"""Outcomes that were made and are not yet stored: few, and never for long."""

from collections.abc import Callable, Generator, Iterable
from time import monotonic
from typing import Self

from core.types import Outcome
from storage.data.scores import Scores

MOST_WAITING = 1_000  # outcomes of one transaction, which raters' saves wait for
LONGEST_S = 0.5  # of work that a killed process may lose

Made = tuple[int, Outcome]  # number of a sample, and what the metric says of it


class Keeper:
    """Stores outcomes several at a time: storing one takes as long as storing hundreds.

    An outcome is stored at once unless the last ones were stored less than LONGEST_S ago. So outcomes that take long to
    make are stored one by one, and a killed process loses less than LONGEST_S of its work. The end of a block stores
    what waits, also after an error or Ctrl+C.
    """

    def __init__(self, scores: Scores, clock: Callable[[], float] = monotonic) -> None:
        self._scores, self._clock = scores, clock
        self._waiting: list[Made] = []
        self._stored_at = clock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.store()

    def add(self, made: Iterable[Made]) -> list[Made]:
        """Take outcomes; returns those that are stored now, with those that waited before: all or none."""
        self._waiting += made
        is_due = self._clock() - self._stored_at >= LONGEST_S
        return self.store() if is_due or len(self._waiting) >= MOST_WAITING else []

    def store(self) -> list[Made]:
        """Store what waits; returns it."""
        stored = self._waiting
        self._scores.save_all(stored)
        self._waiting, self._stored_at = [], self._clock()
        return stored


def kept(scores: Scores, made: Iterable[Iterable[Made]], clock: Callable[[], float] = monotonic) -> Generator[Made]:
    """Yield outcomes that have been stored; see Keeper."""
    with Keeper(scores, clock) as keeper:
        for some in made:
            yield from keeper.add(some)
        yield from keeper.store()
