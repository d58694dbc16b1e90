"""The Analyse page's routes: correlations, arrays for plots, the largest errors, a sample's ratings, studies."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict

from core.analysis.caption_facts import PHRASE_KINDS
from core.analysis.slices import slice_json, slice_of
from core.datasets import BENCHMARKS
from ui.services.analysis import Analyst
from ui.services.metric_agreement import AgreementDesk
from ui.services.study_results import StudyDesk
from ui.services.workplace import Workplace
from ui.web.plot_data import columns_csv, packed_mask, plot_columns
from ui.web.routes import Id

PAGE = 25  # rows of the list of errors
Metrics = Annotated[list[str], Query(alias="metric", max_length=20)]
SliceName = Annotated[str | None, Query(alias="slice", max_length=200)]


class SliceBody(BaseModel):
    """A slice to save with its data set, as core.analysis.slices.slice_json writes it."""

    model_config = ConfigDict(extra="forbid")
    dataset: str
    slice: dict[str, Any]


def analyse_routes(workplace: Workplace) -> APIRouter:
    """Return the routes under /api/analyse."""
    router = APIRouter(prefix="/api/analyse")
    analyst = Analyst(workplace)
    agreement = AgreementDesk(analyst)
    studies = StudyDesk(analyst)

    @router.get("/datasets")
    def datasets() -> list[dict[str, Any]]:
        return [asdict(dataset) for dataset in workplace.repository.analysis.scored_datasets()]

    @router.get("/benchmarks")
    def benchmarks() -> list[str]:
        return [benchmark.name for benchmark in BENCHMARKS]

    @router.get("/metrics")
    def metrics(dataset: str) -> list[dict[str, Any]]:
        columns = analyst.table(dataset).metrics.values()
        return [{"name": c.name, "label": c.label, "scale": c.scale, "has_raw": c.has_raw} for c in columns]

    @router.get("/correlations")
    def correlations(
        dataset: str,
        metric: Metrics,
        benchmark: str | None = None,
        slice_name: SliceName = None,
        intervals: bool = True,
    ) -> dict[str, Any]:
        return agreement.correlations(dataset, metric, benchmark or None, slice_name, intervals)

    @router.get("/points")
    def points(dataset: str, metric: Metrics, raw: bool = False) -> dict[str, Any]:
        stamp = str(analyst.stamp(dataset))  # before the columns: an import in between is then seen
        return {"stamp": stamp} | plot_columns(analyst.table(dataset), metric, raw)

    @router.get("/members")
    def members(dataset: str, slice_name: Annotated[str, Query(alias="slice", max_length=200)]) -> dict[str, Any]:
        found = analyst.members(dataset, slice_name)
        return {"stamp": found.stamp, "samples": int(found.mask.sum()), "mask": packed_mask(found.mask)}

    @router.get("/data.csv")
    def data(dataset: str, metric: Metrics, slice_name: SliceName = None) -> Response:
        return Response(columns_csv(analyst.table(dataset, slice_name), metric), media_type="text/csv; charset=utf-8")

    @router.get("/errors")
    def errors(
        dataset: str,
        metric: str,
        page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
        slice_name: SliceName = None,
    ) -> dict[str, Any]:
        return asdict(analyst.errors(dataset, metric, (page - 1) * PAGE, PAGE, slice_name)) | {"page_size": PAGE}

    @router.get("/samples/{sample_id}/ratings")
    def ratings(sample_id: Id) -> list[dict[str, Any]]:
        return [asdict(rating) for rating in workplace.repository.analysis.ratings(sample_id)]

    @router.get("/slices")
    def slices(dataset: str) -> dict[str, Any]:
        saved = workplace.repository.slices.all(dataset)
        listed = [slice_json(one) | {"samples": int(analyst.mask(dataset, one).sum())} for one in saved]
        rated = (criterion for study in workplace.repository.analysis.studies(dataset) for criterion in study.criteria)
        return {"slices": listed, "phrases": list(PHRASE_KINDS), "criteria": list(dict.fromkeys(rated))}

    @router.put("/slices")
    def save_slice(body: SliceBody) -> dict[str, Any]:
        chosen = slice_of(body.slice)
        if chosen.metric is not None:
            analyst.table(body.dataset).metric(chosen.metric)
        workplace.repository.slices.save(body.dataset, chosen)
        return slice_json(chosen)

    @router.delete("/slices")
    def remove_slice(dataset: str, name: str) -> dict[str, Any]:
        workplace.repository.slices.remove(dataset, name)
        return {"removed": name}

    @router.get("/studies")
    def studies_of(dataset: str) -> list[dict[str, Any]]:
        return [asdict(study) for study in workplace.repository.analysis.studies(dataset)]

    @router.get("/studies/{study_id}")
    def study(study_id: Id) -> dict[str, Any]:
        return studies.results(study_id)

    return router
