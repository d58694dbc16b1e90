"""A study's results: mean ratings, tests, agreement of raters, and ratings compared with score errors and codes."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd

from core.analysis.score_table import ScoreTable
from core.studies.asking.criteria import Criterion
from core.studies.results.flow import FlowStep, participant_flow
from core.studies.results.methods import Fact, methods, paragraph
from core.studies.results.raters import RaterSummary, rater_summaries
from core.studies.results.rating_errors import (
    CodedRatingRow,
    RatingErrorRow,
    coded_rating_table,
    mean_ratings,
    rating_error_table,
)
from core.studies.results.report import (
    MetricComparison,
    PointShare,
    PositionEffect,
    position_effects,
    rating_distribution,
    report,
    study_agreement,
)
from storage.study_types import Study
from ui.services.studies import study_actions as services
from ui.services.studies.study_tables import (
    FLOW,
    METHODS,
    POSITIONS,
    RATERS,
    RATING_ERRORS,
    agreement_table,
    distribution_table,
    left_out_table,
    ratings_table,
    tests_table,
)
from ui.services.tables import INTERVAL, Column, Table, count, text
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
    positions: Table[PositionEffect]
    rater_table: Table[RaterSummary]
    rating_errors: Table[RatingErrorRow]
    left_out: Table[Any]
    flow: Table[FlowStep]  # number of participants at each step, from arrival to the end
    methods: Table[Fact]  # how the study was made and carried out

    @property
    def tables(self) -> list[Table[Any]]:
        """All tables, in the order in which pages show them."""
        values = (getattr(self, one.name) for one in fields(self))
        return [value for value in values if isinstance(value, Table)]


def study_results(workplace: Workplace, study: Study, table: ScoreTable) -> StudyResults:
    """Return all results of a study.

    A metric with several settings counts as several metrics with separate names.
    """
    every = workplace.repository.studies.ratings(study.id)
    rows = services.counted_ratings(workplace, study, every)
    criteria = study.asks.criteria
    summary = report(rows)
    metrics = dict(zip(rows["label"], rows["metric"], strict=True))
    scales = {criterion.key: criterion.scale for criterion in criteria}
    errors = rating_error_table(_rated_errors(rows, table), {criterion.key: criterion.low for criterion in criteria})
    shares = rating_distribution(rows, {criterion.key: criterion.points for criterion in criteria})
    flow = participant_flow(workplace.repository.participants.of(study.id))
    return StudyResults(
        study=study,
        ratings=len(rows),
        raters=rows["rater"].nunique(),
        paragraph=paragraph(study, flow, every),
        means=ratings_table(summary, criteria, metrics),
        tests=tests_table(summary),
        distribution=distribution_table(shares),
        agreement=agreement_table(study_agreement(rows, scales)),
        positions=Table("Effect of the position on the page", POSITIONS, list(position_effects(rows, scales))),
        rater_table=Table("Raters", RATERS, list(rater_summaries(every, scales))),
        rating_errors=Table("Ratings and score errors", RATING_ERRORS, list(errors)),
        left_out=left_out_table(every),
        flow=Table("Participant flow", FLOW, list(flow)),
        methods=Table("Methods", METHODS, list(methods(study, flow, every))),
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


def low_text(criteria: Iterable[Criterion]) -> str:
    """Return which mean ratings count as low, such as "2 or less".

    If the criteria have several scales, the text names each scale.
    """
    low = {criterion.scale: criterion for criterion in criteria}
    if len(low) == 1:
        return "".join(f"{criterion.low} or less" for criterion in low.values())
    return ", ".join(f"{one.low} or less on the scale {one.scale_name}" for one in low.values())


def _rated_errors(ratings: pd.DataFrame, table: ScoreTable) -> pd.DataFrame:
    """Return mean ratings, each with the explained score's error: its distance from the human judgement.

    Ratings of samples without human judgements, and of captions without a score, are omitted.
    """
    errors = {
        column.label: dict(zip(table["key"], np.abs(table.error(name)), strict=True))
        for name, column in table.metrics.items()
    }
    means = mean_ratings(ratings)
    found = [errors.get(one, {}).get(key, np.nan) for one, key in zip(means["metric"], means["sample"], strict=True)]
    rated = means.assign(error=np.array(found, float))
    return rated[np.isfinite(rated["error"])]


def coded_ratings(workplace: Workplace, study: Study, codebook: str) -> Table[CodedRatingRow]:
    """Return how many explanations with each error code have low ratings.

    An explanation counts as low if the mean of its ratings is low. An error code is a category of a metric's errors.
    Coders assign it to a sample and a metric, with any settings of the metric. So it applies to the explanations of all
    settings of the metric. Raises NotFound for an unknown codebook.
    """
    ratings = services.counted_ratings(workplace, study)
    labels = workplace.repository.analysis.labels(study.dataset)
    sets = {name: workplace.repository.codings.coded(study.dataset, name, codebook) for name, _ in labels}
    rows = coded_rating_table(
        mean_ratings(ratings),
        {label: sets[name] for (name, _), label in labels.items()},
        {criterion.key: criterion.low for criterion in study.asks.criteria},
    )
    footnote = (
        f"An explanation counts as low if its mean rating is {low_text(study.asks.criteria)}. A sample with several "
        "codes counts for each of them. Intervals are Wilson intervals."
        if rows
        else f"No rated explanation is from a metric whose errors were coded with {codebook}."
    )
    return Table("Low ratings by error code", _COLUMNS, list(rows), footnote)


_COLUMNS = (
    text("error code", "code"),
    text("metric", "metric"),
    text("criterion", "criterion"),
    count("coded", "coded"),
    count("rated", "rated"),
    count("low", "low"),
    Column("share", ("share",), "share", undefined="none rated"),
    Column("95 % interval", INTERVAL, "interval", 2, brief=False),
)
