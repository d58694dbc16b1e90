"""A study's results in one value: means and tests, agreement between raters, ratings beside score errors."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from threading import Lock

import numpy as np

from core.analysis.score_table import ScoreTable
from core.benchmarks.published import PUBLISHED_RATINGS
from core.studies.criteria import ABSTAIN, Criterion, criterion_named
from core.studies.export import RatingRecord
from core.studies.rater_agreement import CriterionAgreement, study_agreement
from core.studies.rating_errors import TEST, RatedError, RatingErrorRow, rating_error_table
from core.studies.report import CriterionSummary, MetricComparison, PointShare, RatingRow, rating_distribution, report
from storage.types import Study
from ui.services import studies as services
from ui.services.analysis import Analyst
from ui.services.workplace import Workplace

RESULTS_KEPT = 8  # studies


@dataclass(frozen=True, slots=True)
class RatedMetric(CriterionSummary):
    """What raters said of one metric on one criterion, beside what a paper printed."""

    scale: str  # of the criterion, as people write it
    remark: str  # why a figure is undefined, or nothing
    published: str  # mean and standard deviation, and whose they are, or nothing


@dataclass(frozen=True, slots=True)
class UsedScale:
    """A scale of points, and the criteria that are answered on it."""

    points: tuple[int, ...]  # without abstention, ascending
    criteria: list[str]


@dataclass(frozen=True, slots=True)
class StudyResults:
    """Everything computed of a study; None where undefined, with a note."""

    study: str
    dataset: str
    notice: str
    overlay: bool
    ratings: int
    raters: int
    scales: list[UsedScale]
    rows: list[RatedMetric]
    tests: tuple[MetricComparison, ...]
    distribution: tuple[PointShare, ...]
    agreement: tuple[CriterionAgreement, ...]
    rating_errors: tuple[RatingErrorRow, ...]
    rating_errors_test: str
    low: str  # which mean ratings are low


class StudyDesk:
    """Works out studies' results; remembers them until somebody rates or an import changes the data."""

    def __init__(self, analyst: Analyst) -> None:
        self._analyst = analyst
        self._turn = Lock()  # one thread computes, the others then find it done
        self._results = lru_cache(RESULTS_KEPT)(self._compute)

    def results(self, study_id: int) -> StudyResults:
        """Return a study's results. Raises NotFound."""
        repository = self._analyst.workplace.repository
        study = repository.studies.get(study_id)
        with self._turn:
            return self._results(study, self._analyst.stamp(study.dataset), repository.analysis.ratings_stamp())

    def _compute(self, study: Study, _stamp: Hashable, _rated: Hashable) -> StudyResults:
        return study_results(self._analyst.workplace, study, self._analyst.table(study.dataset))


def study_results(workplace: Workplace, study: Study, table: ScoreTable) -> StudyResults:
    """Return everything computed of a study.

    A metric that was rated under several settings is several metrics here, each with a name of its own.
    """
    records = list(workplace.repository.studies.records(study.id))
    rows = services.rating_rows(workplace, study.dataset, records)
    asked = {key: criterion_named(key) for key in study.criteria}
    summary = report(rows)
    metrics = {row.metric: record.metric for row, record in zip(rows, records, strict=True)}
    points = {key: criterion.points for key, criterion in asked.items()}
    scales = {key: criterion.scale for key, criterion in asked.items()}
    low = {key: criterion.low for key, criterion in asked.items()}
    return StudyResults(
        study=study.name,
        dataset=study.dataset,
        notice=study.notice,
        overlay=study.overlay,
        ratings=len(records),
        raters=len({record.rater for record in records}),
        scales=_scales(asked.values()),
        rows=[
            RatedMetric(
                **asdict(row),
                scale=asked[row.criterion].scale_name,
                remark=row.note,
                published=_published(metrics[row.metric], row.criterion),
            )
            for row in summary.rows
        ],
        tests=summary.tests,
        distribution=rating_distribution(rows, points),
        agreement=study_agreement(rows, scales),
        rating_errors=rating_error_table(_rated_errors(records, rows, table), low),
        rating_errors_test=TEST,
        low=_low_text(asked.values()),
    )


def _scales(criteria: Iterable[Criterion]) -> list[UsedScale]:
    """Return every scale with the criteria that are answered on it: figures show one scale each."""
    on: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for criterion in criteria:
        on[criterion.scale].append(criterion.key)
    return [UsedScale(scale, keys) for scale, keys in on.items()]


def _low_text(criteria: Iterable[Criterion]) -> str:
    """Say which means are low: "2 or less", with their scale where there are several."""
    low = {criterion.scale: criterion for criterion in criteria}
    if len(low) == 1:
        return "".join(f"{criterion.low} or less" for criterion in low.values())
    return ", ".join(f"{one.low} or less on the scale {one.scale_name}" for one in low.values())


def _published(metric: str, criterion: str) -> str:
    """Say what a paper printed for a metric's explanations, and whose they are; "" where it printed nothing."""
    for one in PUBLISHED_RATINGS:
        if (one.metric, one.criterion) == (metric, criterion):
            return f"{metric}: {one.mean:.2f} ({one.sd:.2f})"
    return ""


def _rated_errors(
    records: Sequence[RatingRecord], rows: Sequence[RatingRow], table: ScoreTable
) -> Iterator[RatedError]:
    """Yield each rated explanation's mean rating beside its score's error, where its sample was judged by people."""
    place = {key: number for number, key in enumerate(table.keys)}
    errors = {column.label: np.abs(table.error(name)) for name, column in table.metrics.items()}
    points: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for record, row in zip(records, rows, strict=True):
        if row.point != ABSTAIN:
            points[row.metric, row.criterion, record.sample].append(row.point)
    for (metric, criterion, sample), given in points.items():
        error = float(errors[metric][place[sample]])
        if np.isfinite(error):
            yield RatedError(metric, criterion, sum(given) / len(given), error)
