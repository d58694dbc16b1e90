"""Requests and answers about studies: drafts, listed studies, forms and previews."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from core.json_types import fields_of
from core.studies.asking.criteria import Criterion
from core.studies.asking.file_values import LARGEST
from core.studies.asking.form import Form, Layout, Rates
from core.studies.asking.ready_texts import CONSENT
from core.studies.planning.life_cycle import GIVING, NEXT, State, StudySchedule
from core.studies.planning.plan import PlannedItem
from core.studies.planning.study_request import StudyRequest
from core.studies.study_design import LARGEST_NUMBER, fresh_seed
from storage.engine.database import utc_now
from storage.study_types import ListedStudy, RaterProgress, Study
from ui.services.studies.workload import RaterWorkload
from ui.services.workplace import Workplace
from ui.web.json.outcomes import outcome_json
from ui.web.json.samples import SampleJson, sample_json

Name = Annotated[str, Field(max_length=200)]


def _fresh(seed: object) -> object:
    return fresh_seed() if seed is None else seed


Seed = Annotated[
    int, BeforeValidator(_fresh, json_schema_input_type=int | None), Field(ge=0, le=LARGEST_NUMBER)
]  # seed of the study; None: a new random seed


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(StudyRequest):
    """A study to make, and its first state and settings."""

    __pydantic_config__ = ConfigDict(extra="forbid")
    seed: Seed = field(default_factory=fresh_seed)
    state: Literal["draft", "running"] = "running"
    items_per_rater: int | None = None
    contact: str = ""

    def course(self) -> StudySchedule:
        """Return the study's initial state and settings. Raises BadSetting."""
        return StudySchedule(self.state, items_per_rater=self.items_per_rater, contact=self.contact.strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleJson(StudySchedule):
    """A study's state and settings, and the states to which it can change."""

    stamp: str  # version of the state and settings; requests that change them must contain it
    next: tuple[State, ...]  # states to which the study can change now
    over: bool  # True: the study's deadline has passed


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyJson(ListedStudy):
    """A study as researchers see it."""

    asks: str  # key of the study's form (its questions)
    title: str  # title of the study's form
    sha256: str  # SHA-256 of the text of the study's form
    rates: Rates
    course: ScheduleJson
    finished: int  # number of completely rated items that count in the results, summed over raters
    raters: tuple[RaterProgress, ...]  # in the order in which they joined


class FormText(BaseModel):
    """The text of a user's own form. A form is a file with a study's questions."""

    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, Field(max_length=LARGEST)]
    name: Name = "form.toml"


@dataclass(frozen=True, slots=True)
class FormJson:
    """A form (file with questions) that a study can use."""

    key: str
    title: str
    source: str  # authors of the protocol; "": not a published protocol
    layout: Layout
    rates: Rates
    compares: bool  # True: two explanations are shown, and each question compares them
    veil: bool  # True: the picture is hidden at first, unless the study changes this
    regions: bool  # True: regions are shown, unless the study changes this
    practice_until_right: bool  # practice items are repeated until the answers are right
    consent: str  # the form's consent text; if the form has none, a ready-made text that a manager can use
    has_consent: bool  # True: the form contains a consent text
    criteria: tuple[Criterion, ...]


@dataclass(frozen=True, slots=True)
class PreviewJson:
    """The preview of a study."""

    seed: int
    items: int
    captions: int  # number of captions in the items
    without_picture: int  # number of items whose picture was not found
    with_regions: int  # number of items with regions on the picture
    strata: Mapping[str, int]  # key: stratum; value: number of captions
    compared: int  # number of samples for tests between metrics: those that have the most explanations
    first: SampleJson | None  # the first item's sample, with the scores that raters will see
    workload: RaterWorkload  # workload of one rater


def study_json(study: Study, raters: Sequence[RaterProgress]) -> StudyJson:
    """Return a study for the list of studies."""
    return StudyJson(
        **fields_of(ListedStudy, study),
        asks=study.asks.key,
        title=study.asks.title,
        sha256=study.asks.sha256,
        rates=study.asks.rates,
        course=_schedule_json(study),
        finished=sum(one.counted for one in raters if not one.pilot and one.excluded is None),
        raters=tuple(raters),
    )


def form_json(form: Form) -> FormJson:
    """Return a form for the page."""
    return FormJson(
        key=form.key,
        title=form.title,
        source=form.source,
        layout=form.layout,
        rates=form.rates,
        compares=form.compares,
        practice_until_right=form.practice_until_right,
        consent=form.entry.consent or CONSENT,
        has_consent=bool(form.entry.consent),
        veil=form.shows.veil,
        regions=form.shows.regions,
        criteria=form.criteria,
    )


def _schedule_json(study: Study) -> ScheduleJson:
    course = study.course
    return ScheduleJson(
        **fields_of(StudySchedule, course),
        stamp=study.stamp,
        next=NEXT[course.state],
        over=course.state in GIVING and course.stop(utc_now()) is not None,
    )


def planned_json(workplace: Workplace, item: PlannedItem) -> SampleJson:
    """Return a planned item's sample for the preview.

    It contains only the scores whose explanations raters will see.
    """
    stored = workplace.repository.samples.get(item.sample)
    scores = dict(zip(stored.score_ids, stored.outcomes, strict=True))
    rated = tuple(score for score in item.scores if score > 0)
    chosen = replace(stored, outcomes=tuple(scores[score] for score in rated), score_ids=rated)
    return sample_json(chosen, outcome_json)
