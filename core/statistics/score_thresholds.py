"""How well a threshold on a score separates captions that people call good from other captions.

The threshold predicts that a caption is good if its score is equal to or above the threshold (the cut).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints

CUTS = 100  # number of equal steps by which the threshold rises from 0 to 1
ROUNDING = 9  # number of decimals to which scores are compared, so that 0.3 reaches the threshold 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """Counts of samples for each threshold (cut) on a score, shape (cuts,)."""

    n: int
    good: int  # number of samples that people call good
    cuts: Floats  # thresholds, rising over [0, 1]
    called_good: Ints  # for each threshold: number of samples with a score at or above it
    right: Ints  # for each threshold: number of samples on which metric and people agree
    hit: Ints  # for each threshold: number of samples that metric and people both call good

    @property
    def accuracy(self) -> Floats:
        """Return, for each threshold, the share of samples on which the threshold and people agree."""
        return np.asarray(self.right / self.n)

    @property
    def precision(self) -> Floats:
        """Return the precision of each threshold.

        It is the share of samples that people call good, among the samples that reach the threshold. NaN where no
        sample reaches the threshold.
        """
        nothing = np.full(len(self.cuts), np.nan)
        return np.asarray(np.divide(self.hit, self.called_good, out=nothing, where=self.called_good > 0))

    @property
    def recall(self) -> Floats:
        """Return the recall of each threshold.

        It is the share of samples that reach the threshold, among the samples that people call good. NaN if people
        call no sample good.
        """
        return np.asarray(self.hit / self.good) if self.good else np.full(len(self.cuts), np.nan)

    @property
    def balanced(self) -> Floats:
        """Return the mean of two shares: good captions that reach the threshold, and other captions that do not.

        NaN if people call all captions good, or none.
        """
        if not 0 < self.good < self.n:
            return np.full(len(self.cuts), np.nan)
        refused = self.right - self.hit  # number of captions that both metric and people call not good
        return np.asarray((self.hit / self.good + refused / (self.n - self.good)) / 2)


def cuts(score: Floats, human: Floats, good_from: float) -> Cuts | None:
    """Return the counts of samples for each threshold on the score.

    score, human: (samples,) within [0, 1], NaN: unknown. People call a caption good if they judge it `good_from` or
    higher. Returns None if no sample has both values.
    """
    has_both = np.isfinite(score) & np.isfinite(human)
    if not has_both.any():
        return None
    good = human[has_both] >= good_from
    at = np.round(np.linspace(0, 1, CUTS + 1), ROUNDING)
    reached = np.searchsorted(at, np.round(score[has_both], ROUNDING), side="right") - 1
    of_all, of_good = (np.bincount(reached[which], minlength=len(at)) for which in (np.ones_like(good), good))
    called_good, hit = (np.cumsum(counts[::-1])[::-1] for counts in (of_all, of_good))
    n, all_good = len(good), int(good.sum())
    refused = (n - all_good) - (called_good - hit)
    return Cuts(n, all_good, at, called_good, hit + refused, hit)


def at_or_above(score: Floats, cut: float) -> NDArray[np.bool_]:
    """Return which scores are equal to or above a threshold, in the scores' shape.

    Scores are rounded first. Otherwise equal scores could differ after the ninth decimal, because they are floats.
    """
    return np.asarray(np.round(score, ROUNDING) >= np.round(cut, ROUNDING))
