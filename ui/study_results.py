"""A study's results in one value: means and tests, agreement between raters, ratings beside score errors."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from core.criteria import ABSTAIN, criterion_named
from core.export import RatingRecord
from core.score_table import ScoreTable
from storage.values import Study
from ui.services import Workplace

if TYPE_CHECKING:
    from core.rating_errors import RatedError


def study_results(workplace: Workplace, study: Study) -> dict[str, Any]:
    """Return everything computed of a study, as plain values; None where undefined, with a note."""
    # pandas and scipy load only where they are needed
    from core.published import PUBLISHED_RATINGS
    from core.rating_errors import TEST, rating_error_table
    from core.report import RatingRow, report
    from core.study_agreement import study_agreement

    records = list(workplace.repository.studies.records(study.id))
    rows = [RatingRow(r.sample, r.metric, r.rater, r.criterion, r.rating) for r in records]
    scales = {key: _points(key) for key in study.criteria}
    table = workplace.repository.analysis.table(study.dataset)
    errors = rating_error_table(_rated_errors(records, table))
    return {
        "study": study.name,
        "dataset": study.dataset,
        "notice": study.notice,
        "overlay": study.overlay,
        "ratings": len(records),
        "raters": len({record.rater for record in records}),
        **report(rows).as_json(),
        "agreement": [one.as_json() for one in study_agreement(rows, scales)],
        "rating_errors": [row.as_json() for row in errors],
        "rating_errors_test": TEST,
        "published": [asdict(one) for one in PUBLISHED_RATINGS],
    }


def _points(criterion: str) -> list[int]:
    return sorted(g.point for g in criterion_named(criterion).guidelines if g.point != ABSTAIN)


def _rated_errors(records: Sequence[RatingRecord], table: ScoreTable) -> "Iterator[RatedError]":
    """Yield each rated explanation's mean rating beside its score's error, where its sample was judged by people."""
    from core.rating_errors import RatedError

    place = {key: number for number, key in enumerate(table.keys)}
    points: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for record in records:
        # A metric under several settings stands in the table by its signatures.
        metric = record.metric if record.metric in table.metrics else record.signature
        if record.rating != ABSTAIN:
            points[metric, record.criterion, record.sample].append(record.rating)
    for (metric, criterion, sample), given in points.items():
        error = abs(float(table.error(metric)[place[sample]]))
        if np.isfinite(error):
            yield RatedError(metric, criterion, sum(given) / len(given), error)
