"""Coefficients of agreement between raters, for many bootstrap draws in one call.

Agreement depends only on how many raters gave each value to a unit (the thing rated). So units with the same counts are
stored as one row, with the number of such units. 131,020 judgements by 550 raters become a few hundred rows.

Every function takes judgements and `drawn`, an array with shape (draws, kinds). Each row of this array says how often
units of each kind count in one draw. A row with the frequencies of the kinds in the data gives the coefficient of the
data. Rows with bootstrap draws give the coefficient's distribution. Each function returns an array with shape (draws,).
It is NaN where the coefficient is undefined.

Krippendorff's alpha: Krippendorff, Content Analysis (2004), ch. 11. AC1 and AC2: Gwet, Handbook of Inter-Rater
Reliability (4th ed., 2014), ch. 5 and 6.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from core.arrays import Floats, Ints
from core.errors import BadData

Level = Literal["nominal", "ordinal", "interval"]
DENSE_VALUES = 64  # maximum number of scale values for which units with equal counts are found with a dense table


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """Counts of values for each kind of unit.

    Units (the things rated) are of the same kind if each value was given equally often to them.
    """

    values: Floats  # shape (values,): the values of the scale, in ascending order
    counts: "scipy.sparse.csr_array"  # (kinds of unit, values): how many raters gave each value to one unit of the kind
    frequency: Ints  # (kinds,) number of units of each kind
    raters: int  # distinct raters

    @property
    def ratings(self) -> Ints:
        """Return the number of ratings of one unit, for each kind of unit, (kinds,), at least 1."""
        return np.asarray(self.counts.sum(axis=1), dtype=np.int64)

    @property
    def total(self) -> int:
        """Number of judgements."""
        return int(self.ratings @ self.frequency)

    @property
    def units(self) -> int:
        """Number of units with at least one judgement."""
        return int(self.frequency.sum())

    @property
    def shared_units(self) -> int:
        """Number of units with at least two judgements.

        Only these units contain information about the agreement of raters.
        """
        return int(self.frequency[self.ratings > 1].sum())


def judgements(unit: ArrayLike, rater: ArrayLike, value: ArrayLike, scale: Sequence[float] | None = None) -> Judgements:
    """Return counts of judgements. The arrays have one entry per judgement.

    unit, rater, value: each judgement's unit (the thing rated), rater and value. NaN: the judgement is missing and not
    counted. scale: all possible values, because some coefficients also count values that no rater gave; None: only the
    values that occur are counted. Raises BadData.
    """
    table = _table(unit, rater, value)
    values = np.unique(table["value"] if scale is None else np.asarray(scale, float))
    column = np.searchsorted(values, table["value"]).clip(max=max(len(values) - 1, 0))
    if len(table) and (values[column] != table["value"]).any():
        stray = table["value"][values[column] != table["value"]].iloc[0]
        raise BadData(
            f"Judgements must be on the scale {values.tolist()}, found {stray}. Correct the scale or the data."
        )
    row, units = pd.factorize(table["unit"])
    counts = scipy.sparse.coo_array((np.ones(len(table)), (row, column)), shape=(len(units), len(values))).tocsr()
    kinds, frequency = _kinds(counts)
    return Judgements(values, kinds, frequency, table["rater"].nunique())


def _table(unit: ArrayLike, rater: ArrayLike, value: ArrayLike) -> pd.DataFrame:
    columns = {"unit": np.asarray(unit), "rater": np.asarray(rater), "value": np.asarray(value, dtype=float)}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise BadData(f"Units, raters and values must have the same length, found {lengths}")
    table = pd.DataFrame(columns).dropna(subset="value")
    twice = table[table.duplicated(["unit", "rater"])]
    if len(twice):
        pair = twice.iloc[0]
        raise BadData(f"Each rater may judge a unit once, but {pair.rater} judged {pair.unit} twice")
    return table


def _kinds(counts: "scipy.sparse.csr_array") -> "tuple[scipy.sparse.csr_array, Ints]":
    if counts.shape[1] > DENSE_VALUES or counts.shape[0] == 0:
        return counts, np.ones(counts.shape[0], dtype=np.int64)
    kinds, frequency = np.unique(counts.toarray(), axis=0, return_counts=True)
    return scipy.sparse.csr_array(kinds), frequency.astype(np.int64)


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


def observed(data: Judgements, drawn: Ints) -> Floats:
    """Return all coefficients, (draws, 7): alpha of each level, share of equal pairs, share within one, AC1, AC2."""
    return _every(data, drawn, [alpha(data, drawn, level) for level in get_args(Level)], pair_agreement)


def by_chance(data: Judgements, drawn: Ints) -> Floats:
    """Return the coefficients of independent raters who use each value as often as the raters in the data did.

    Alpha is already corrected for chance.
    """
    return _every(data, drawn, np.zeros((3, len(drawn))), pair_agreement_by_chance)


def _every(
    data: Judgements, drawn: Ints, alphas: Iterable[Floats], agree: Callable[[Judgements, Ints, Floats], Floats]
) -> Floats:
    same, near, graded = np.eye(len(data.values)), within_one(data.values), quadratic(data.values)
    of_gwet = []  # Gwet's AC2; with weights of identity AC1. Undefined if the scale has only one point
    for weights in (same, graded):
        chance = _gwet_chance(data, drawn, weights)
        of_gwet.append((agree(data, drawn, weights) - chance) / (1 - chance))
    return np.column_stack([*alphas, agree(data, drawn, same), agree(data, drawn, near), *of_gwet])
