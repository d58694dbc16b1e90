"""Simulate ratings on a scale of points, with the distribution and the agreement of real ratings.

For each rating, a normally distributed number is drawn. Thresholds convert this number to a point. The number is the
sum of three terms. All explanations of a sample share the first term, and all raters of an explanation share the
second. The third term belongs to only one rating. The thresholds determine how often each point occurs. The terms
determine the correlations between ratings.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import brentq
from scipy.stats import multivariate_normal, norm

from core.arrays import Floats, Ints
from core.errors import BadSetting

HIGHEST = 0.95  # upper limit of a simulated correlation; at 1, raters always agree and need no simulation
_FEWEST_PAIRS = 5  # minimum number of pairs of ratings from which a correlation is estimated


@dataclass(frozen=True)
class RatingModel:
    """Distribution and correlations of the ratings of one criterion.

    A rating is a point of the scale. For the correlations, points are used as numbers. Raises BadSetting for values out
    of range.
    """

    shares: tuple[float, ...]  # share of ratings at each point of the scale, from the lowest point; the sum is 1
    same_explanation: float  # correlation of two raters' ratings of the same explanation, [0, 1)
    same_sample: float = 0.0  # correlation of ratings of two metrics' explanations of one sample, [0, same_explanation]

    def __post_init__(self) -> None:
        """Check the ranges of all values. Raises BadSetting."""
        if len(self.shares) < 2 or min(self.shares) < 0 or abs(sum(self.shares) - 1) > 1e-6:
            raise BadSetting(
                "Give at least two shares of ratings, one for each point of the scale. Shares must be 0 or more and "
                "add up to 1."
            )
        if max(self.shares) > 1 - 1e-6:
            raise BadSetting("All ratings have the same value. Such ratings cannot be simulated.")
        if not 0 <= self.same_sample <= self.same_explanation < 1:
            raise BadSetting(
                "Correlations of ratings must be at least 0 and below 1. The correlation between ratings of one sample "
                "must not exceed the correlation between ratings of one explanation."
            )

    @cached_property
    def thresholds(self) -> Floats:
        """Return the thresholds that convert a normally distributed number to a point.

        Their shape is (points - 1,), and they are ascending.
        """
        return np.asarray(norm.ppf(np.clip(np.cumsum(self.shares)[:-1], 1e-9, 1 - 1e-9)))

    @cached_property
    def mean(self) -> float:
        """Return the mean rating, in points of the scale."""
        return float(np.dot(self.shares, np.arange(1, len(self.shares) + 1)))

    @cached_property
    def variance(self) -> float:
        """Return the variance of the ratings."""
        return float(np.dot(self.shares, np.arange(1, len(self.shares) + 1) ** 2)) - self.mean**2

    @cached_property
    def _latent(self) -> tuple[float, float]:
        """Return two correlations of the random numbers behind the ratings.

        The model draws normally distributed random numbers and converts them to points of the scale. The numbers have
        the returned correlations, so that the points have the model's correlations. The first correlation is within a
        sample, the second within an explanation.
        """
        return self._of_numbers(self.same_sample), self._of_numbers(self.same_explanation)

    def shift(self, difference: float) -> float:
        """Return what to add to random numbers to change mean ratings.

        Thresholds convert normally distributed random numbers to ratings. If the result is added to each number, the
        mean rating changes by `difference` points. Raises BadSetting if the mean would leave the scale.
        """
        room = len(self.shares) - self.mean if difference > 0 else self.mean - 1
        if abs(difference) >= room:
            raise BadSetting(
                f"With a mean rating of {self.mean:.2f} on a scale of {len(self.shares)} points, the difference in "
                f"mean rating must be below {room:.2f}."
            )
        return float(brentq(lambda by: norm.cdf(by - self.thresholds).sum() + 1 - self.mean - difference, -20, 20))

    def points(self, shifts: Sequence[float], items: int, raters: int, draws: int, seed: int) -> Ints:
        """Draw ratings as an array of shape (draws, items, metrics, raters).

        A rating is a point of the scale, from 1. shifts: for each metric, the result of the method `shift` for the
        wanted difference between the metric's mean rating and the model's mean rating. Each explanation (of one item by
        one metric) has its own raters.
        """
        random = np.random.default_rng(seed)
        sample, explanation = self._latent
        metrics = len(shifts)
        number = np.sqrt(1 - explanation) * random.standard_normal((draws, items, metrics, raters))
        number += np.sqrt(explanation - sample) * random.standard_normal((draws, items, metrics, 1))
        number += np.sqrt(sample) * random.standard_normal((draws, items, 1, 1)) + np.asarray(shifts)[:, None]
        return np.asarray(1 + sum((number > cut).astype(np.int64) for cut in self.thresholds))

    def _of_numbers(self, wanted: float) -> float:
        """Return how strongly normally distributed numbers must correlate, so that ratings correlate by `wanted`.

        The ratings are made from these numbers by thresholds. The result is at most HIGHEST.
        """
        if wanted <= 0:
            return 0.0
        if self._of_points(HIGHEST) <= wanted:
            return HIGHEST
        return float(brentq(lambda r: self._of_points(r) - wanted, 0, HIGHEST, xtol=1e-4))

    def _of_points(self, correlation: float) -> float:
        """Return the correlation of ratings that are made from normally distributed numbers.

        Thresholds convert these numbers to ratings. correlation: the correlation of the numbers.
        """
        above = norm.sf(self.thresholds)
        law = multivariate_normal([0, 0], [[1, correlation], [correlation, 1]])
        pairs = np.array([[(-one, -other) for other in self.thresholds] for one in self.thresholds])
        both = np.reshape(law.cdf(pairs.reshape(-1, 2)), (len(above), len(above)))
        return float((both - np.outer(above, above)).sum()) / self.variance


def fitted(item: Ints, metric: Ints, point: Ints, highest: int) -> RatingModel | None:
    """Return a model fitted to the ratings of one criterion.

    item, metric, point: (ratings,), points from 1 to `highest`. Ratings of one item and metric are about the same
    explanation. The model contains correlations between ratings. Before the correlations are computed, each
    metric's mean is subtracted from its points. Negative correlations are replaced by 0. Returns None if there are too
    few ratings or all are equal.
    """
    shares = np.bincount(point, minlength=highest + 1)[1 : highest + 1] / max(len(point), 1)
    if (shares > 0).sum() < 2:
        return None
    _, metric = np.unique(metric, return_inverse=True)
    centred = point - (np.bincount(metric, point) / np.bincount(metric))[metric]
    variance = float(np.mean(centred**2))
    if variance == 0:
        return None
    _, cell = np.unique(np.stack([item, metric]), axis=1, return_inverse=True)
    _, sample = np.unique(item, return_inverse=True)
    within, pairs = _products(centred, cell)
    in_sample, sample_pairs = _products(centred, sample)
    if pairs < _FEWEST_PAIRS:
        return None
    same = max(0.0, within / pairs / variance)
    other_pairs = sample_pairs - pairs
    across = max(0.0, (in_sample - within) / other_pairs / variance) if other_pairs >= _FEWEST_PAIRS else 0.0
    same = min(same, 0.99)
    return RatingModel(tuple(shares.tolist()), same, min(across, same))


def _products(value: Floats, group: Ints) -> tuple[float, int]:
    """Return the sum of the products of all ordered pairs within each group, and the number of these pairs."""
    sums, squares, sizes = np.bincount(group, value), np.bincount(group, value**2), np.bincount(group)
    return float((sums**2 - squares).sum()), int((sizes * (sizes - 1)).sum())
