"""A study's results: mean ratings, tests, agreement of raters, and ratings compared with score errors and codes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.score_table import ScoreTable
from core.studies.asking.criteria import Criterion
from core.studies.results.flow import FlowStep, participant_flow
from core.studies.results.methods import Fact, methods, paragraph
from core.studies.results.raters import RaterSummary, rater_summaries
from core.studies.results.rating_errors import (
    CodedRatingRow,
    RatedError,
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
    AgreementRow,
    LeftOutRow,
    RatedMetric,
    agreement_table,
    distribution_table,
    left_out_table,
    ratings_table,
    tests_table,
)
from ui.services.tables import INTERVAL, Column, Table, count, text
from ui.services.workplace import Workplace


@dataclass(frozen=True, slots=True)
class UsedScale:
    """A scale of points, and the criteria that use it."""

    points: tuple[int, ...]  # points of the scale, ascending, without the abstention
    criteria: list[str]


@dataclass(frozen=True, slots=True)
class StudyResults:
    """All results of a study. A value in a table is None if it is undefined. A note in its row states the reason."""

    study: str
    dataset: str
    notice: str
    overlay: bool
    ratings: int
    raters: int
    scales: list[UsedScale]
    means: Table[RatedMetric]
    tests: Table[MetricComparison]
    distribution: Table[PointShare]
    agreement: Table[AgreementRow]
    rating_errors: Table[RatingErrorRow]
    left_out: Table[LeftOutRow]
    flow: Table[FlowStep]  # number of participants at each step, from arrival to the end
    methods: Table[Fact]  # how the study was made and carried out
    paragraph: str  # text of the methods as one paragraph
    rater_table: Table[RaterSummary]
    positions: Table[PositionEffect]

    @property
    def nothing(self) -> str:
        """Return why there are no results; "" if there are results."""
        return "" if self.ratings else nothing_counts(self.left_out)


def study_results(workplace: Workplace, study: Study, table: ScoreTable) -> StudyResults:
    """Return all results of a study.

    A metric with several settings counts as several metrics with separate names.
    """
    every = workplace.repository.studies.ratings(study.id)
    rows = services.counted_ratings(workplace, study, every)
    asked = {criterion.key: criterion for criterion in study.asks.criteria}
    summary = report(rows)
    metrics = dict(zip(rows["label"], rows["metric"], strict=True))
    points = {key: criterion.points for key, criterion in asked.items()}
    scales = {key: criterion.scale for key, criterion in asked.items()}
    errors = rating_error_table(_rated_errors(rows, table), {key: criterion.low for key, criterion in asked.items()})
    flow = participant_flow(workplace.repository.participants.of(study.id))
    return StudyResults(
        study=study.name,
        dataset=study.dataset,
        notice=study.notice,
        overlay=bool(study.design.overlay),
        ratings=len(rows),
        raters=rows["rater"].nunique(),
        scales=_scales(asked.values()),
        means=ratings_table(summary, study.asks.criteria, metrics),
        tests=tests_table(summary),
        distribution=distribution_table(rating_distribution(rows, points)),
        agreement=agreement_table(study_agreement(rows, scales)),
        rating_errors=Table("Ratings and score errors", RATING_ERRORS, list(errors)),
        left_out=left_out_table(every),
        flow=Table("Participant flow", FLOW, list(flow)),
        methods=Table("Methods", METHODS, list(methods(study, flow, every))),
        paragraph=paragraph(study, flow, every),
        rater_table=Table("Raters", RATERS, list(rater_summaries(every, scales))),
        positions=Table("Effect of the position on the page", POSITIONS, list(position_effects(rows, scales))),
    )


def nothing_counts(left_out: Table[LeftOutRow]) -> str:
    """Return why none of a study's ratings are included in its results.

    The reason is that nobody has rated yet, or that all ratings are excluded. left_out: a table of the excluded
    ratings.
    """
    if left_out.rows:
        return "No rating counts so far. All ratings are from excluded raters, control items or reassigned items."
    return "Nobody has rated yet."


@dataclass(frozen=True, slots=True)
class StudySummary:
    """The main tables of a study's results."""

    nothing: str  # why no rating counts; "": some ratings count
    ratings: Table[RatedMetric]
    tests: Table[MetricComparison]
    left_out: Table[LeftOutRow]


def study_summary(workplace: Workplace, study: Study) -> StudySummary:
    """Return the ratings of every metric, tests between the metrics, and the excluded ratings."""
    every = workplace.repository.studies.ratings(study.id)
    summary = report(services.counted_ratings(workplace, study, every))
    labels = {label: name for (name, _), label in workplace.repository.analysis.labels(study.dataset).items()}
    ratings, left_out = ratings_table(summary, study.asks.criteria, labels), left_out_table(every)
    return StudySummary("" if ratings.rows else nothing_counts(left_out), ratings, tests_table(summary), left_out)


def _scales(criteria: Iterable[Criterion]) -> list[UsedScale]:
    """Return every scale with its criteria. Each figure shows one scale."""
    on: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for criterion in criteria:
        on[criterion.scale].append(criterion.key)
    return [UsedScale(scale, keys) for scale, keys in on.items()]


def low_text(criteria: Iterable[Criterion]) -> str:
    """Return which mean ratings count as low, such as "2 or less".

    If the criteria have several scales, the text names each scale.
    """
    low = {criterion.scale: criterion for criterion in criteria}
    if len(low) == 1:
        return "".join(f"{criterion.low} or less" for criterion in low.values())
    return ", ".join(f"{one.low} or less on the scale {one.scale_name}" for one in low.values())


def _rated_errors(ratings: pd.DataFrame, table: ScoreTable) -> Iterator[RatedError]:
    """Yield each explanation's mean rating and the explained score's error.

    The error is the distance of the score from the human judgement. Samples without human judgements are skipped.
    """
    place = {key: number for number, key in enumerate(table["key"])}
    errors = {column.label: np.abs(table.error(name)) for name, column in table.metrics.items()}
    for one in mean_ratings(ratings):
        if one.metric not in errors:  # raters rated a caption without a score, so no error of a score can be computed
            continue
        error = float(errors[one.metric][place[one.sample]])
        if np.isfinite(error):
            yield RatedError(one.metric, one.criterion, one.mean, error)


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
