"""Compare ratings of explanations with the errors of their scores, as in EXPERT's Appendix H.

The first table shows whether explanations are worse where scores are wrong, the second how explanations with each error
code were rated.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import scipy

from core.analysis.error_coding import CodedSet
from core.statistics.influence import wilson
from core.statistics.significance import ROUNDING, holm
from core.studies.asking.criteria import ABSTAIN


def mean_ratings(ratings: pd.DataFrame) -> pd.DataFrame:
    """Return each explanation's mean point on a criterion, over raters and without abstentions.

    Its columns are metric (the name that results show), criterion, sample (key) and rating, in order of first
    appearance.
    """
    given = ratings[ratings["rating"] > ABSTAIN]
    means = given.groupby(["label", "criterion", "sample"], sort=False)["rating"].mean()
    return means.rename_axis(index={"label": "metric"}).reset_index()


@dataclass(frozen=True, slots=True)
class RatingErrorRow:
    """How ratings and score errors relate, for one metric and criterion.

    A value is None if it is undefined; see `note` for the reason.
    """

    metric: str
    criterion: str
    n: int  # number of rated explanations whose sample has a human score
    n_low: int  # number of explanations in `n` whose mean rating is in the lower half of the scale
    error_low: float | None  # mean error of the `n_low` explanations with low ratings; None: there are none
    error_other: float | None  # mean error of the rated explanations that are not in n_low; None: no such explanation
    tau_b: float | None  # Kendall's tau-b of ratings and errors; negative: low ratings occur with large errors
    p: float | None
    p_holm: float | None
    note: str = ""


def rating_error_table(rated: pd.DataFrame, low: Mapping[str, float]) -> tuple[RatingErrorRow, ...]:
    """Return one row per metric and criterion, in order of first appearance.

    The p values are of Kendall's tau-b between mean rating and |score - human|, two-sided, with Holm's correction over
    all rows. rated: mean ratings, with a column `error`, the error of the explained score in [0, 1]. low: for each
    criterion, the highest mean point that counts as low. Low is the lower half of the scale. (EXPERT, Appendix H,
    counts ratings of 2 and less as low on a scale of four points.)
    """
    cells = rated.groupby(["metric", "criterion"], sort=False)
    rows = [_row(metric, criterion, cell, low[criterion]) for (metric, criterion), cell in cells]
    adjusted = holm([row.p for row in rows])
    return tuple(replace(row, p_holm=p) for row, p in zip(rows, adjusted, strict=True))


def _row(metric: str, criterion: str, cell: pd.DataFrame, lower_half: float) -> RatingErrorRow:
    rating, error = (np.round(cell[name].to_numpy(float), ROUNDING) for name in ("rating", "error"))
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
    result = scipy.stats.kendalltau(rating, error)
    return float(result.statistic), float(result.pvalue), ""


def _mean(values: "np.ndarray[Any, Any]") -> float | None:
    return float(values.mean()) if len(values) else None


@dataclass(frozen=True, slots=True)
class CodedRatingRow:
    """The ratings of explanations with one error code, for one metric and criterion."""

    metric: str
    criterion: str
    code: str  # name of the error code
    coded: int  # number of samples to which at least one person assigned the error code
    rated: int  # number of samples with the code and a rated explanation
    low: int  # number of samples with the error code and a mean rating in the lower half of the scale
    share: float | None = None  # low / rated, [0, 1]; None: no sample is rated
    ci_low: float | None = None  # lower end of the share's 95 % interval (Wilson), [0, 1]
    ci_high: float | None = None


def coded_rating_table(
    means: pd.DataFrame, coded: Mapping[str, CodedSet], low: Mapping[str, float]
) -> tuple[CodedRatingRow, ...]:
    """Return a row for each metric, criterion and error code that occurs.

    The codes are in the order of the codebook (the list of error codes). means: mean ratings. coded: the samples with
    their error codes, for each metric by its name in the study's results. low: for each criterion, the highest mean
    rating that counts as low. The function rating_error_table uses the same limits.
    """
    found = []
    for (metric, criterion), cell in means.groupby(["metric", "criterion"], sort=False):
        if metric not in coded:
            continue
        samples: dict[str, set[str]] = defaultdict(set)
        for coding in coded[metric].codings:
            samples[coding.code].add(coding.sample)
        for code in coded[metric].codebook.codes:
            if of_code := samples[code.key]:
                given = np.round(cell.loc[cell["sample"].isin(of_code), "rating"].to_numpy(float), ROUNDING)
                lows = int((given <= low[criterion]).sum())
                interval = wilson(lows / max(1, len(given)), len(given))
                ends = () if interval is None else (lows / len(given), interval.low, interval.high)
                found.append(CodedRatingRow(metric, criterion, code.label, len(of_code), len(given), lows, *ends))
    return tuple(found)
