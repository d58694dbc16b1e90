"""Agreement of raters with one another, with intervals.

The coefficients are Krippendorff's alpha, shares of agreeing pairs, and Gwet's coefficients.

If most ratings are high, raters often agree by chance alone. So each coefficient is reported together with its value
for independent raters who use each point as often as the real raters. No single coefficient is sufficient.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import Floats, Ints
from core.statistics.agreement_coefficients import (
    alpha,
    gwet,
    gwet_by_chance,
    pair_agreement,
    pair_agreement_by_chance,
    quadratic,
    within_one,
)
from core.statistics.bootstrap import SEED, draw_kinds, percentile_interval
from core.statistics.reliability_data import Judgements, judgements

DRAWS = 1000
SHARES = ("exact", "within one")  # shares of pairs of ratings that agree, [0, 1]


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One coefficient of agreement.

    The value is None if the coefficient is undefined. Then `note` gives the reason.
    """

    name: str  # "alpha nominal", "alpha ordinal", "alpha interval", "exact", "within one", "AC1", "AC2 quadratic" ...
    value: float | None  # at most 1; "exact" and "within one" are within [0, 1]
    ci_low: float | None  # 95 % interval, bootstrap over units
    ci_high: float | None
    chance: float | None  # expected value for independent raters with the same marginals
    note: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How much raters agree about the same units (the things that they rate)."""

    raters: int
    units: int  # number of units (judged texts) with at least one judgement
    shared_units: int  # number of units (judged texts) with two or more judgements
    judgements: int
    coefficients: tuple[Coefficient, ...]


def agreement(
    unit: ArrayLike,
    rater: ArrayLike,
    value: ArrayLike,
    scale: Sequence[float] | None = None,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Agreement:
    """Return every coefficient of agreement. The arrays have one entry per judgement.

    unit, rater, value: each judgement's unit (the thing rated), rater and value. NaN: the judgement is missing. scale:
    all possible values, because Gwet's coefficients also count values that no rater gave.

    Raises BadData if the arrays differ in length, a value is not on the scale, or one rater judged a unit twice.
    """
    data = judgements(unit, rater, value, scale)
    measures = _measures(data)
    drawn = _bootstrap(data, measures, draws, seed) if data.shared_units > 1 else np.empty((0, len(measures)))
    coefficients = [_coefficient(data, measure, drawn[:, column]) for column, measure in enumerate(measures)]
    return Agreement(data.raters, data.units, data.shared_units, data.total, tuple(coefficients))


Measure = Callable[[Judgements, Ints], Floats]


@dataclass(frozen=True, slots=True)
class _Named:
    name: str
    observed: Measure
    chance: Measure
    undefined: str  # note to report if two raters rated one item, but the coefficient is undefined


ONE_VALUE = "all ratings are equal, so agreement cannot be measured"
NO_INTERVAL = "no interval: too few items have several different ratings"
ONE_POINT = "the scale has only one value, so raters cannot disagree"


def _measures(data: Judgements) -> list[_Named]:
    identity, graded = np.eye(len(data.values)), quadratic(data.values)
    named = [
        _Named(f"alpha {level}", partial(alpha, level=level), _zero, ONE_VALUE)
        for level in ("nominal", "ordinal", "interval")
    ]
    for name, w in zip(SHARES, (identity, within_one(data.values)), strict=True):
        named.append(_Named(name, partial(pair_agreement, weights=w), partial(pair_agreement_by_chance, weights=w), ""))
    for name, w in (("AC1", identity), ("AC2 quadratic", graded)):
        named.append(_Named(name, partial(gwet, weights=w), partial(gwet_by_chance, weights=w), ONE_POINT))
    return named


def _zero(_: Judgements, drawn: Ints) -> Floats:
    return np.zeros(len(drawn))  # agreement by chance is 0 here, because alpha is already corrected for chance


def _bootstrap(data: Judgements, measures: Sequence[_Named], draws: int, seed: int) -> Floats:
    """Return every coefficient for bootstrap draws of the units, shape (draws, measures).

    All coefficients use the same draws.
    """
    batches = draw_kinds(data.frequency, draws, seed)
    return np.vstack([np.column_stack([m.observed(data, drawn) for m in measures]) for drawn in batches])


def _coefficient(data: Judgements, measure: _Named, drawn: Floats) -> Coefficient:
    if data.shared_units == 0:
        return Coefficient(measure.name, None, None, None, None, "no item was rated by two raters")
    once = data.frequency[None, :]
    value = float(measure.observed(data, once)[0])
    if np.isnan(value):
        return Coefficient(measure.name, None, None, None, None, measure.undefined)
    chance = float(measure.chance(data, once)[0])
    interval = percentile_interval(drawn)
    if interval is None:
        return Coefficient(measure.name, value, None, None, chance, NO_INTERVAL)
    return Coefficient(measure.name, value, interval.low, interval.high, chance)
