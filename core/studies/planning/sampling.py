"""Seeded random draws of items from groups (strata), as in EXPERT, Appendix C.

The same number of items is drawn for each interval of scores, or for each human score.
"""

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

from core.errors import NotEnoughSamples

T = TypeVar("T")

SCORE_INTERVALS = ((0.0, 0.33), (0.33, 0.66), (0.66, 1.0))  # only the last interval includes its right end
SCORE_STRATA = ("[0, 0.33)", "[0.33, 0.66)", "[0.66, 1]")


def score_stratum(value: float) -> str:
    """Return the name of the interval that contains a score in [0, 1]."""
    for (_, high), name in zip(SCORE_INTERVALS, SCORE_STRATA, strict=True):
        if value < high:
            return name
    return SCORE_STRATA[-1]


def human_stratum(judgements: Sequence[float]) -> str | None:
    """Return the score on which all judges of a sample agree, e.g. "3".

    Returns None for fewer than two judgements, or if the judgements differ.
    """
    if len(judgements) < 2 or len(set(judgements)) > 1:
        return None
    return f"{judgements[0]:g}"


def quotas(size: int, strata: Sequence[str]) -> dict[str, int]:
    """Divide a number of items equally among groups (strata).

    If there is a remainder, each of the last groups gets one item more: 100 items in three groups are 33, 33 and 34.
    """
    share, left = divmod(size, len(strata))
    return {name: share + (place >= len(strata) - left) for place, name in enumerate(strata)}


def draw(groups: Mapping[str, Sequence[T]], wanted: Mapping[str, int], seed: int) -> list[tuple[str, T]]:
    """Draw wanted[name] members of each group without replacement, then shuffle all of them together.

    The same groups, in the same order, and the same seed give the same draw. Raises NotEnoughSamples, which states how
    many members each group has.
    """
    short = [name for name, count in wanted.items() if len(groups.get(name, ())) < count]
    if short:
        held = ", ".join(f"{name}: {len(groups.get(name, ()))} of {count}" for name, count in wanted.items())
        raise NotEnoughSamples(f"There are too few samples ({held}). Request fewer items or choose other strata.")
    generator = random.Random(seed)
    drawn = [(name, member) for name, count in wanted.items() for member in generator.sample(groups[name], count)]
    generator.shuffle(drawn)
    return drawn
