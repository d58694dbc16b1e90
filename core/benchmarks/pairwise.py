"""Pairwise accuracy: how often a metric prefers the caption that people prefer.

Pascal-50S and FOIL use this measure. These benchmarks count equal scores as wrong, although a guess would be right in
half of the cases. So ties are also counted separately, and a second accuracy counts a tie as half right.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.score_table import ScoreTable
from core.arrays import Floats
from core.benchmarks.correlation import Difference
from core.datasets import BENCHMARKS
from core.statistics import intervals
from core.statistics.bootstrap import Interval
from core.types import Variant

MEAN = "mean"  # name of an extra category: the unweighted mean over a benchmark's categories


@dataclass(frozen=True, slots=True, eq=False)
class PairScores:
    """One score of both captions of each pair in which both captions have the score."""

    categories: Mapping[str, int]  # name and number; a category may have no pair in which both captions have the score
    # One row per pair: category (number), cluster (of the image), preferred (score of the caption that people prefer),
    # other, right (1.0: the preferred caption has the higher score); index: the preferred caption's place in the table
    pairs: pd.DataFrame


@dataclass(frozen=True, slots=True)
class PairwiseAccuracy:
    """Accuracy of a metric on one category of pairs. A value is None if there are no pairs."""

    category: str  # in Pascal-50S: HC, HI, HM, MM or the mean of these categories; elsewhere: the benchmark's name
    metric: str
    variant: Variant
    n: int  # pairs
    accuracy: float | None  # share of pairs whose preferred caption has the higher score, [0, 1]
    ties: int  # pairs with equal scores
    accuracy_half_credit: float | None  # accuracy if each tie counts as half right, [0, 1]
    interval: Interval | None = None  # 95 % interval of the accuracy over images


def pair_scores(table: ScoreTable, scores: Sequence[Floats], benchmark: str) -> list[PairScores]:
    """Return the pairs of a table with each of some scores, (samples,).

    benchmark: its name is the category of pairs that have no category.
    """
    known = [(at, pair) for at, pair in enumerate(table["pair"]) if pair is not None and pair.preferred is not None]
    rows = [(at, pair.category or benchmark, pair.key, pair.position == pair.preferred) for at, pair in known]
    captions = pd.DataFrame(rows, columns=["place", "category", "key", "is_preferred"])
    captions["category"], names = pd.factorize(captions["category"])
    captions = captions.drop_duplicates(["category", "key", "is_preferred"], keep="last")
    sides = [captions[captions["is_preferred"] == side] for side in (True, False)]
    both = sides[0].merge(sides[1], on=["category", "key"], suffixes=("", "_other")).set_index("place")
    found = []
    for score in scores:
        scored = captions["category"][np.isfinite(score[captions["place"].astype(int)])].unique().tolist()
        preferred, other = score[both.index.astype(int)], score[both["place_other"].astype(int)]
        columns = {"cluster": table["cluster"][both.index.astype(int)], "preferred": preferred, "other": other}
        pairs = both[["category"]].assign(**columns, right=(preferred > other).astype(float))
        has_both = np.isfinite(preferred) & np.isfinite(other)
        found.append(PairScores({names[category]: category for category in scored}, pairs[has_both]))
    return found


def accuracies(scores: PairScores, metric: str, variant: Variant) -> list[PairwiseAccuracy]:
    """Return a metric's accuracy for each category of pairs in which both captions have a score.

    For a benchmark with several categories, the last row is the mean of the categories. It is None if a category has no
    pair.
    """
    rows, pairs = [], scores.pairs
    for category, number in scores.categories.items():
        here = pairs[pairs["category"] == number]
        n, right, ties = len(here), int(here["right"].sum()), int((here["preferred"] == here["other"]).sum())
        strict, half = (right / n, (right + ties / 2) / n) if n else (None, None)
        ends = intervals.interval(*_mean(pairs, pairs["right"], [number]), 0, 1)
        rows.append(PairwiseAccuracy(category, metric, variant, n, strict, ties, half, ends))
    if rows and _has_mean([*scores.categories]):
        strict, half = (_mean_of([getattr(row, name) for row in rows]) for name in ("accuracy", "accuracy_half_credit"))
        ends = intervals.interval(*_mean(pairs, pairs["right"], [*scores.categories.values()]), 0, 1)
        n, ties = sum(row.n for row in rows), sum(row.ties for row in rows)
        rows.append(PairwiseAccuracy(MEAN, metric, variant, n, strict, ties, half, ends))
    return rows


def accuracy_differences(first: PairScores, second: PairScores) -> list[Difference]:
    """Compare the accuracy of two scores in each category, on the pairs that have both scores.

    For a benchmark with several categories, the last row is the mean of the categories.
    """
    pairs = first.pairs[first.pairs.index.isin(second.pairs.index)].sort_index()
    gain, every = pairs["right"] - second.pairs["right"][pairs.index], [*first.categories.values()]
    groups = [(category, [number]) for category, number in first.categories.items()]
    found = []
    for category, places in [*groups, *([(MEAN, every)] if _has_mean([*first.categories]) else [])]:
        value, each = _mean(pairs, gain, places)
        n, by = int(pairs["category"].isin(places).sum()), None if np.isnan(value) else value
        ends, p = intervals.interval(value, each, -1, 1), intervals.p_value(value, each)
        found.append(Difference("accuracy", n, by, ends, p, category))
    return found


def _has_mean(categories: Sequence[str]) -> bool:
    """Return whether papers print the mean over these categories."""
    return any(sorted(one.categories) == sorted(categories) for one in BENCHMARKS if one.categories)


def _mean_of(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if len(known) == len(values) else None


def _mean(pairs: pd.DataFrame, outcome: "pd.Series[float]", categories: Sequence[int]) -> tuple[float, Floats]:
    """Return the mean over categories of the categories' mean outcomes, and its influences by image."""
    of, values, means, each = pairs["category"].to_numpy(), outcome.to_numpy(), [], np.zeros(len(pairs))
    for category in categories:
        here = of == category
        means.append(float(values[here].mean()) if here.any() else np.nan)
        each[here] = (values[here] - means[-1]) / max(1, here.sum()) / len(categories)
    used = np.isin(of, categories)
    return float(np.mean(means)), intervals.by_cluster(each[used], pairs["cluster"].to_numpy()[used])
