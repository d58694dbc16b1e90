"""Pairwise accuracy: how often a metric prefers the caption that people prefer.

Used by Pascal-50S and FOIL. These benchmarks count equal scores as wrong. A guess would get half of them right. So ties
are counted separately, and the accuracy with half credit is given too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from core.errors import BadData
from core.types import Variant

MEAN = "mean"  # category name: unweighted mean over a benchmark's categories


@dataclass(frozen=True, slots=True)
class PairwiseAccuracy:
    """Accuracy of a metric on one category of pairs.

    A value is None if there is no pair.
    """

    benchmark: str
    category: str  # HC, HI, HM, MM or their mean in Pascal-50S; else the benchmark's name
    metric: str
    variant: Variant
    n: int  # pairs
    accuracy: float | None  # share of pairs whose preferred caption has the higher score, [0, 1]
    ties: int  # pairs with equal scores
    accuracy_half_credit: float | None  # each tie counts as half right, [0, 1]

    def as_json(self) -> dict[str, Any]:
        """Return the documented fields; accuracies are times 100."""
        return {
            "benchmark": self.benchmark,
            "category": self.category,
            "metric": self.metric,
            "variant": self.variant,
            "n": self.n,
            "accuracy": None if self.accuracy is None else 100 * self.accuracy,
            "ties": self.ties,
            "accuracy_half_credit": None if self.accuracy_half_credit is None else 100 * self.accuracy_half_credit,
        }


def pairwise_accuracy(
    preferred: ArrayLike, other: ArrayLike, benchmark: str, category: str, metric: str, variant: Variant = "smoothed"
) -> PairwiseAccuracy:
    """Compare the scores of the preferred captions with those of the others.

    Both have the shape (pairs,).
    """
    better, worse = np.asarray(preferred, dtype=float), np.asarray(other, dtype=float)
    if better.shape != worse.shape:
        raise BadData(f"expected two scores per pair, found {better.size} and {worse.size} scores")
    n, right, ties = better.size, int((better > worse).sum()), int((better == worse).sum())
    strict, half = (right / n, (right + ties / 2) / n) if n else (None, None)
    return PairwiseAccuracy(benchmark, category, metric, variant, n, strict, ties, half)


def mean_accuracy(rows: Sequence[PairwiseAccuracy]) -> PairwiseAccuracy:
    """Return the unweighted mean over one metric's categories, as the papers print it.

    Returns None if a category has no pair.
    """
    strict = [row.accuracy for row in rows if row.accuracy is not None]
    halves = [row.accuracy_half_credit for row in rows if row.accuracy_half_credit is not None]
    return replace(
        rows[0],
        category=MEAN,
        n=sum(row.n for row in rows),
        accuracy=float(np.mean(strict)) if len(strict) == len(rows) else None,
        ties=sum(row.ties for row in rows),
        accuracy_half_credit=float(np.mean(halves)) if len(halves) == len(rows) else None,
    )
