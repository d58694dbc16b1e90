"""Agreement between the raters of a study: every coefficient, for each criterion and metric.

Rating an explanation is judging a unit: the same item under two metrics is two units. Abstentions are no
points of the scale, so they count as missing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.statistics.agreement import DRAWS, Agreement, agreement
from core.statistics.bootstrap import SEED
from core.studies.asking.criteria import ABSTAIN
from core.studies.results.rating_columns import by_first, numbered
from core.studies.results.report import Rated, RatingRow, rated


@dataclass(frozen=True, slots=True)
class CriterionAgreement:
    """How far raters agree on one criterion, about one metric's explanations or about all."""

    criterion: str
    metric: str | None  # None: all metrics together
    agreement: Agreement


def study_agreement(
    ratings: Iterable[RatingRow] | Rated, scales: Mapping[str, Sequence[int]], draws: int = DRAWS, seed: int = SEED
) -> tuple[CriterionAgreement, ...]:
    """Return the agreement of a study's raters; `scales` names every criterion's points, abstention left out.

    Per criterion, all metrics together come first, then each metric where there are several, in order of
    first appearance. A criterion that `scales` does not name has the points that occur. Raises BadData.
    """
    every = rated(ratings)
    given = every.where(every.point > ABSTAIN)
    found = []
    for first in given.criterion[by_first(given.criterion)].tolist():
        rows, criterion = given.where(given.criterion == first), given.criteria[first]
        metrics = rows.metric[by_first(rows.metric)].tolist()
        for metric in [None, *(metrics if len(metrics) > 1 else [])]:
            chosen = rows if metric is None else rows.where(rows.metric == metric)
            name = None if metric is None else rows.metrics[metric]
            found.append(CriterionAgreement(criterion, name, _of(chosen, scales.get(criterion), draws, seed)))
    return tuple(found)


def _of(rows: Rated, scale: Sequence[int] | None, draws: int, seed: int) -> Agreement:
    raters = np.array(rows.raters, object)[rows.rater]
    return agreement(numbered(rows.item, rows.metric), raters, rows.point, scale=scale, draws=draws, seed=seed)
