"""How well a cut of a score tells captions that people call good."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints

CUTS = 100  # steps of the cut over [0, 1]
ROUNDING = 9  # decimals of a score beside a cut, so that 0.3 reaches the cut 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """What comes of calling a caption good from a cut of the score upwards; each of shape (cuts,)."""

    n: int
    good: int  # samples that people call good
    cuts: Floats  # rising over [0, 1]
    said: Ints  # samples at or above the cut
    right: Ints  # samples that metric and people call the same
    hit: Ints  # samples that both call good

    @property
    def accuracy(self) -> Floats:
        """Share of samples that metric and people call the same."""
        return np.asarray(self.right / self.n)

    @property
    def precision(self) -> Floats:
        """Share of good ones among those at or above the cut; NaN where none is."""
        nothing = np.full(len(self.cuts), np.nan)
        return np.asarray(np.divide(self.hit, self.said, out=nothing, where=self.said > 0))

    @property
    def recall(self) -> Floats:
        """Share of the good ones that are at or above the cut; NaN where people call none good."""
        return np.asarray(self.hit / self.good) if self.good else np.full(len(self.cuts), np.nan)

    @property
    def balanced(self) -> Floats:
        """Mean of the shares of good and of other captions that are called so; NaN where there is one kind only."""
        if not 0 < self.good < self.n:
            return np.full(len(self.cuts), np.nan)
        refused = self.right - self.hit  # called not good by both
        return np.asarray((self.hit / self.good + refused / (self.n - self.good)) / 2)


def cuts(score: Floats, human: Floats, good_from: float) -> Cuts | None:
    """Return what comes of each cut of a score, where people call good what they judge `good_from` or higher.

    score, human: (samples,) within [0, 1], NaN: unknown. None where no sample has both.
    """
    known = np.isfinite(score) & np.isfinite(human)
    if not known.any():
        return None
    good = human[known] >= good_from
    at = np.round(np.linspace(0, 1, CUTS + 1), ROUNDING)
    reached = np.searchsorted(at, np.round(score[known], ROUNDING), side="right") - 1  # the highest cut of each score
    of_all, of_good = (np.bincount(reached[which], minlength=len(at)) for which in (np.ones_like(good), good))
    said, hit = (np.cumsum(counts[::-1])[::-1] for counts in (of_all, of_good))
    n, all_good = len(good), int(good.sum())
    refused = (n - all_good) - (said - hit)
    return Cuts(n, all_good, at, said, hit + refused, hit)


def at_or_above(score: Floats, cut: float) -> NDArray[np.bool_]:
    """Return which scores reach a cut, of the same shape, free of what floats leave behind the ninth decimal."""
    return np.asarray(np.round(score, ROUNDING) >= np.round(cut, ROUNDING))
