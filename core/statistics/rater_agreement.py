"""Agreement of raters with one another, with intervals.

The coefficients are Krippendorff's alpha, shares of agreeing pairs, and Gwet's coefficients.

If most ratings are high, raters often agree by chance alone. So each coefficient is reported together with its value
for independent raters who use each point as often as the real raters. No single coefficient is sufficient.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import Floats
from core.statistics.agreement_coefficients import by_chance, judgements, observed
from core.statistics.bootstrap import SEED, draw_kinds, percentile_interval

DRAWS = 1000
NAMES = ("alpha nominal", "alpha ordinal", "alpha interval", "exact", "within one", "AC1", "AC2 quadratic")
ONE_VALUE = "all ratings are equal, so agreement cannot be measured"
NO_INTERVAL = "no interval: too few items have several different ratings"
ONE_POINT = "the scale has only one value, so raters cannot disagree"


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One coefficient of agreement.

    The value is None if the coefficient is undefined. Then `note` gives the reason.
    """

    name: str  # one of NAMES
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
    if data.shared_units == 0:
        found = [Coefficient(name, None, None, None, None, "no item was rated by two raters") for name in NAMES]
    else:
        once = data.frequency[None, :]
        batches = draw_kinds(data.frequency, draws, seed) if data.shared_units > 1 else ()
        drawn = np.vstack([np.empty((0, len(NAMES))), *(observed(data, batch) for batch in batches)])
        values = observed(data, once)[0], by_chance(data, once)[0], drawn.T
        found = [_coefficient(*one) for one in zip(NAMES, *values, strict=True)]
    return Agreement(data.raters, data.units, data.shared_units, data.total, tuple(found))


def _coefficient(name: str, value: float, chance: float, drawn: Floats) -> Coefficient:
    if np.isnan(value):
        return Coefficient(name, None, None, None, None, ONE_VALUE if name.startswith("alpha") else ONE_POINT)
    interval = percentile_interval(drawn)
    if interval is None:
        return Coefficient(name, float(value), None, None, float(chance), NO_INTERVAL)
    return Coefficient(name, float(value), interval.low, interval.high, float(chance))
