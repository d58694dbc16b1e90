"""Agreement between a study's raters: all coefficients, for each criterion and metric.

The unit (thing rated) is an explanation. So an item has one unit per metric. Abstentions are not points of the scale,
so they count as missing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.statistics.bootstrap import SEED
from core.statistics.rater_agreement import DRAWS, Agreement, agreement
from core.studies.asking.criteria import ABSTAIN
from core.studies.results.rating_columns import by_first, numbered
from core.studies.results.report import Rated, RatingRow, rated


@dataclass(frozen=True, slots=True)
class CriterionAgreement:
    """Raters' agreement on one criterion, for one metric's explanations or for all explanations."""

    criterion: str
    metric: str | None  # name of the metric; None: all metrics together
    agreement: Agreement


def study_agreement(
    ratings: Iterable[RatingRow] | Rated, scales: Mapping[str, Sequence[int]], draws: int = DRAWS, seed: int = SEED
) -> tuple[CriterionAgreement, ...]:
    """Return the agreement of a study's raters.

    scales: each criterion's points, without abstention. For a criterion that is not in `scales`, only the points that
    raters gave are used. For each criterion, the first result is for all metrics together. With several metrics, one
    result per metric follows, in order of first appearance. Raises BadData.
    """
    every = rated(ratings)
    given = every.where(every.point > ABSTAIN)
    agreements = []
    for first in given.criterion[by_first(given.criterion)].tolist():
        rows, criterion = given.where(given.criterion == first), given.criteria[first]
        metrics = rows.metric[by_first(rows.metric)].tolist()
        for metric in [None, *(metrics if len(metrics) > 1 else [])]:
            chosen = rows if metric is None else rows.where(rows.metric == metric)
            name = None if metric is None else rows.metrics[metric]
            agreements.append(CriterionAgreement(criterion, name, _of(chosen, scales.get(criterion), draws, seed)))
    return tuple(agreements)


def _of(rows: Rated, scale: Sequence[int] | None, draws: int, seed: int) -> Agreement:
    raters = np.array(rows.raters, object)[rows.rater]
    return agreement(numbered(rows.item, rows.metric), raters, rows.point, scale=scale, draws=draws, seed=seed)
