"""Do explanations fail where scores fail? Ratings of a study beside the errors of the scores they explain."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy

from core.statistics.significance import ROUNDING, holm

TEST = "Kendall's tau-b between mean rating and |score - human|, two-sided, Holm over all rows"


@dataclass(frozen=True, slots=True)
class RatedError:
    """An explanation's mean rating beside its score's error. Scores and human judgements are both on [0, 1]."""

    metric: str
    criterion: str
    rating: float  # mean point over raters, abstentions left out
    error: float  # |score - human|, [0, 1]


@dataclass(frozen=True, slots=True)
class RatingErrorRow:
    """One metric and criterion. None: undefined, for the reason in `note`."""

    metric: str
    criterion: str
    n: int  # rated explanations whose sample has a human score
    n_low: int  # of those, mean rating in the scale's lower half
    error_low: float | None  # their mean error; None: there are none
    error_other: float | None  # mean error of the others; None: there are none
    tau_b: float | None  # negative: low ratings go with large errors
    p: float | None
    p_holm: float | None
    note: str = ""


def rating_error_table(rated: Iterable[RatedError], low: Mapping[str, float]) -> tuple[RatingErrorRow, ...]:
    """Return one row a metric and criterion, in order of first appearance; TEST says which test.

    `low` says up to which mean point a rating on a criterion is low: its scale's lower half (EXPERT, Appendix H,
    looks at ratings of 2 and less on a scale of four points).
    """
    cells: dict[tuple[str, str], list[RatedError]] = defaultdict(list)
    for one in rated:
        cells[one.metric, one.criterion].append(one)
    rows = [_row(metric, criterion, cell, low[criterion]) for (metric, criterion), cell in cells.items()]
    adjusted = holm([row.p for row in rows])
    return tuple(replace(row, p_holm=p) for row, p in zip(rows, adjusted, strict=True))


def _row(metric: str, criterion: str, cell: Sequence[RatedError], lower_half: float) -> RatingErrorRow:
    rating = np.round([one.rating for one in cell], ROUNDING)
    error = np.round([one.error for one in cell], ROUNDING)
    low = rating <= lower_half
    tau, p, note = _tau(rating, error)
    return RatingErrorRow(
        metric, criterion, len(cell), int(low.sum()), _mean(error[low]), _mean(error[~low]), tau, p, None, note
    )


def _tau(rating: "np.ndarray[Any, Any]", error: "np.ndarray[Any, Any]") -> tuple[float | None, float | None, str]:
    if len(rating) < 3:
        return None, None, "fewer than three rated explanations with a human score"
    if np.ptp(rating) == 0:
        return None, None, "all explanations have the same mean rating"
    if np.ptp(error) == 0:
        return None, None, "all scores have the same error"
    found = scipy.stats.kendalltau(rating, error)
    return float(found.statistic), float(found.pvalue), ""


def _mean(values: "np.ndarray[Any, Any]") -> float | None:
    return float(values.mean()) if len(values) else None
