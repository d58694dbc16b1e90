"""What reports compute, answer by answer and without arrays: the plain way, to compare the quick one with."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any

from core.statistics.rater_agreement import Agreement, agreement
from core.studies.asking.criteria import ABSTAIN
from core.studies.results.report import CriterionAgreement, Scales
from tests.core.studies.frames import RatingRow

RatingRecord = Any  # a row of the table of ratings

DRAWS, SEED = 2000, 20240101


def rater_summaries(records: Sequence[RatingRecord], scales: Scales) -> tuple[dict[str, Any], ...]:
    """Summarise each rater, by code. records: those that count."""
    asked: dict[tuple[str, ...], dict[str, float]] = defaultdict(dict)  # question -> rater -> share
    by_rater: dict[str, list[RatingRecord]] = defaultdict(list)
    for record in records:
        by_rater[record.rater].append(record)
        if record.rating > ABSTAIN:
            asked[_question(record)][record.rater] = _share(record, scales)
    return tuple(_summary(code, by_rater[code], asked, scales) for code in sorted(by_rater))


def _summary(
    code: str, records: Sequence[RatingRecord], asked: Mapping[tuple[str, ...], Mapping[str, float]], scales: Scales
) -> dict[str, Any]:
    longest: dict[int, int] = defaultdict(int)  # an item's last answer tells how long it was in sight
    for record in records:
        longest[record.item] = max(longest[record.item], record.duration_ms)
    given = [record for record in records if record.rating > ABSTAIN]
    shared = sum(len(asked[_question(record)]) > 1 for record in given)
    alone = "" if shared else "no other rater answered the same questions"
    return dict(
        rater=code,
        items=len(longest),
        n=len(records),
        abstain_rate=sum(record.rating == ABSTAIN for record in records) / len(records),
        seconds=median(longest.values()) / 1000,
        compared=shared,
        note=alone if given else "gave no rating on the scale",
    )


def _question(record: RatingRecord) -> tuple[str, ...]:
    return str(record.item), record.metric, record.signature, record.criterion


def _share(record: RatingRecord, scales: Scales) -> float:
    points = scales[record.criterion]
    return (record.rating - points[0]) / (points[-1] - points[0])


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
