"""How explanations with each error code were rated, as in EXPERT's Appendix H."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from core.analysis.error_coding import CodedSet
from core.statistics.influence import wilson
from core.statistics.significance import ROUNDING
from core.studies.results.rating_errors import MeanRating


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
                found.append(_row((metric, criterion, code.label), len(of_code), len(given), lows))
    return tuple(found)


def _row(names: tuple[str, str, str], coded: int, rated: int, lows: int) -> CodedRatingRow:
    share = lows / rated if rated else None
    interval = None if share is None else wilson(share, rated)
    ends = (None, None) if interval is None else (interval.low, interval.high)
    return CodedRatingRow(*names, coded, rated, lows, share, *ends)
