"""The page that makes a study: the form with a preview, the data set, how many captions, and who rates them."""

from dataclasses import fields
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from fastapi import Form as FormField
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile

from core.errors import BadSetting, UserError
from core.foreign_values import shaped
from core.studies.asking.file_values import LARGEST
from core.studies.asking.form import Form
from core.studies.asking.form_file import read_form, shipped_forms
from core.studies.asking.questionnaire import CONSENT
from core.studies.design import StudyDesign, check_name
from core.studies.planning.plan import StudyPlan
from core.types import Score
from storage.types import DatasetSummary
from ui.services.studies import study_actions
from ui.services.studies.overview import size_words
from ui.services.studies.workload import plan_workload
from ui.services.workplace import Workplace
from ui.web.access.access_checks import note
from ui.web.access.gates import gate
from ui.web.routes.dependencies import PageDep, PageRequest

ROUTER = APIRouter(include_in_schema=False, prefix="/studies")
LISTS, TICKED = ("metrics", "criteria"), ("overlay", "uniform")  # fields with several values; fields that are ticked
_OPTIONS = tuple(one.name for one in fields(StudyDesign) if one.name not in (*LISTS, *TICKED))
FIRST: dict[str, Any] = dict.fromkeys(_OPTIONS, "") | dict.fromkeys(TICKED, False)  # values of the empty form
FIRST |= {"form": "expert-single", "strata": "none", "raters_per_item": "3"}
STRATA_WORDS = {
    "none": "at random",
    "score": "the same number of low, middle and high scores",
    "human": "the same number for each human judgement on which all judges agree",
}


@ROUTER.get("/new", **gate("researcher"))
def new(page: PageDep, dataset: Annotated[str, Query(max_length=200)] = "") -> Response:
    """Show the form for a new study, with sensible values."""
    return _page(page, FIRST | {"dataset": dataset}, is_first=True)


@ROUTER.post("/new/preview", **gate("researcher"))
async def preview(page: PageDep) -> Response:
    """Show the form again, with a preview of what the user has chosen."""
    form = await page.request.form()
    asked = _asked(form)
    problem = ""
    try:
        asked["form_text"] = await _own_form(form, asked["form_text"])
    except UserError as error:
        problem = str(error)
    return await run_in_threadpool(_page, page, asked, problem, 400 if problem else 200)


@ROUTER.post("/new", **gate("researcher", "study made"))
async def make(page: PageDep, state: Annotated[Literal["running", "draft"], FormField()]) -> Response:
    """Make a study. If this is refused, show the form again."""
    form = await page.request.form()
    asked = _asked(form)
    try:
        asked["form_text"] = await _own_form(form, asked["form_text"])
        check_name(asked["name"])
        if not asked["metrics"] and form.get("has_metrics"):
            raise BadSetting("Choose at least one metric.")
        if not asked["criteria"]:
            raise BadSetting("Choose at least one criterion.")
        study = await run_in_threadpool(study_actions.create_study, page.workplace, _design(asked), state)
    except UserError as error:
        return await run_in_threadpool(_page, page, asked, str(error), 400)
    note(page.request, f"study {study.name}")
    return page.lead(f"/studies/{study.id}")


def _page(
    page: PageRequest, asked: dict[str, Any], problem: str = "", status: int = 200, is_first: bool = False
) -> Response:
    datasets = page.repository.samples.datasets()
    chosen = next((one for one in datasets if one.name == asked["dataset"]), datasets[0] if datasets else None)
    asked["dataset"] = "" if chosen is None else chosen.name
    forms = shipped_forms()
    own = asked.get("form_text")
    form = read_form(own) if own else next(one for one in forms if one.key == asked["form"])
    if is_first and chosen is not None and not chosen.explained and form.rates == "explanation":
        form = next(one for one in forms if one.rates == "caption")  # without explanations, raters judge captions
        asked["form"] = form.key
    _fill(asked, chosen, form)
    plan, first = None, {}
    if chosen is not None:
        try:
            plan = study_actions.plan(page.workplace, _design(asked | {"name": asked.get("name") or "unnamed"}))
            first = _preview(page.workplace, plan)
        except UserError as error:
            problem = problem or str(error)
    taken = {study.name for study in page.repository.studies.all()}
    return page.show(
        "study_new",
        status,
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


def _fill(asked: dict[str, Any], chosen: DatasetSummary | None, form: Form) -> None:
    """Choose all metrics and criteria unless the user has chosen some of those that exist."""
    metrics = sorted(chosen.explained) if chosen is not None and form.rates == "explanation" else []
    for name, there in (("metrics", metrics), ("criteria", [one.key for one in form.criteria])):
        asked[name] = [one for one in asked.get(name, ()) if one in there] or there


def _preview(workplace: Workplace, plan: StudyPlan) -> dict[str, Any]:
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
        "workload": plan_workload(workplace, plan),
    }


def _asked(form: FormData) -> dict[str, Any]:
    """Return what the user has entered, by the names of the design's fields, as texts."""
    asked: dict[str, Any] = {name: str(form.get(name, "")).strip()[:LARGEST] for name in _OPTIONS}
    asked |= {name: [str(one) for one in form.getlist(name)] for name in LISTS}
    asked |= {name: bool(form.get(name)) for name in TICKED}
    asked["consent"] = asked["consent"] if form.get("ask_consent") else ""
    if asked["form"] not in {one.key for one in shipped_forms()}:
        asked["form"] = FIRST["form"]
    return asked


def _design(asked: dict[str, Any]) -> StudyDesign:
    """Return the design that the user asks for. Raises BadSetting. A field without a value has the design's default."""
    return shaped(StudyDesign, {name: value for name, value in asked.items() if value not in ("", False)}, BadSetting)


async def _own_form(form: FormData, text: str) -> str:
    """Return the text of the user's own form: a new file, or the file of an earlier preview. Raises BadForm."""
    file = form.get("form_file")
    if isinstance(file, UploadFile) and file.filename:
        content = (await file.read(LARGEST + 1)).decode(errors="replace")
        read_form(content, file.filename)
        return content
    return "" if form.get("drop_form") else text
