"""The page that makes a study: the form with a preview, the data set, how many captions, and who rates them."""

from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData, UploadFile

from core.errors import BadSetting, UserError
from core.studies.asking.file_values import LARGEST
from core.studies.asking.form import Form
from core.studies.asking.form_file import read_form
from core.studies.asking.ready_texts import CONSENT
from core.studies.asking.shipped_forms import shipped_forms
from core.studies.planning.life_cycle import StudySchedule
from core.studies.planning.plan import StudyPlan
from core.studies.planning.study_request import STRATA, StudyRequest, check_name
from core.studies.study_design import fresh_seed
from core.types import Score
from storage.types import DatasetSummary
from ui.services.studies import study_actions
from ui.services.studies.overview import size_words
from ui.services.studies.workload import plan_workload
from ui.services.workplace import Workplace
from ui.web.access.access_checks import note, visitor_of
from ui.web.access.gates import gate
from ui.web.access.plain_pages import PlainPages
from ui.web.routes.dependencies import PagesDep, WorkplaceDep

ROUTER = APIRouter(include_in_schema=False, prefix="/studies")
RATERS = 3  # raters of an item, unless the user chooses another number
STRATA_WORDS = {
    "none": "at random",
    "score": "the same number of low, middle and high scores",
    "human": "the same number for each human judgement on which all judges agree",
}


@dataclass
class Asked:
    """What the form for a new study contains, as texts."""

    name: str = ""
    dataset: str = ""
    form: str = "expert-single"
    form_text: str = ""  # text of the user's own form; "": one of Capscope's forms is used
    metrics: list[str] = field(default_factory=list)
    criteria: list[str] = field(default_factory=list)
    size: str = ""
    strata: str = "none"
    raters_per_item: str = str(RATERS)
    items_per_rater: str = ""
    contact: str = ""
    seed: str = ""
    consent: str = ""
    picture: str = ""  # "veiled", "shown", or "" for the form's own choice
    overlay: bool = False
    uniform: bool = False

    def request(self) -> StudyRequest:
        """Return what the user asks for. Raises BadSetting."""
        return StudyRequest(
            name=self.name.strip(),
            dataset=self.dataset,
            seed=_number("The seed", self.seed, 0) if self.seed.strip() else fresh_seed(),
            form=self.form,
            form_text=self.form_text or None,
            metrics=tuple(self.metrics),
            criteria=tuple(self.criteria),
            size=_number("The number of captions", self.size) if self.size.strip() else None,
            strata=next((one for one in STRATA if one == self.strata), "none"),
            raters_per_item=_number("Raters per item", self.raters_per_item) if self.raters_per_item.strip() else None,
            consent=self.consent.strip() or None,
            veil=None if not self.picture else self.picture == "veiled",
            overlay=True if self.overlay else None,
            uniform=self.uniform,
        )

    def course(self, is_draft: bool) -> StudySchedule:
        """Return the study's first state and settings. Raises BadSetting."""
        each = _number("Items per rater", self.items_per_rater) if self.items_per_rater.strip() else None
        return StudySchedule("draft" if is_draft else "running", items_per_rater=each, contact=self.contact.strip())


@ROUTER.get("/new", **gate("researcher"))
def new(
    request: Request,
    workplace: WorkplaceDep,
    pages: PagesDep,
    dataset: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """Show the form for a new study, with sensible values."""
    return _page(request, workplace, pages, Asked(dataset=dataset), is_first=True)


@ROUTER.post("/new/preview", **gate("researcher"))
async def preview(request: Request, workplace: WorkplaceDep, pages: PagesDep) -> Response:
    """Show the form again, with a preview of what the user has chosen."""
    form = await request.form()
    asked = _asked(form)
    try:
        asked.form_text = await _own_form(form, asked.form_text)
    except UserError as error:
        return await run_in_threadpool(_page, request, workplace, pages, asked, str(error), 400)
    return await run_in_threadpool(_page, request, workplace, pages, asked)


@ROUTER.post("/new", **gate("researcher", "study made"))
async def make(request: Request, workplace: WorkplaceDep, pages: PagesDep) -> Response:
    """Make a study. If this is refused, show the form again."""
    form = await request.form()
    asked = _asked(form)
    try:
        asked.form_text = await _own_form(form, asked.form_text)
        check_name(asked.name)
        if not asked.metrics and form.get("has_metrics"):
            raise BadSetting("Choose at least one metric.")
        if not asked.criteria:
            raise BadSetting("Choose at least one criterion.")
        course = asked.course(form.get("action") == "draft")
        study = await run_in_threadpool(study_actions.create_study, workplace, asked.request(), course)
    except UserError as error:
        return await run_in_threadpool(_page, request, workplace, pages, asked, str(error), 400)
    note(request, f"study {study.name}")
    return RedirectResponse(f"{pages.root}/studies/{study.id}", 303)


def _page(
    request: Request,
    workplace: Workplace,
    pages: PlainPages,
    asked: Asked,
    problem: str = "",
    status: int = 200,
    is_first: bool = False,
) -> Response:
    datasets = workplace.repository.samples.datasets()
    chosen = next((one for one in datasets if one.name == asked.dataset), datasets[0] if datasets else None)
    asked.dataset = "" if chosen is None else chosen.name
    forms = shipped_forms()
    form = read_form(asked.form_text) if asked.form_text else next(one for one in forms if one.key == asked.form)
    if is_first and chosen is not None and not chosen.explained and form.rates == "explanation":
        form = next(one for one in forms if one.rates == "caption")  # without explanations, raters judge captions
        asked.form = form.key
    _fill(asked, chosen, form)
    plan, first = None, {}
    if chosen is not None:
        try:
            request_of = asked.request() if asked.name.strip() else _named(asked)
            plan = study_actions.plan(workplace, request_of)
            first = _preview(workplace, plan, asked)
        except UserError as error:
            problem = problem or str(error)
    taken = {study.name for study in workplace.repository.studies.all()}
    return pages.page(
        "study_new",
        status,
        visitor=visitor_of(request),
        problem=problem,
        datasets=datasets,
        chosen=chosen,
        forms=forms,
        form=form,
        asked=asked,
        plan=plan,
        first=first,
        size="" if plan is None else _size(plan),
        strata=STRATA_WORDS,
        consent=form.entry.consent or CONSENT,
        taken=sorted(taken),
    )


def _size(plan: StudyPlan) -> str:
    return size_words(plan.captions, plan.metrics if plan.form.layout == "single" else 1, len(plan.items))


def _named(asked: Asked) -> StudyRequest:
    """Return what the user asks for before the study has a name."""
    name, asked.name = asked.name, "unnamed"
    try:
        return asked.request()
    finally:
        asked.name = name


def _fill(asked: Asked, chosen: DatasetSummary | None, form: Form) -> None:
    """Choose all metrics and criteria unless the user has chosen some of those that exist."""
    metrics = sorted(chosen.explained) if chosen is not None and form.rates == "explanation" else []
    asked.metrics = [one for one in asked.metrics if one in metrics] or metrics
    criteria = [one.key for one in form.criteria]
    asked.criteria = [one for one in asked.criteria if one in criteria] or criteria


def _preview(workplace: Workplace, plan: StudyPlan, asked: Asked) -> dict[str, Any]:
    """Return the first item as raters see it, and the work of one rater."""
    first = plan.items[0]
    stored = workplace.repository.samples.get(first.sample)
    outcomes = dict(zip(stored.score_ids, stored.outcomes, strict=True))
    shows = plan.form.shows
    panels = [
        {
            "value": plan.design.shown_score(score.value) if shows.score else None,
            "scale": score.scale,
            "texts": plan.design.shown_texts(score.explanation.rationales) if shows.explanation else {},
        }
        for score in (outcomes[number] for number in first.scores if number in outcomes)
        if isinstance(score, Score)
    ]
    captions = [
        workplace.repository.samples.get(-number).sample.candidate for number in first.scores if number < 0
    ] or [stored.sample.candidate]
    return {
        "image": f"/api/images/{stored.image_id}" if stored.sample.image.path is not None else None,
        "captions": captions,
        "references": stored.sample.references if shows.references else (),
        "panels": panels,
        "workload": plan_workload(workplace, plan, asked.course(True)).words,
    }


def _asked(form: FormData) -> Asked:
    asked = Asked()
    for name in ("name", "dataset", "form", "form_text", "size", "strata", "raters_per_item", "items_per_rater"):
        setattr(asked, name, str(form.get(name, ""))[:LARGEST])
    for name in ("contact", "seed", "picture"):
        setattr(asked, name, str(form.get(name, "")))
    asked.consent = str(form.get("consent", "")) if form.get("ask_consent") else ""
    asked.metrics, asked.criteria = ([str(one) for one in form.getlist(name)] for name in ("metrics", "criteria"))
    asked.overlay, asked.uniform = bool(form.get("overlay")), bool(form.get("uniform"))
    if asked.form not in {one.key for one in shipped_forms()}:
        asked.form = Asked().form
    return asked


async def _own_form(form: FormData, text: str) -> str:
    """Return the text of the user's own form: a new file, or the file of an earlier preview. Raises BadForm."""
    file = form.get("form_file")
    if isinstance(file, UploadFile) and file.filename:
        content = (await file.read(LARGEST + 1)).decode(errors="replace")
        read_form(content, file.filename)
        return content
    return "" if form.get("drop_form") else text


def _number(what: str, text: str, least: int = 1) -> int:
    if not text.strip().isdecimal() or not least <= int(text) < 2**31:
        raise BadSetting(f"{what} must be a whole number of at least {least}, found {text[:40]!r}.")
    return int(text)
