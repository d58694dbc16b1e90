"""Raters who do not exist: careful, hasty, straight-lining and random ones, for measuring what finds them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from core.arrays import Floats
from core.studies.rater_quality.types import GOLD, ITEM, REPEAT, Answers, GivenItems

Kind = Literal["careful", "hasty", "straight", "random"]
SCALE = 4
QUALITY = {"mean": 3.0, "sd": 0.9}  # of explanations, as EXPERT's raters found them: most points are 3 and 4
NOISE = 0.55  # of a careful answer, in points
READING_S, ANSWER_S = 0.22, 3.0  # a word; an answer


@dataclass(slots=True)
class SimulatedRater:
    """Somebody who answers the questions about one item after another."""

    kind: Kind
    numbers: np.random.Generator
    severity: float = 0.0  # points that everything is judged higher than by others
    pace: float = 1.0
    favourite: int = 3
    noise: float = field(default=NOISE)

    def __post_init__(self) -> None:
        """Draw how this rater differs from others of the kind."""
        self.severity = self.numbers.normal(0, 0.25)
        self.pace = float(np.exp(self.numbers.normal(0, 0.3)))
        self.favourite = int(self.numbers.choice([3, 4]))

    def points(self, quality: Floats, bad: Sequence[bool]) -> list[int]:
        """Return an item's answers; quality: what each deserves; bad: whether it is plainly wrong (gold)."""
        return [self._point(value, is_bad) for value, is_bad in zip(quality, bad, strict=True)]

    def _point(self, value: float, is_bad: bool) -> int:
        looks = self.kind == "careful" or (self.kind == "hasty" and self.numbers.random() < 0.4)
        if self.kind == "random":
            return int(self.numbers.integers(1, SCALE + 1))
        if self.kind == "straight":
            return self.favourite if self.numbers.random() < 0.97 else int(self.numbers.integers(1, SCALE + 1))
        if not looks:  # a plausible answer without having read
            return int(np.clip(np.round(self.numbers.normal(QUALITY["mean"], 0.8)), 1, SCALE))
        if is_bad:
            return int(self.numbers.choice([1, 2, 3], p=[0.6, 0.32, 0.08]))
        return int(np.clip(np.round(value + self.severity + self.numbers.normal(0, self.noise)), 1, SCALE))

    def seconds(self, words: int, answers: int) -> float:
        """Return how long an item is in sight. Random raters take their time: time alone must not find them."""
        careful = (READING_S * words + ANSWER_S * answers) * self.pace
        share = {"careful": 1.0, "hasty": 0.22, "straight": 0.3, "random": 0.8}[self.kind]
        return float(careful * share * np.exp(self.numbers.normal(0, 0.4)))


@dataclass(frozen=True, slots=True)
class Simulated:
    """A study as its columns, with what each rater is."""

    kinds: tuple[Kind, ...]
    given: GivenItems
    answers: Answers
    scales: tuple[int, ...]


def simulated_study(
    kinds: Sequence[Kind], items: int, an_item: int, seed: int, gold: int = 6, repeats: int = 2, criteria: int = 3
) -> Simulated:
    """Return a study of items with so many raters each; everybody gets gold items and repeats of their own items."""
    numbers = np.random.default_rng(seed)
    quality = numbers.normal(QUALITY["mean"], QUALITY["sd"], (items, criteria))
    words = numbers.integers(60, 130, items + gold)
    raters = [SimulatedRater(kind, numbers) for kind in kinds]
    rows: list[tuple[int, ...]] = []
    given: list[tuple[float, ...]] = []
    for rater, (one, mine) in enumerate(zip(raters, _shared(len(raters), items, an_item, numbers), strict=True)):
        for role, item in _course(mine, items, gold, repeats, numbers):
            given.append((rater, role, one.seconds(words[item], criteria), words[item]))
            wrong = item % criteria if role == GOLD else -1  # the criterion that a gold item must fail
            deserved = quality[item] if item < items else np.full(criteria, QUALITY["mean"])
            points = one.points(deserved, [criterion == wrong for criterion in range(criteria)])
            for criterion, point in enumerate(points):
                bounds = (1, 2) if criterion == wrong else (0, 0)
                rows.append((len(given) - 1, item, criterion, point, *bounds))
    who, role, seconds, read = (np.array(column) for column in zip(*given, strict=True))
    table = np.array(rows, dtype=np.int64)
    return Simulated(
        kinds=tuple(kinds),
        given=GivenItems(who.astype(np.int64), role.astype(np.int64), seconds, read.astype(np.int64), role == ITEM),
        answers=Answers(*table.T),
        scales=(SCALE,) * criteria,
    )


def _shared(raters: int, items: int, an_item: int, numbers: np.random.Generator) -> list[list[int]]:
    """Give every item to so many different raters, all of them alike often."""
    mine: list[list[int]] = [[] for _ in range(raters)]
    for place, item in enumerate(numbers.permutation(items)):
        for n in range(an_item):
            mine[(place * an_item + n) % raters].append(int(item))
    return mine


def _course(
    mine: list[int], items: int, gold: int, repeats: int, numbers: np.random.Generator
) -> Iterator[tuple[int, int]]:
    """Yield role and item in their order: gold in between, repeats at the end."""
    every = max(1, len(mine) // max(gold, 1))
    for place, item in enumerate(mine):
        yield ITEM, item
        if place % every == every - 1 and place // every < gold:
            yield GOLD, items + place // every
    for item in numbers.choice(mine[: max(len(mine) - 10, 1)], min(repeats, len(mine)), replace=False):
        yield REPEAT, int(item)
