"""How an explanation's position on the rating page changes its ratings."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
import pandas as pd

from core.statistics.bootstrap import DRAWS, SEED, mean_interval
from core.studies.asking.criteria import ABSTAIN
from core.studies.results.ratings import Scales, shares


@dataclass(frozen=True, slots=True)
class PositionEffect:
    """How much answers at one position on the page differ from the mean answer on the same page."""

    criterion: str
    position: int  # position of the explanation on the page; 1: the first from the left
    n: int  # answers
    difference: float | None  # mean of (answer - the rater's mean answer on the same page), as a share of the scale
    ci_low: float | None  # 95 % interval of the difference, bootstrap over items; None: one item only
    ci_high: float | None


def position_effects(
    ratings: pd.DataFrame, scales: Scales, draws: int = DRAWS, seed: int = SEED
) -> tuple[PositionEffect, ...]:
    """Return for every criterion how an explanation's position on the page affects answers.

    Returns () if no page shows several explanations.
    """
    given = ratings[ratings["rating"] > ABSTAIN]
    names = ("criterion", "sample", "item", "rater", "panel_position")
    pages: dict[tuple[str, str, int, str], list[tuple[int, float]]] = defaultdict(list)
    columns = (given[name].tolist() for name in names)
    for criterion, sample, item, rater, position, share in zip(*columns, shares(given, scales), strict=True):
        pages[criterion, sample, item, rater].append((position, share))
    differences: dict[tuple[str, int], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for (criterion, sample, _, _), answers in pages.items():
        if len(answers) > 1:
            mean = fmean(share for _, share in answers)
            for position, share in answers:
                differences[criterion, position][sample].append(share - mean)
    order = list(dict.fromkeys(criterion for criterion, _ in differences))
    keys = sorted(differences, key=lambda key: (order.index(key[0]), key[1]))
    return tuple(_effect(*key, list(differences[key].values()), draws, seed) for key in keys)


def _effect(criterion: str, position: int, by_item: Sequence[Sequence[float]], draws: int, seed: int) -> PositionEffect:
    sums, counts = np.array([sum(item) for item in by_item]), np.array([len(item) for item in by_item])
    interval = mean_interval(sums.astype(float), counts.astype(np.int64), draws, seed)
    low, high = (interval.low, interval.high) if interval else (None, None)
    return PositionEffect(criterion, position, int(counts.sum()), float(sums.sum() / counts.sum()), low, high)
