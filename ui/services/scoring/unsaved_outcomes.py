"""Store scores and errors in groups, so that only a few are unsaved for a short time."""

from collections.abc import Callable, Generator, Iterable
from time import monotonic
from typing import Self

from core.types import Outcome
from storage.data.scores import Scores

MOST_WAITING = 400  # maximum outcomes in one transaction; with more, raters' answers would wait too long
LONGEST_S = 0.5  # maximum seconds of work that a killed process may lose

Made = tuple[int, Outcome]  # (number of a sample, outcome)


class Keeper:
    """Stores outcomes in groups, because storing one takes as long as storing hundreds.

    If the last group was stored less than LONGEST_S ago, a new outcome waits. Otherwise it is stored immediately. So
    outcomes that arrive slowly are stored one by one, and a killed process loses less than LONGEST_S of work. At the
    end of the `with` block the waiting outcomes are stored, even after an error or Ctrl+C.
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
        """Add outcomes. Return the outcomes that this call stored.

        The call stores either all waiting outcomes or none.
        """
        self._waiting += made
        is_due = self._clock() - self._stored_at >= LONGEST_S
        return self.store() if is_due or len(self._waiting) >= MOST_WAITING else []

    def store(self) -> list[Made]:
        """Store the unsaved outcomes and return them."""
        stored = self._waiting
        self._scores.save_all(stored)
        self._waiting, self._stored_at = [], self._clock()
        return stored


def kept(scores: Scores, made: Iterable[Iterable[Made]], clock: Callable[[], float] = monotonic) -> Generator[Made]:
    """Yield outcomes (scores and errors) after they are stored in groups.

    See Keeper.
    """
    with Keeper(scores, clock) as keeper:
        for some in made:
            yield from keeper.add(some)
        yield from keeper.store()
