"""Actions on studies, shared by the pages and the command line."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import BadSetting, NotFound
from core.studies.planning.choices import Candidate, regions_hint
from core.studies.planning.life_cycle import StudySchedule
from core.studies.planning.plan import StudyPlan, plan_study
from core.studies.planning.study_request import StudyRequest
from core.studies.results.check_export import CHECKS
from core.studies.results.export import ANSWERED, answered, write_records
from core.studies.results.rating_columns import RatingColumns, coded, numbered
from storage.study_types import Study
from ui.services.workplace import Workplace

if TYPE_CHECKING:
    from core.studies.results.report import Rated, StudyReport


def plan(workplace: Workplace, request: StudyRequest) -> StudyPlan:
    """Draw a study's items without storing them. Raises NotFound, NotEnoughSamples, BadSetting, BadFile."""
    candidates = workplace.repository.samples.candidates(request.dataset)
    unknown = set(request.metrics) - _metrics(candidates)
    if unknown:
        there = ", ".join(sorted(_metrics(candidates))) or "none"
        by = ", ".join(sorted(unknown))
        hint = regions_hint(candidates)
        raise NotFound(f"{request.dataset} has no explanations of {by}. Explanations: {there}.{hint}")
    return plan_study(request, candidates)


def create_study(workplace: Workplace, request: StudyRequest, course: StudySchedule | None = None) -> Study:
    """Choose a study's items at random, and store the study.

    course: the study's schedule; by default the study starts immediately. Raises AlreadyExists, NotFound,
    NotEnoughSamples.
    """
    return workplace.repository.studies.add(plan(workplace, request), course or StudySchedule())


def study_report(workplace: Workplace, study: Study, every: RatingColumns | None = None) -> "StudyReport":
    """Summarise a study's ratings: mean ratings, intervals, abstentions, tests between metrics.

    every: all ratings; None: read them.
    """
    from core.studies.results.report import report  # imported late, because this imports pandas and scipy

    counted = (workplace.repository.studies.columns(study.id) if every is None else every).counted()
    return report(rated(workplace, study.dataset, counted))


def rated(workplace: Workplace, dataset: str, ratings: RatingColumns) -> "Rated":
    """Convert a study's ratings into the columns that the statistics need.

    A metric that was run with several settings becomes several metrics, each with its own name. Rated captions belong
    to no metric. In place of a metric's name they have the name "caption", "caption 1" or "caption 2", as in the
    export.

    Statistics usually compare ratings of the same sample. But in some studies a rater judged one explanation in several
    items, beside explanations of different metrics. For such studies, statistics compare ratings of the same item.
    """
    from core.studies.results.report import Rated

    labels = workplace.repository.analysis.labels(dataset)
    metric, metrics = coded([labels.get(one, one[0]) for one in ratings.explanations])
    meetings = numbered(ratings.sample, ratings.explanation, ratings.rater, ratings.criterion)
    is_paired = len(ratings) > 0 and int(meetings.max()) + 1 < len(ratings)
    return Rated(
        item=ratings.item if is_paired else ratings.sample,
        metric=metric[ratings.explanation],
        rater=ratings.rater,
        criterion=ratings.criterion,
        point=ratings.point,
        metrics=metrics,
        raters=ratings.raters,
        criteria=ratings.criteria,
    )


def export_study(workplace: Workplace, study: Study, path: Path, with_answers: bool = False) -> int:
    """Write a study's ratings to a file. Return how many were written.

    The file's ending chooses the format. with_answers: also write raters' answers to the questions before and after the
    items. Raises BadSetting.
    """
    repository = workplace.repository
    if not with_answers:
        return write_records(repository.studies.records(study.id), path)
    self_answers = repository.visits.answers(study.id)
    return write_records(answered(repository.studies.records(study.id), self_answers), path, ANSWERED)


def export_checks(workplace: Workplace, study: Study, path: Path) -> int:
    """Write the answers to a study's comprehension check to a file.

    Return the number of answers. Raises BadSetting.
    """
    if not study.asks.check:
        raise BadSetting(
            f"The form {study.asks.key} of {study.name} has no comprehension check. Export the ratings instead."
        )
    return write_records(workplace.repository.checks.records(study.id), path, CHECKS)


def _metrics(candidates: Iterable[Candidate]) -> set[str]:
    return {score.metric for candidate in candidates for score in candidate.scores}
