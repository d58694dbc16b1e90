"""Outcomes are stored several at a time, and none waits for long."""

from collections.abc import Iterator

import pytest

from core.types import Score
from storage.types import Search
from ui.services.scoring.score_runs import LONGEST_S, MOST_WAITING, Made, kept
from ui.services.workplace import Workplace


class Stored:
    """Notes how many outcomes each transaction stored."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def save_all(self, outcomes: list[Made]) -> None:
        if outcomes:
            self.sizes.append(len(outcomes))


def made(count: int) -> Iterator[list[Made]]:
    for number in range(count):
        yield [(number, Score("M", 0.5, "M|s"))]


@pytest.mark.parametrize(
    ("every_s", "count", "sizes"),
    [
        (0.0, 2 * MOST_WAITING + 5, [MOST_WAITING, MOST_WAITING, 5]),
        (LONGEST_S, 3, [1, 1, 1]),
        (2 * LONGEST_S, 3, [1, 1, 1]),
        (LONGEST_S / 2, 5, [2, 2, 1]),
        (0.0, 0, []),
    ],
    ids=["at once", "just slow enough", "slow", "some at a time", "nothing"],
)
def test_outcomes_are_stored_by_number_and_by_time(every_s: float, count: int, sizes: list[int]) -> None:
    stored, now = Stored(), 0.0

    def clock() -> float:
        return now

    def later() -> Iterator[list[Made]]:
        nonlocal now
        for some in made(count):
            now += every_s
            yield some

    yielded = [number for number, _ in kept(stored, later(), clock)]  # type: ignore[arg-type]
    assert stored.sizes == sizes
    assert yielded == list(range(count))


def stored_samples(birds: Workplace) -> list[int]:
    """Return the samples with an outcome of the signature M|s."""
    samples = birds.repository.samples
    ids = samples.ids(Search("birds"))
    return [one.id for one in samples.many(ids) if any(each.signature == "M|s" for each in one.outcomes)]


def test_an_outcome_is_yielded_only_when_it_is_stored(birds: Workplace) -> None:
    outcomes = kept(birds.repository.scores, ([(sample, Score("M", 0.5, "M|s"))] for sample in (1, 2, 3)))
    for sample_id, _ in outcomes:
        assert sample_id in stored_samples(birds)


def test_a_run_that_fails_stores_what_waits(birds: Workplace) -> None:
    def failing() -> Iterator[list[Made]]:
        yield [(1, Score("M", 0.5, "M|s"))]
        assert stored_samples(birds) == []
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(kept(birds.repository.scores, failing()))
    assert stored_samples(birds) == [1]
