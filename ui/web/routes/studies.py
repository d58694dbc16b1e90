"""The Studies page's routes: list, preview, make, report, export. The same services as the command line."""

import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Response
from fastapi.responses import FileResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.background import BackgroundTask

from core.errors import BadSetting
from core.studies.criteria import CRITERIA, EXPERT_PROTOCOL
from core.studies.export import SUFFIXES
from core.studies.planning import Form, PlannedItem, Strata, StudyRequest
from storage.types import RaterProgress, Study
from ui.services import studies as services
from ui.services.workplace import Workplace
from ui.web.outcome_json import outcome_json
from ui.web.routes import Id
from ui.web.routes.browse import sample_json
from ui.web.security import Secret

Name = Annotated[str, Field(max_length=200)]


class Draft(BaseModel):
    """What the Studies page asks for."""

    model_config = ConfigDict(extra="forbid")
    name: Name
    dataset: Name
    form: Form = "single"
    metrics: list[Name] = []
    size: int | None = None
    strata: Strata = "none"
    seed: int | None = Field(default=None, ge=0, le=services.LARGEST_SEED)
    raters_per_item: int | None = None
    veil: bool = True
    overlay: bool = False
    criteria: list[Name] = list(EXPERT_PROTOCOL)

    def request(self) -> StudyRequest:
        """Return the request; raises BadSetting."""
        values = self.model_dump() | {"metrics": tuple(self.metrics), "criteria": tuple(self.criteria)}
        return StudyRequest(**values | {"seed": services.fresh_seed() if self.seed is None else self.seed})


def studies_routes(workplace: Workplace, secret: Secret) -> APIRouter:
    """Return the routes under /api/studies."""
    router = APIRouter(prefix="/api/studies")
    studies = workplace.repository.studies

    @router.get("")
    def all_studies() -> list[dict[str, Any]]:
        return [_study_json(workplace, secret, study) for study in studies.all()]

    @router.get("/criteria")
    def criteria() -> list[dict[str, Any]]:
        return [asdict(one) | {"in_protocol": one.key in EXPERT_PROTOCOL} for one in CRITERIA]

    @router.post("/preview")
    def preview(draft: Draft) -> dict[str, Any]:
        plan = services.plan(workplace, draft.request())
        first = _planned_json(workplace, plan.items[0]) if plan.items else None
        counts = {"items": len(plan.items), "with_regions": plan.with_regions, "strata": dict(plan.strata)}
        return {"seed": plan.request.seed, **counts, "first": first}

    @router.post("", status_code=201)
    def create(draft: Draft) -> dict[str, Any]:
        return _study_json(workplace, secret, services.create_study(workplace, draft.request()))

    @router.get("/{study_id}/report")
    def report(study_id: Id) -> dict[str, Any]:
        study = studies.get(study_id)
        return {"study": study.name, "overlay": study.overlay} | services.study_report(workplace, study).as_json()

    @router.get("/{study_id}/export{suffix}")
    def export(study_id: Id, suffix: str) -> Response:
        study = studies.get(study_id)
        if suffix not in SUFFIXES:
            raise BadSetting(f"Export as one of {', '.join(SUFFIXES)}, found {suffix!r}.")
        folder = tempfile.TemporaryDirectory(prefix="capscope-export-")
        path = Path(folder.name) / f"study-{study.id}{suffix}"
        services.export_study(workplace, study, path)
        return FileResponse(path, filename=path.name, background=BackgroundTask(folder.cleanup))

    return router


def _study_json(workplace: Workplace, secret: Secret, study: Study) -> dict[str, Any]:
    progress = workplace.repository.studies.progress(study.id)
    return asdict(study) | {
        "created_at": f"{study.created_at.isoformat(timespec='seconds')}Z",
        "strata": dict(study.strata),
        "raters": [_progress_json(workplace, secret, rater) for rater in progress],
    }


def _progress_json(workplace: Workplace, secret: Secret, progress: RaterProgress) -> dict[str, Any]:
    rater = workplace.repository.raters.named(progress.code)
    last_seen = None if progress.last_seen is None else f"{progress.last_seen.isoformat(timespec='seconds')}Z"
    return asdict(progress) | {"return_key": secret.return_key(rater.id), "last_seen": last_seen}


def _planned_json(workplace: Workplace, item: PlannedItem) -> dict[str, Any]:
    """Return the first item of a plan: its sample, with the metrics whose explanations raters would see."""
    stored = workplace.repository.samples.get(item.sample)
    sample = sample_json(stored, outcome_json)
    scores = dict(zip(stored.score_ids, sample["scores"], strict=True))
    return sample | {"stratum": item.stratum, "scores": [scores[score] for score in item.scores]}
