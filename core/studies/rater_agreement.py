"""Agreement between the raters of a study: every coefficient, for each criterion and metric.

Rating an explanation is judging a unit: the same item under two metrics is two units. Abstentions are no
points of the scale, so they count as missing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.statistics.agreement import DRAWS, Agreement, agreement
from core.statistics.bootstrap import SEED
from core.studies.criteria import ABSTAIN
from core.studies.report import RatingRow


@dataclass(frozen=True, slots=True)
class CriterionAgreement:
    """How far raters agree on one criterion, about one metric's explanations or about all."""

    criterion: str
    metric: str | None  # None: all metrics together
    agreement: Agreement

    def as_json(self) -> dict[str, Any]:
        """Return the fields as plain values; None where undefined, never NaN."""
        return {"criterion": self.criterion, "metric": self.metric} | self.agreement.as_json()


def study_agreement(
    ratings: Iterable[RatingRow], scales: Mapping[str, Sequence[int]], draws: int = DRAWS, seed: int = SEED
) -> tuple[CriterionAgreement, ...]:
    """Return the agreement of a study's raters; `scales` names every criterion's points, abstention left out.

    Per criterion, all metrics together come first, then each metric where there are several, in order of
    first appearance. A criterion that `scales` does not name has the points that occur. Raises BadData.
    """
    given = [rating for rating in ratings if rating.point > ABSTAIN]
    criteria = list(dict.fromkeys(rating.criterion for rating in given))
    found = []
    for criterion in criteria:
        rows = [rating for rating in given if rating.criterion == criterion]
        metrics = list(dict.fromkeys(rating.metric for rating in rows))
        for metric in [None, *(metrics if len(metrics) > 1 else [])]:
            chosen = [row for row in rows if metric in (None, row.metric)]
            found.append(CriterionAgreement(criterion, metric, _of(chosen, scales.get(criterion), draws, seed)))
    return tuple(found)


def _of(rows: Sequence[RatingRow], scale: Sequence[int] | None, draws: int, seed: int) -> Agreement:
    numbers: dict[tuple[int | str, str], int] = {}
    units = [numbers.setdefault((row.item, row.metric), len(numbers)) for row in rows]
    return agreement(
        units, [row.rater for row in rows], [row.point for row in rows], scale=scale, draws=draws, seed=seed
    )
