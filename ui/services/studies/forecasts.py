"""Forecast a study: raters, hours, cost, and the statistical power to detect a difference between metrics."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from core.errors import BadSetting, NotFound
from core.statistics.rating_model import RatingModel, fitted
from core.studies.planning.control_places import Controls
from core.studies.planning.duration import OPENING_SECONDS
from core.studies.planning.forecast import Coverage, Effort, Forecast, coverage, forecast
from core.studies.planning.power import MOST_ITEMS, PowerQuestion, items_needed, power
from core.studies.planning.published_ratings import TYPICAL
from storage.study_types import Study
from ui.services.studies.rights import study_named
from ui.services.studies.study_actions import rated
from ui.services.workplace import Workplace

WANTED = (0.8, 0.9)  # values of statistical power that papers usually want


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanQuestion:
    """A researcher's question about a planned study."""

    items: int
    ratings_per_item: int
    items_per_rater: int | None = None
    practice: int = 0
    gold_every: int | None = None
    repeat_every: int | None = None
    item_seconds: float = 30.0
    opening_seconds: float = OPENING_SECONDS
    drop_out: float = 0.0  # [0, 1)
    hourly_rate: float | None = None
    fee: float = 0.0  # fee of the recruitment platform, as a share of the pay
    reward: float | None = None  # what the platform pays each rater
    like: str = TYPICAL[0].name  # source of the ratings' spread: a study's name, or the name of typical ratings
    difference: float | None = None  # difference to detect, in points of the scale; None: power is not computed
    metrics: int = 2
    criteria: int = 1
    raters: int | None = None  # number of raters that can be invited; None: no forecast of what such raters can rate
    samples: int | None = None  # number of samples, if each has one item per metric; None: each item is one sample

    def effort(self) -> Effort:
        """Return the settings from which the effort is forecast.

        Raises BadSetting.
        """
        for what, number in (
            ("practice items", self.practice),
            ("items per gold item", self.gold_every),
            ("items per repeat", self.repeat_every),
        ):
            if number is not None and not 0 <= number <= 1000:
                raise BadSetting(f"The number of {what} must be from 0 to 1,000, found {number}.")
        return Effort(
            self.items,
            self.ratings_per_item,
            self.items_per_rater,
            Controls(self.practice, self.items, self.gold_every or None, self.repeat_every or None),
            self.item_seconds,
            self.opening_seconds,
            self.drop_out,
            self.hourly_rate,
            self.fee,
            self.reward,
        )


@dataclass(frozen=True, slots=True)
class PowerRow:
    """The statistical power on one criterion: the probability of detecting the difference between metrics.

    Future ratings are assumed to vary as much as those of the source. The source is a study or typical ratings, and
    PlanQuestion.like names it.
    """

    criterion: str  # name of the criterion in the study that PlanQuestion.like names; "": typical ratings
    mean: float  # mean of the source's ratings
    highest: int  # highest point of the scale
    agreement: float  # correlation between two raters' ratings of an explanation, [0, 1)
    power: float | None  # statistical power, [0, 1]; None: undefined, see the note
    needed: tuple[tuple[float, int | None], ...]  # (power, number of items needed for it); None: more than 5,000 items
    note: str = ""


@dataclass(frozen=True, slots=True)
class StudyForecast:
    """The answer to a PlanQuestion."""

    forecast: Forecast
    coverage: Coverage | None  # what the invited raters can rate, and at what cost; None: PlanQuestion.raters is None
    source: str  # sentence that says where the ratings come from; "": power was not computed
    tests: int  # number of tests in Holm's correction
    rows: tuple[PowerRow, ...]


def study_forecast(workplace: Workplace, question: PlanQuestion) -> StudyForecast:
    """Return a study's expected effort and power. Raises BadSetting, NotFound."""
    effort = question.effort()
    needed = forecast(effort)
    covered = None if question.raters is None else coverage(effort, question.raters)
    if question.difference is None:
        return StudyForecast(needed, covered, "", 0, ())
    source, models = _models(workplace, question.like)
    rows = tuple(_row(question, question.difference, criterion, model) for criterion, model in models)
    tests = question.criteria * question.metrics * (question.metrics - 1) // 2
    return StudyForecast(needed, covered, source, tests, rows)


def _row(question: PlanQuestion, difference: float, criterion: str, model: RatingModel) -> PowerRow:
    asked = (question.ratings_per_item, question.metrics, question.criteria)
    known = (criterion, model.mean, len(model.shares), model.same_explanation)
    compared = question.items if question.samples is None else question.samples
    samples = min(compared, MOST_ITEMS)
    try:
        simulated = PowerQuestion(model, difference, samples, *asked)
    except BadSetting as error:
        return PowerRow(*known, None, (), str(error))
    found = [(wanted, items_needed(simulated, wanted)) for wanted in WANTED]
    each = question.items / compared
    needed = tuple((wanted, None if number is None else ceil(number * each)) for wanted, number in found)
    note = f"The probability was computed for only {MOST_ITEMS:,} samples." if samples < compared else ""
    return PowerRow(*known, power(simulated).power, needed, note)


def _models(workplace: Workplace, like: str) -> tuple[str, Sequence[tuple[str, RatingModel]]]:
    """Return a sentence that describes past ratings, and models of them.

    The result has one model for each criterion. like: name of a study, or name of typical ratings of published studies.
    """
    typical = next((one for one in TYPICAL if one.name == like), None)
    if typical is not None:
        return typical.source, [("", typical.model)]
    try:
        study = study_named(workplace, like)
    except NotFound as error:
        names = ", ".join(one.name for one in TYPICAL)
        raise NotFound(f"{error} You can also use typical ratings of published studies: {names}.") from None
    models = rating_models(workplace, study)
    if not models:
        raise BadSetting(
            f"The study {like} has too few ratings for a forecast. At least two raters must have rated the same "
            f"items, with different ratings. Choose another study, or {TYPICAL[0].name}."
        )
    return f"Distribution and agreement of the ratings in the study {like}.", models


def rating_models(workplace: Workplace, study: Study) -> list[tuple[str, RatingModel]]:
    """Return a model of each criterion's ratings in a study. Criteria with too few ratings are omitted."""
    counted = workplace.repository.studies.columns(study.id).counted()
    if not len(counted):
        return []
    ratings = rated(workplace, study.dataset, counted)
    models = []
    for place, key in enumerate(ratings.criteria):
        criterion = next((one for one in study.asks.criteria if one.key == key), None)
        if criterion is None:
            continue
        scale = np.array(criterion.scale)
        of = ratings.where((ratings.criterion == place) & np.isin(ratings.point, scale))
        model = fitted(of.item, of.metric, np.searchsorted(scale, of.point) + 1, len(scale)) if len(of.point) else None
        if model is not None:
            models.append((key, model))
    return models
