"""Outcomes are stored several at a time, and none waits for long."""

from collections.abc import Iterator

import pytest

from core.types import Score
from ui.services.scoring.score_runs import LONGEST_S, MOST_WAITING, Made, stored_in_groups


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
        (LONGEST_S / 2, 5, [2, 2, 1]),
    ],
    ids=["at once", "slow", "some at a time"],
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

    yielded = [number for number, _ in stored_in_groups(stored, later(), clock)]  # type: ignore[arg-type]
    assert stored.sizes == sizes
    assert yielded == list(range(count))
