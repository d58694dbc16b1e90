"""Measure how each rater judges sentences.

The measures are the number of sentences, the share that the rater calls wrong, and the agreement with others.
"""

from typing import get_args

import numpy as np

from core.arrays import Ints
from core.studies.asking.verdicts import Verdict
from core.studies.rater_quality.alpha_without import alpha_without
from core.studies.rater_quality.types import ITEM, GivenItems, RaterVerdicts, StudyVerdicts, Verdicts

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_WRONG = VERDICTS.index("wrong")


def verdict_quality(given: GivenItems, verdicts: Verdicts, raters: int) -> StudyVerdicts:
    """Measure the verdicts of all raters, 0 to raters - 1. Gold, repeated and practice items are excluded."""
    own = given.role[verdicts.given] == ITEM
    rater, unit, verdict = given.rater[verdicts.given][own], verdicts.unit[own], verdicts.verdict[own]
    counts = given.counts[verdicts.given][own]
    alphas = alpha_without(rater[counts], unit[counts], verdict[counts], len(VERDICTS), raters, "nominal")
    table = np.zeros((unit.max(initial=-1) + 1, len(VERDICTS)), dtype=np.int64)  # counts by sentence and verdict
    np.add.at(table, (unit[counts], verdict[counts]), 1)
    compared = table.sum(axis=1)[unit] - counts
    agreed = table[unit, verdict] - counts
    sums = [_sums(rater, values, raters) for values in (np.ones_like(unit), verdict == _WRONG, compared, agreed)]
    return StudyVerdicts(
        alpha=_defined(alphas[0]),
        raters=tuple(
            RaterVerdicts(
                sentences=int(judged),
                wrong=_share(wrong, judged),
                compared=int(pairs),
                agreed=_share(equal, pairs),
                alpha_without=_defined(alphas[1 + n]),
            )
            for n, (judged, wrong, pairs, equal) in enumerate(zip(*sums, strict=True))
        ),
    )


def _sums(rater: Ints, values: Ints, raters: int) -> Ints:
    counts: Ints = np.bincount(rater, values, minlength=raters).astype(np.int64)
    return counts


def _share(part: int, whole: int) -> float | None:
    return float(part / whole) if whole else None


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
