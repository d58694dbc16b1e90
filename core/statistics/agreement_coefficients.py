"""Coefficients of agreement between raters, for many bootstrap draws in one call.

Units are the things that were rated. Units with the same judgements are of one kind. Every function takes judgements
and `drawn`, an array with shape (draws, kinds). Each row of this array says how often units of each kind count in one
draw. A row with the frequencies of the kinds in the data gives the coefficient of the data. Rows with bootstrap draws
give the coefficient's distribution. Each function returns an array with shape (draws,). It is NaN where the coefficient
is undefined.

Krippendorff's alpha: Krippendorff, Content Analysis (2004), ch. 11. AC1 and AC2: Gwet, Handbook of Inter-Rater
Reliability (4th ed., 2014), ch. 5 and 6.
"""

from typing import Literal

import numpy as np

from core.arrays import Floats, Ints
from core.statistics.reliability_data import Judgements

Level = Literal["nominal", "ordinal", "interval"]


def alpha(data: Judgements, drawn: Ints, level: Level) -> Floats:
    """Return Krippendorff's alpha. It is undefined if all judgements of units with several raters are equal.

    Alpha is 1 - (n - 1) * observed / expected. Here n is the number of judgements, counted only for units with two or
    more judgements. The ordinal distance of two values equals the squared distance of their mid-ranks. So ordinal alpha
    is computed as interval alpha of the mid-ranks of the drawn judgements.
    """
    pairable = drawn * (data.ratings > 1)
    marginals = pairable @ data.counts
    n = marginals.sum(axis=1)
    if level == "nominal":
        observed, expected = _nominal(data, pairable, marginals, n)
    else:
        positions = _midranks(marginals) if level == "ordinal" else data.values[None, :]
        observed, expected = _squared(data, pairable, marginals, n, positions)
    varied = (marginals > 0).sum(axis=1) > 1
    return np.where(varied, 1 - (n - 1) * observed / np.where(varied, expected, 1), np.nan)


def _nominal(data: Judgements, drawn: Ints, marginals: Floats, n: Floats) -> tuple[Floats, Floats]:
    same = data.counts.power(2).sum(axis=1) - data.ratings  # (kinds of unit,) ordered pairs of raters who agree
    return n - drawn @ (same / _partners(data)), n**2 - (marginals**2).sum(axis=1)


def _squared(data: Judgements, drawn: Ints, marginals: Floats, n: Floats, positions: Floats) -> tuple[Floats, Floats]:
    centre = (marginals * positions).sum(axis=1) / np.maximum(n, 1)
    s = positions - centre[:, None]  # centred values, so that no digits are lost by cancellation
    spread = (marginals * s**2).sum(axis=1)
    together = (s @ data.counts.T) ** 2 - s**2 @ data.counts.T  # (draws, unit kinds) sum of products over rater pairs
    return 2 * (spread - (drawn * together / _partners(data)).sum(axis=1)), 2 * n * spread


def _midranks(marginals: Floats) -> Floats:
    return marginals.cumsum(axis=1) - marginals / 2


def _partners(data: Judgements) -> Floats:
    """Return each unit's number of raters minus 1, at least 1.

    A unit is a thing that was rated. For a unit with one rater, the result is 1 instead of 0, to avoid a division by 0.
    The 1 has no effect, because such units are not drawn.
    """
    return np.maximum(data.ratings - 1, 1).astype(float)


def pair_agreement(data: Judgements, drawn: Ints, weights: Floats) -> Floats:
    """Return the weighted share of agreeing pairs of raters.

    The share is averaged over units with two or more ratings. weights: (values, values), in [0, 1], how much two values
    agree.
    """
    pairable = drawn * (data.ratings > 1)
    pairs = data.counts.multiply(data.counts @ weights).sum(axis=1) - data.ratings  # ordered pairs of raters that agree
    agreeing = pairs / (data.ratings * _partners(data))
    units = pairable.sum(axis=1)
    return np.where(units > 0, pairable @ agreeing / np.maximum(units, 1), np.nan)


def gwet(data: Judgements, drawn: Ints, weights: Floats) -> Floats:
    """Return Gwet's AC2. If `weights` is the identity matrix, this is AC1.

    The coefficient is undefined if the scale has only one point.
    """
    chance = _gwet_chance(data, drawn, weights)
    return (pair_agreement(data, drawn, weights) - chance) / (1 - chance)


def gwet_by_chance(data: Judgements, drawn: Ints, weights: Floats) -> Floats:
    """Return the AC2 of independent raters who use each value as often as the raters in the data did."""
    chance = _gwet_chance(data, drawn, weights)
    return (pair_agreement_by_chance(data, drawn, weights) - chance) / (1 - chance)


def pair_agreement_by_chance(data: Judgements, drawn: Ints, weights: Floats) -> Floats:
    """Return the weighted share of pairs of independent raters who would agree.

    These raters use each value as often as the raters in the data did.
    """
    shares = _shares(data, drawn)
    return np.asarray((shares @ weights * shares).sum(axis=1))


def _gwet_chance(data: Judgements, drawn: Ints, weights: Floats) -> Floats:
    q = len(data.values)
    if q < 2:
        return np.full(len(drawn), np.nan)
    shares = _shares(data, drawn)
    return np.asarray(weights.sum() / (q * (q - 1)) * (shares * (1 - shares)).sum(axis=1))


def _shares(data: Judgements, drawn: Ints) -> Floats:
    """Return the share of judgements with each value, shape (draws, values). Each unit has equal weight."""
    shares = drawn @ data.counts.multiply(1 / data.ratings[:, None]).tocsr()
    return np.asarray(shares / drawn.sum(axis=1, keepdims=True))


def quadratic(values: Floats) -> Floats:
    """Return how much each pair of values agrees, (values, values): 1 minus the squared distance, at least 0."""
    distance = (values[:, None] - values[None, :]) ** 2
    return np.asarray(1 - distance / max(distance.max(initial=0), 1e-300))


def within_one(values: Floats) -> Floats:
    """Return weights for which two values agree if they are at most one point apart."""
    return (np.abs(values[:, None] - values[None, :]) <= 1).astype(float)
