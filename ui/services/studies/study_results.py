"""A study's results: mean ratings, tests, and agreement of raters."""

from dataclasses import dataclass, fields
from typing import Any

from core.studies.results.flow import FlowStep, participant_flow
from core.studies.results.methods import paragraph
from core.studies.results.raters import RaterSummary, rater_summaries
from core.studies.results.report import (
    MetricComparison,
    PointShare,
    rating_distribution,
    report,
    study_agreement,
)
from storage.study_types import Study
from ui.services.studies import study_actions as services
from ui.services.studies.study_tables import (
    FLOW,
    RATERS,
    agreement_table,
    distribution_table,
    left_out_table,
    ratings_table,
    tests_table,
)
from ui.services.tables import Table
from ui.services.workplace import Workplace


@dataclass(frozen=True, slots=True)
class StudyResults:
    """All results of a study. A value in a table is None if it is undefined. A note in its row states the reason."""

    study: Study
    ratings: int
    raters: int
    paragraph: str  # how the study was made and carried out, as one paragraph
    means: Table[Any]
    tests: Table[MetricComparison]
    distribution: Table[PointShare]
    agreement: Table[Any]
    rater_table: Table[RaterSummary]
    left_out: Table[Any]
    flow: Table[FlowStep]  # number of participants at each step, from arrival to the end

    @property
    def tables(self) -> list[Table[Any]]:
        """All tables, in the order in which pages show them."""
        values = (getattr(self, one.name) for one in fields(self))
        return [value for value in values if isinstance(value, Table)]


def study_results(workplace: Workplace, study: Study) -> StudyResults:
    """Return all results of a study.

    A metric with several settings counts as several metrics with separate names.
    """
    every = workplace.repository.studies.ratings(study.id)
    rows = services.counted_ratings(workplace, study, every)
    criteria = study.asks.criteria
    summary = report(rows)
    metrics = dict(zip(rows["label"], rows["metric"], strict=True))
    scales = {criterion.key: criterion.scale for criterion in criteria}
    shares = rating_distribution(rows, {criterion.key: criterion.points for criterion in criteria})
    flow = participant_flow(workplace.repository.studies.raters(study.id))
    return StudyResults(
        study=study,
        ratings=len(rows),
        raters=rows["rater"].nunique(),
        paragraph=paragraph(study, flow, every),
        means=ratings_table(summary, criteria, metrics),
        tests=tests_table(summary),
        distribution=distribution_table(shares),
        agreement=agreement_table(study_agreement(rows, scales)),
        rater_table=Table("Raters", RATERS, list(rater_summaries(every, scales))),
        left_out=left_out_table(every),
        flow=Table("Participant flow", FLOW, list(flow)),
    )


def nothing_counts(left_out: Table[Any]) -> str:
    """Return why none of a study's ratings are included in its results. left_out: a table of the excluded ratings."""
    if left_out.rows:
        return "No rating counts so far. All ratings are from excluded raters, control items or reassigned items."
    return "Nobody has rated yet."


@dataclass(frozen=True, slots=True)
class StudySummary:
    """The main tables of a study's results."""

    nothing: str  # why no rating counts; "": some ratings count
    ratings: Table[Any]
    tests: Table[MetricComparison]
    left_out: Table[Any]


def study_summary(workplace: Workplace, study: Study) -> StudySummary:
    """Return the ratings of every metric, tests between the metrics, and the excluded ratings."""
    every = workplace.repository.studies.ratings(study.id)
    summary = report(services.counted_ratings(workplace, study, every))
    labels = {label: name for (name, _), label in workplace.repository.analysis.labels(study.dataset).items()}
    ratings, left_out = ratings_table(summary, study.asks.criteria, labels), left_out_table(every)
    return StudySummary("" if ratings.rows else nothing_counts(left_out), ratings, tests_table(summary), left_out)
