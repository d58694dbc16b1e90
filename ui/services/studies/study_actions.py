"""Actions on studies and raters, shared by the pages and the command line."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadSetting, NotFound
from core.studies.design import State, StudyDesign
from core.studies.planning.choices import Candidate
from core.studies.planning.plan import StudyPlan, plan_study
from core.studies.results.export import ANSWERS, MEANINGS, write_ratings
from storage.study_types import Study
from ui.services.workplace import Workplace

if TYPE_CHECKING:
    import pandas as pd

    from core.studies.results.raters import RaterSummary
    from core.studies.results.report import StudyReport
    from ui.services.tables import Table


def plan(workplace: Workplace, request: StudyDesign) -> StudyPlan:
    """Draw a study's items without storing them. Raises NotFound, NotEnoughSamples, BadSetting, BadFile."""
    candidates = workplace.repository.samples.candidates(request.dataset)
    unknown = set(request.metrics) - _metrics(candidates)
    if unknown:
        there = ", ".join(sorted(_metrics(candidates))) or "none"
        by = ", ".join(sorted(unknown))
        raise NotFound(f"{request.dataset} has no explanations in words of {by}. Explanations: {there}.")
    return plan_study(request, candidates)


def create_study(workplace: Workplace, design: StudyDesign, state: State = "running") -> Study:
    """Choose a study's items at random, and store the study. Raises AlreadyExists, NotFound, NotEnoughSamples."""
    return workplace.repository.studies.add(plan(workplace, design), state)


def counted_ratings(workplace: Workplace, study: Study, every: "pd.DataFrame | None" = None) -> "pd.DataFrame":
    """Return the ratings that results include, with a name for each metric and the unit that results compare.

    every: all ratings of the study; None: read them.
    """
    from core.studies.results.report import compared, counted  # imported late, because this imports pandas

    read = workplace.repository.studies.ratings(study.id) if every is None else every
    return compared(counted(read), workplace.repository.analysis.labels(study.dataset))


def study_report(workplace: Workplace, study: Study) -> "StudyReport":
    """Summarise a study's ratings: mean ratings, intervals, abstentions, tests between metrics."""
    from core.studies.results.report import report  # imported late, because this imports pandas and scipy

    return report(counted_ratings(workplace, study))


def rater_table(workplace: Workplace, study: Study) -> "Table[RaterSummary]":
    """Return the table of a study's raters, with their flags."""
    from core.studies.results.raters import rater_summaries  # imported late, because this imports pandas
    from ui.services.studies.study_tables import RATERS
    from ui.services.tables import Table

    scales = {criterion.key: criterion.scale for criterion in study.asks.criteria}
    return Table("Raters", RATERS, list(rater_summaries(workplace.repository.studies.ratings(study.id), scales)))


def rater_answers(workplace: Workplace, study: Study, code: str) -> "Table[Any]":
    """Return the table of a rater's answers, in the order in which the rater got the items."""
    from ui.services.studies.study_tables import ANSWERED
    from ui.services.tables import Table

    ratings = workplace.repository.studies.ratings(study.id)
    mine = ratings[ratings["rater"] == code].sort_values(["place", "panel_position", "criterion"])
    seconds = mine["duration_ms"] / 1000
    return Table("Answers", ANSWERED, mine.assign(seconds=seconds).to_dict("records"))


def export_study(workplace: Workplace, study: Study, path: Path, with_answers: bool = False) -> int:
    """Write a study's ratings to a file. Return how many were written.

    The file's ending chooses the format. with_answers: also write raters' answers to the questions before and after the
    items. Raises BadSetting.
    """
    rows = workplace.repository.studies.records(study.id)
    if not with_answers:
        return write_ratings(rows, path)
    given = workplace.repository.visits.answers(study.id)
    told = {
        rater: [json.dumps(of.get(phase, {}), ensure_ascii=False) for phase in ("before", "after")]
        for rater, of in given.items()
    }
    answered = ((*row, *told.get(row.rater, ("{}", "{}"))) for row in rows)
    return write_ratings(answered, path, MEANINGS | ANSWERS)


def _metrics(candidates: Iterable[Candidate]) -> set[str]:
    return {score.metric for candidate in candidates for score in candidate.scores}


def erase_rater(workplace: Workplace, code: str, typed: str, keep_ratings: bool) -> int:
    """Erase a rater's data. Return the rater's number.

    typed: the code that the user typed again to confirm. keep_ratings: True: the ratings stay. Raises BadSetting if the
    typed code differs. Raises NotFound.
    """
    if typed.strip().upper() != code.strip().upper():
        raise BadSetting(f"To erase this rater, type the code {code} exactly. You typed {typed!r}.")
    return workplace.repository.managing.erase_rater(code, keep_ratings)
