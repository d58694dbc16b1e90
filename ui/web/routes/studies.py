"""Routes of the Studies page: list, preview and make studies. The command line uses the same services."""

from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response

from core.studies.asking.form_file import read_form
from core.studies.asking.shipped_forms import shipped_forms
from ui.services.studies import study_actions as services
from ui.services.studies.workload import plan_workload
from ui.web.access.access_checks import note
from ui.web.json.studies import Draft, FormJson, FormText, PreviewJson, StudyJson, form_json, planned_json, study_json
from ui.web.routes.dependencies import SecretDep, WorkplaceDep

TAG_DIGITS = 20  # number of digits of the hash in the ETag of the list of studies


ROUTER = APIRouter(prefix="/api/studies")


@ROUTER.get("", response_model=tuple[StudyJson, ...])
def all_studies(request: Request, response: Response, workplace: WorkplaceDep, secret: SecretDep) -> Any:
    """List the studies with their raters. The status is 304 if nothing has changed."""
    stamp = workplace.repository.studies.stamp()  # read before the studies; a change in between gives a new ETag
    tag = f'W/"{secret.digest(stamp)[:TAG_DIGITS]}"'
    response.headers.update({"etag": tag, "cache-control": "no-store"})  # no-store, because the response names raters
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=dict(response.headers))
    return tuple(study_json(study, raters) for study, raters in workplace.repository.studies.overview())


@ROUTER.get("/forms")
def forms() -> tuple[FormJson, ...]:
    """List Capscope's forms (files with a study's questions)."""
    return tuple(map(form_json, shipped_forms()))


@ROUTER.post("/forms")
def read(body: FormText) -> FormJson:
    """Read a user's form file."""
    return form_json(read_form(body.text, Path(body.name).name))


@ROUTER.post("/preview")
def preview(draft: Draft, workplace: WorkplaceDep) -> PreviewJson:
    """Return the preview of a study."""
    plan = services.plan(workplace, draft)
    first = planned_json(workplace, plan.items[0]) if plan.items else None
    return PreviewJson(
        seed=plan.request.seed,
        items=len(plan.items),
        captions=plan.captions,
        without_picture=plan.without_picture,
        with_regions=plan.with_regions,
        strata=dict(plan.strata),
        compared=plan.pairs,
        first=first,
        workload=plan_workload(workplace, plan, draft.course()),
    )


@ROUTER.post("", status_code=201)
def create(draft: Draft, request: Request, workplace: WorkplaceDep) -> StudyJson:
    """Make a study."""
    note(request, f"study {draft.name}")
    study = services.create_study(workplace, draft, draft.course())
    return study_json(study, ())
