"""Agreement between a study's raters: all coefficients, for each criterion and metric.

The unit (thing rated) is an explanation. So an item has one unit per metric. Abstentions are not points of the scale,
so they count as missing.
"""

from dataclasses import dataclass

import pandas as pd

from core.statistics.bootstrap import SEED
from core.statistics.rater_agreement import DRAWS, Agreement, agreement
from core.studies.asking.criteria import ABSTAIN
from core.studies.results.ratings import Scales


@dataclass(frozen=True, slots=True)
class CriterionAgreement:
    """Raters' agreement on one criterion, for one metric's explanations or for all explanations."""

    criterion: str
    metric: str | None  # name of the metric; None: all metrics together
    agreement: Agreement


def study_agreement(
    ratings: pd.DataFrame, scales: Scales, draws: int = DRAWS, seed: int = SEED
) -> tuple[CriterionAgreement, ...]:
    """Return the agreement of a study's raters (see core.studies.results.ratings).

    For a criterion that is not in `scales`, only the points that raters gave are used. For each criterion, the first
    result is for all metrics together. With several metrics, one result per metric follows, in order of first
    appearance. Raises BadData.
    """
    agreements = []
    for criterion, rows in ratings[ratings["rating"] > ABSTAIN].groupby("criterion", sort=False):
        metrics = rows["label"].unique().tolist()
        for metric in [None, *(metrics if len(metrics) > 1 else [])]:
            of = rows if metric is None else rows[rows["label"] == metric]
            units, scale = of.groupby(["unit", "label"], sort=False).ngroup(), scales.get(criterion)
            found = agreement(units, of["rater"], of["rating"], scale=scale, draws=draws, seed=seed)
            agreements.append(CriterionAgreement(criterion, metric, found))
    return tuple(agreements)
