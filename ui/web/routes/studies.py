"""Routes of the Studies page: list, preview and make studies. The command line uses the same services."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from core.json_types import fields_of
from core.studies.asking.criteria import Criterion
from core.studies.asking.file_values import LARGEST
from core.studies.asking.form import Form, Layout, Rates
from core.studies.asking.form_file import read_form
from core.studies.asking.ready_texts import CONSENT, ready_check
from core.studies.asking.shipped_forms import shipped_forms
from core.studies.pay.terms import TermsText, typed_terms
from core.studies.planning.duration import before_seconds
from core.studies.planning.life_cycle import GIVING, NEXT, State, StudySchedule
from core.studies.planning.plan import PlannedItem
from core.studies.planning.study_request import StudyRequest
from core.studies.study_design import LARGEST_NUMBER, fresh_seed
from storage.accounts.study_rights import Right
from storage.engine.database import utc_now
from storage.rating.rater_quality.thresholds import RaterQualitySettings
from storage.study_types import ListedStudy, RaterProgress, Study
from ui.services.studies import study_actions as services
from ui.services.studies.forecasts import PlanQuestion, StudyForecast, study_forecast
from ui.services.studies.workload import RaterWorkload, plan_workload
from ui.services.workplace import Workplace
from ui.web.access.checks import note
from ui.web.json.outcomes import outcome_json
from ui.web.routes.browse import SampleJson, sample_json
from ui.web.routes.dependencies import SecretDep, WorkplaceDep

TAG_DIGITS = 20  # digits of the list's hash in its ETag
Name = Annotated[str, Field(max_length=200)]


def _fresh(seed: object) -> object:
    return fresh_seed() if seed is None else seed


Seed = Annotated[
    int, BeforeValidator(_fresh, json_schema_input_type=int | None), Field(ge=0, le=LARGEST_NUMBER)
]  # None: a new random seed


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(StudyRequest):
    """A study to make, and its first state."""

    __pydantic_config__ = ConfigDict(extra="forbid")
    seed: Seed = field(default_factory=fresh_seed)
    state: Literal["draft", "running"] = "running"
    items_per_rater: int | None = None
    terms: TermsText = TermsText()
    gold_every: Annotated[int, Field(ge=2, le=1000)] | None = None  # one gold item in every N items; None: the default

    def course(self) -> StudySchedule:
        """Return the study's initial state and settings. Raises BadSetting."""
        return StudySchedule(self.state, items_per_rater=self.items_per_rater, terms=self.terms.terms())


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleJson(StudySchedule):
    """A study's state and settings, and its possible next states."""

    stamp: str  # version of the state and settings, sent back with changes
    next: tuple[State, ...]  # possible next states
    over: bool  # whether the study's deadline has passed
    typed: TermsText  # pay and contact as texts for a form


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyJson(ListedStudy):
    """A study for researchers."""

    asks: str  # key of the study's form (its questions)
    title: str  # title of the study's form
    sha256: str  # SHA-256 of the text of the study's form
    rates: Rates
    evidence: bool  # True: raters judge explanations sentence by sentence
    check: bool  # a comprehension check comes before the items
    course: ScheduleJson
    finished: int  # number of ratings of whole items that count in the results
    raters: tuple[RaterProgress, ...]  # in the order in which they joined
    right: Right  # right of the account that sends the request
    everyone: Right | None  # right of everyone with an account; None: only of accounts with which the study is shared


class FormText(BaseModel):
    """The text of a user's own form, a file with a study's questions."""

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
    compares: bool  # two explanations are shown, and each question compares them
    evidence: bool  # True: raters judge explanations sentence by sentence
    veil: bool  # whether the picture is hidden at first, unless the study changes this
    regions: bool  # whether regions are shown, unless the study changes this
    check: int  # number of questions in the comprehension check
    example: bool  # raters read a worked example
    practice_until_right: bool  # practice items are repeated until the answers are right
    consent: str  # the form's consent; if it has none, a ready-made text that a manager can use
    has_consent: bool  # the form has its own consent
    ready_check: tuple[str, ...]  # questions of the ready-made comprehension check; empty: not offered
    criteria: tuple[Criterion, ...]


@dataclass(frozen=True, slots=True)
class PreviewJson:
    """The preview of a study."""

    seed: int
    items: int
    without_picture: int  # number of items whose picture was not found
    with_regions: int  # number of items with regions
    strata: Mapping[str, int]
    compared: int  # samples whose items show the most metrics; tests between metrics use these samples
    first: SampleJson | None  # the first item's sample, with the scores that raters will see
    workload: RaterWorkload  # workload of one rater
    opening_seconds: float  # time to read welcome, consent and instructions, and for the form's check and example


ROUTER = APIRouter(prefix="/api/studies")


@ROUTER.get("", response_model=tuple[StudyJson, ...])
def all_studies(request: Request, response: Response, workplace: WorkplaceDep, secret: SecretDep) -> Any:
    """List the studies that the account may see, with their raters. The status is 304 if nothing has changed."""
    repository, account = workplace.repository, workplace.account
    seen = None if account is None else repository.rights.of_account(account)  # None: no account, so all studies show
    everyone = {} if account is None else repository.rights.of_everyone()
    held = repr((workplace.account_id, sorted((seen or {}).items()), sorted(everyone.items())))
    stamp = held + repository.studies.stamp()  # read before the studies, so that a change between both reads is noticed
    tag = f'W/"{secret.digest(stamp)[:TAG_DIGITS]}"'
    response.headers.update({"etag": tag, "cache-control": "no-store"})  # the response names raters
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=dict(response.headers))
    return tuple(
        _study_json(study, raters, "own" if seen is None else seen[study.id], everyone.get(study.id))
        for study, raters in repository.studies.overview()
        if seen is None or study.id in seen
    )


@ROUTER.get("/forms")
def forms() -> tuple[FormJson, ...]:
    """List Capscope's forms (files with a study's questions)."""
    return tuple(map(_form_json, shipped_forms()))


@ROUTER.post("/forms")
def read(body: FormText) -> FormJson:
    """Read a user's form file."""
    return _form_json(read_form(body.text, Path(body.name).name))


@ROUTER.post("/preview")
def preview(draft: Draft, workplace: WorkplaceDep) -> PreviewJson:
    """Return the preview of a study."""
    plan = services.plan(workplace, draft)
    first = _planned_json(workplace, plan.items[0]) if plan.items else None
    return PreviewJson(
        seed=plan.request.seed,
        items=len(plan.items),
        without_picture=plan.without_picture,
        with_regions=plan.with_regions,
        strata=dict(plan.strata),
        compared=plan.compared,
        first=first,
        workload=plan_workload(workplace, plan, draft.course()),
        opening_seconds=before_seconds(plan.form),
    )


@ROUTER.post("/forecast")
def planned(question: PlanQuestion, workplace: WorkplaceDep) -> StudyForecast:
    """Return the forecast of raters, hours, cost and power for a planned study."""
    return study_forecast(workplace, question)


@ROUTER.post("", status_code=201)
def create(draft: Draft, request: Request, workplace: WorkplaceDep) -> StudyJson:
    """Make a study."""
    note(request, f"study {draft.name}")
    study = services.create_study(workplace, draft, draft.course())
    if draft.gold_every is not None:
        workplace.repository.quality.set_watch(study.id, RaterQualitySettings(gold_every=draft.gold_every))
    return _study_json(study, (), "own", "run" if workplace.account is None else None)


def _study_json(study: Study, raters: Sequence[RaterProgress], right: Right, everyone: Right | None) -> StudyJson:
    return StudyJson(
        **fields_of(ListedStudy, study),
        asks=study.asks.key,
        title=study.asks.title,
        sha256=study.asks.sha256,
        rates=study.asks.rates,
        evidence=study.asks.evidence is not None,
        check=bool(study.asks.check),
        course=_schedule_json(study),
        finished=sum(one.counted for one in raters if not one.pilot and one.excluded is None),
        raters=tuple(raters),
        right=right,
        everyone=everyone,
    )


def _form_json(form: Form) -> FormJson:
    return FormJson(
        key=form.key,
        title=form.title,
        source=form.source,
        layout=form.layout,
        rates=form.rates,
        compares=form.compares,
        evidence=form.evidence is not None,
        check=len(form.check),
        example=form.example is not None,
        practice_until_right=form.practice_until_right,
        consent=form.entry.consent or CONSENT,
        has_consent=bool(form.entry.consent),
        ready_check=tuple(one.question for one in ready_check(form)),
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
        typed=typed_terms(course.terms),
    )


def _planned_json(workplace: Workplace, item: PlannedItem) -> SampleJson:
    """Return a planned item's sample, with the scores whose explanations raters will see."""
    stored = workplace.repository.samples.get(item.sample)
    scores = dict(zip(stored.score_ids, stored.outcomes, strict=True))
    rated = tuple(score for score in item.scores if score > 0)
    chosen = replace(stored, outcomes=tuple(scores[score] for score in rated), score_ids=rated)
    return sample_json(chosen, outcome_json)
