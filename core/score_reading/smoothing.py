"""Score smoothing: the expectation of a score over the probabilities of its digits.

FLEUR, Section 3.2 and Appendix B; EXPERT uses the same method. A model that writes "0.85" may have given "0.86" nearly
the same probability. So the score is 0.1 * sum(i * p_i) + 0.01 * sum(i * q_i). Here p_i is the probability of the digit
i at the first decimal, and q_i at the second. Both are probabilities over the whole vocabulary. Digits are located by
their position after the decimal point.
"""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from core.errors import NoScore
from core.score_reading.score_text import FoundScore, find_score

MEANINGS = {  # meanings of a smoothed score's components
    "raw": "The score that the model wrote, before smoothing.",
    "p": "The probability of each digit from 0 to 9 at the first decimal.",
    "q": "The probability of each digit from 0 to 9 at the second decimal; absent if the model wrote one decimal.",
    "units": "The probability of each digit before the decimal point, if the model wrote 1.0.",
    "p_mass": "Total probability of digits at the first decimal. The rest is the probability of other tokens.",
    "q_mass": "Total probability of digits at the second decimal. The rest is the probability of other tokens.",
    "units_mass": "Total probability of digits before the decimal point. The rest is the probability of other tokens.",
    "no_decimal": "1 if the model wrote 0 without decimals. Such a score is not smoothed.",
    "ambiguous": "1 if the answer contains another number that may be the score.",
}
Digits = NDArray[np.float64]  # [10], the probability of each digit's token at one step; sums to at most 1


@dataclass(frozen=True, slots=True)
class Smoothed:
    """A smoothed score and its components."""

    value: float  # [0, 1]
    raw: float  # the score as the model wrote it, [0, 1]
    components: Mapping[str, float | tuple[float, ...]]  # key: name of a component; `smooth` lists the components


def smooth(pieces: Sequence[str], digits: Sequence[Digits], half: bool = False) -> Smoothed:
    """Return the smoothed score of an answer.

    Args:
        pieces: the text of each token; together they form the answer.
        digits: for each token the probabilities of the ten digits at that step.
        half: accumulate in float16 as in the published code; else float64.

    The result has these components. ``raw`` is the score as the model wrote it. ``p`` and ``q`` are the probabilities
    of the ten digits at the first and second decimal. ``q`` is missing if the raw score has one decimal, and 0.80
    counts as one decimal. If the raw score is 1.0, ``units`` replaces both: the probabilities of the digits before the
    decimal point. ``p_mass``, ``q_mass`` and ``units_mass`` are the sums of these probabilities.

    Two flags are 1.0 if they apply. ``no_decimal``: the score is 0 without decimals, and is not smoothed.
    ``ambiguous``: another number may be the score. Raises NoScore.
    """
    found = find_score("".join(pieces))
    if found is None:
        raise NoScore("no_score", f"The answer contains no number that could be a score: {''.join(pieces).strip()!r}.")
    if not 0 <= found.value <= 1:
        message = (
            f"The score must be from 0.0 to 1.0, but the model wrote {found.value:g} in {''.join(pieces).strip()!r}."
        )
        raise NoScore("out_of_range", message)
    flags = {"ambiguous": 1.0} if found.ambiguous else {}
    if found.value == 1.0 and found.units is not None:
        units = _digits_at(found.units, pieces, digits)
        return Smoothed(smoothed_units(units, half), 1.0, {"raw": 1.0, **_described("units", units), **flags})
    if not found.decimals:
        return Smoothed(0.0, 0.0, {"raw": 0.0, "no_decimal": 1.0, **flags})
    p = _digits_at(found.decimals[0], pieces, digits)
    q = _digits_at(found.decimals[1], pieces, digits) if _has_second_decimal(found) else None
    shown = _described("p", p) | (_described("q", q) if q is not None else {})
    return Smoothed(smoothed_decimals(p, q, half), found.value, {"raw": found.value, **shown, **flags})


def smoothed_decimals(p: Digits, q: Digits | None, half: bool = False) -> float:
    """Return 0.1 * sum(i * p_i) + 0.01 * sum(i * q_i): the expected value of two decimals.

    p, q: probabilities of the ten digits at the first and the second decimal. If q is None, the second sum is missing.
    """
    weighted = [(0.1, i, p[i]) for i in range(10)] + [(0.01, i, q[i]) for i in range(10) if q is not None]
    if not half:
        return math.fsum(weight * i * float(probability) for weight, i, probability in weighted)
    total = np.float16(0)
    for weight, i, probability in weighted:
        total = np.float16(total + np.float16(float(np.float16(i * np.float16(probability))) * weight))
    return float(total)


def smoothed_units(units: Digits, half: bool = False) -> float:
    """Return 0.9 * P(0) + 1.0 * P(1), for a raw score of 1.0 (Appendix B).

    P: the probabilities of the digits before the decimal point.
    """
    if not half:
        return 0.9 * float(units[0]) + float(units[1])
    return float(np.float16(np.float16(0.9 * float(np.float16(units[0]))) + np.float16(units[1])))


def printed(value: float) -> str:
    """Return a score as the published code writes it in its prompt: a float16 with all its digits, "0.833984375"."""
    return str(float(np.float16(value)))


def _has_second_decimal(found: FoundScore) -> bool:
    """Return whether the raw score has at least two decimals. Final zeros do not count: 0.80 has one."""
    return len(found.text.partition(".")[2].rstrip("0")) > 1


def _described(name: str, digits: Digits) -> dict[str, float | tuple[float, ...]]:
    values = tuple(float(value) for value in digits)
    return {name: values, f"{name}_mass": math.fsum(values)}


def _digits_at(character: int, pieces: Sequence[str], digits: Sequence[Digits]) -> Digits:
    """Return the digit probabilities of the token that contains a character.

    character: index of the character in the answer. Raises NoScore if the token has other characters too.
    """
    token = bisect_right(list(accumulate(len(piece) for piece in pieces)), character)
    if len(pieces[token]) != 1:
        raise NoScore(
            "merged_digits",
            f"Smoothing needs one token for each digit, but the model wrote {pieces[token]!r} as one token.",
        )
    return digits[token]
