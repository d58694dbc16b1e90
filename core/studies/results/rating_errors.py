"""Compare ratings of explanations with the errors of their scores, as in EXPERT's Appendix H.

The first table shows whether explanations are worse where scores are wrong, the second how explanations with each error
code were rated.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import scipy

from core.analysis.error_coding import CodedSet
from core.statistics.influence import wilson
from core.statistics.significance import ROUNDING, holm
from core.studies.asking.criteria import ABSTAIN


@dataclass(frozen=True, slots=True)
class MeanRating:
    """An explanation's mean point on a criterion, over raters and without abstentions."""

    metric: str  # name of the metric as results show it
    criterion: str
    sample: str  # key
    mean: float


def mean_ratings(ratings: pd.DataFrame) -> tuple[MeanRating, ...]:
    """Return mean ratings in order of first appearance (see core.studies.results.report)."""
    given = ratings[ratings["rating"] > ABSTAIN]
    means = given.groupby(["label", "criterion", "sample"], sort=False)["rating"].mean()
    keys = means.index.to_frame().itertuples(index=False, name=None)
    named = zip(keys, means.tolist(), strict=True)
    return tuple(MeanRating(label, criterion, sample, mean) for (label, criterion, sample), mean in named)


@dataclass(frozen=True, slots=True)
class RatedError:
    """An explanation's mean rating, and the error of the explained score.

    Scores and human judgements are in [0, 1].
    """

    metric: str
    criterion: str
    rating: float  # mean point over raters, without abstentions
    error: float  # |score - human|, [0, 1]


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


def rating_error_table(rated: Iterable[RatedError], low: Mapping[str, float]) -> tuple[RatingErrorRow, ...]:
    """Return one row per metric and criterion, in order of first appearance.

    The p values are of Kendall's tau-b between mean rating and |score - human|, two-sided, with Holm's correction over
    all rows. low: for each criterion, the highest mean
    point that counts as low. Low is the lower half of the scale. (EXPERT, Appendix H, counts ratings of 2 and less as
    low on a scale of four points.)
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
    share: float | None  # low / rated, [0, 1]; None: no sample is rated
    ci_low: float | None  # lower end of the share's 95 % interval (Wilson), [0, 1]
    ci_high: float | None


def coded_rating_table(
    means: Iterable[MeanRating], coded: Mapping[str, CodedSet], low: Mapping[str, float]
) -> tuple[CodedRatingRow, ...]:
    """Return a row for each metric, criterion and error code that occurs.

    The codes are in the order of the codebook (the list of error codes). coded: the samples with their error codes, for
    each metric by its name in the study's results. low: for each criterion, the highest mean rating that counts as low.
    The function rating_error_table uses the same limits.
    """
    cells: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for one in means:
        if one.metric in coded:
            cells[one.metric, one.criterion][one.sample] = one.mean
    found = []
    for (metric, criterion), mean_of in cells.items():
        samples: dict[str, set[str]] = defaultdict(set)
        for coding in coded[metric].codings:
            samples[coding.code].add(coding.sample)
        for code in coded[metric].codebook.codes:
            if of_code := samples[code.key]:
                given = np.round([mean_of[key] for key in of_code if key in mean_of], ROUNDING)
                lows = int((given <= low[criterion]).sum())
                found.append(_coded_row((metric, criterion, code.label), len(of_code), len(given), lows))
    return tuple(found)


def _coded_row(names: tuple[str, str, str], coded: int, rated: int, lows: int) -> CodedRatingRow:
    share = lows / rated if rated else None
    interval = None if share is None else wilson(share, rated)
    ends = (None, None) if interval is None else (interval.low, interval.high)
    return CodedRatingRow(*names, coded, rated, lows, share, *ends)
