"""The mean rating of each explanation on each criterion."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.studies.asking.criteria import ABSTAIN
from core.studies.results.rating_columns import RatingColumns, by_first, numbered

if TYPE_CHECKING:
    from core.studies.results.report import Rated


@dataclass(frozen=True, slots=True)
class MeanRating:
    """An explanation's mean point on a criterion, over raters and without abstentions."""

    metric: str  # name of the metric as results show it
    criterion: str
    sample: str  # key
    mean: float


def mean_ratings(ratings: RatingColumns, rows: "Rated") -> Iterator[MeanRating]:
    """Yield mean ratings in order of first appearance.

    ratings: all fields of the ratings. rows: the same ratings, with only the fields for statistics.
    """
    given = np.flatnonzero(rows.point > ABSTAIN)
    explained = numbered(rows.metric[given], rows.criterion[given], ratings.sample[given])
    sums, counts = np.bincount(explained, weights=rows.point[given]), np.bincount(explained)
    for n in by_first(explained).tolist():
        one = given[n]
        metric, criterion = rows.metrics[rows.metric[one]], rows.criteria[rows.criterion[one]]
        mean = float(sums[explained[n]] / counts[explained[n]])
        yield MeanRating(metric, criterion, ratings.samples[ratings.sample[one]], mean)
