"""The Analyse page's routes: correlations, arrays for plots, the largest errors, a sample's ratings, plotly itself."""

from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Response
from fastapi.responses import FileResponse
from pydantic import BaseModel, ConfigDict

from core.plot_data import columns_csv, plot_columns
from core.slices import PHRASE_KINDS, slice_json, slice_of
from ui.analysing import Analyst
from ui.services import Workplace
from ui.study_results import study_results

PAGE = 25  # rows of the list of errors
Metrics = Annotated[list[str], Query(alias="metric", max_length=20)]
SliceName = Annotated[str | None, Query(alias="slice", max_length=200)]


class SliceBody(BaseModel):
    """A slice to save with its data set, as core.slices.slice_json writes it."""

    model_config = ConfigDict(extra="forbid")
    dataset: str
    slice: dict[str, Any]


def analyse_routes(workplace: Workplace) -> APIRouter:
    """Return the routes under /api/analyse."""
    router = APIRouter(prefix="/api/analyse")
    analyst = Analyst(workplace)

    @router.get("/benchmarks")
    def benchmarks() -> list[str]:
        from core.benchmarks import BENCHMARK_NAMES  # scipy loads only where it is needed

        return list(BENCHMARK_NAMES)

    @router.get("/metrics")
    def metrics(dataset: str) -> list[dict[str, Any]]:
        columns = analyst.table(dataset).metrics.values()
        return [{"name": column.name, "scale": column.scale, "has_raw": column.has_raw} for column in columns]

    @router.get("/correlations")
    def correlations(
        dataset: str, metric: Metrics, benchmark: str | None = None, slice_name: SliceName = None
    ) -> dict[str, Any]:
        return analyst.correlations(dataset, metric, benchmark or None, slice_name)

    @router.get("/points")
    def points(dataset: str, metric: Metrics, raw: bool = False, slice_name: SliceName = None) -> dict[str, Any]:
        return plot_columns(analyst.table(dataset, slice_name), metric, raw)

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
    def ratings(sample_id: int) -> list[dict[str, Any]]:
        return [asdict(rating) for rating in workplace.repository.analysis.ratings(sample_id)]

    @router.get("/slices")
    def slices(dataset: str) -> dict[str, Any]:
        whole = analyst.table(dataset)
        saved = workplace.repository.slices.all(dataset)
        listed = [slice_json(one) | {"samples": int(analyst.mask(dataset, whole, one).sum())} for one in saved]
        studies = [study for study in workplace.repository.studies.all() if study.dataset == dataset]
        rated = list(dict.fromkeys(criterion for study in studies for criterion in study.criteria))
        return {"slices": listed, "phrases": list(PHRASE_KINDS), "criteria": rated}

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

    @router.get("/studies/{study_id}")
    def study(study_id: int) -> dict[str, Any]:
        return study_results(workplace, workplace.repository.studies.get(study_id))

    return router


def plotly_route() -> APIRouter:
    """Return the route of plotly's own script, out of the installed package; only the Analyse page loads it."""
    router = APIRouter()

    @router.get("/capscope/plotly.min.js")
    def plotly() -> FileResponse:
        spec = find_spec("plotly")
        path = None if spec is None or spec.origin is None else Path(spec.origin).parent / "package_data/plotly.min.js"
        if path is None or not path.is_file():
            raise HTTPException(404, "Plots need the Python package plotly: install it.")
        return FileResponse(path, media_type="text/javascript", headers={"cache-control": "private, max-age=86400"})

    return router
