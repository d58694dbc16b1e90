"""The Analyse page's routes: correlations, arrays for plots, the largest errors, a sample's ratings, studies."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict

from core.analysis.caption_facts import PHRASE_KINDS
from core.analysis.slices import Slice, check_name, slice_of
from core.datasets import BENCHMARKS
from core.types import ErrorScale
from storage.analysis.analysis import RatedStudy, SampleRating, ScoredDataset
from ui.report.study_reports import StudyReports
from ui.services.analysis.analyst import Analyst, ErrorPage
from ui.services.analysis.correlation_json import Correlations
from ui.services.analysis.human_agreement import PeopleAgreement, people_agreement
from ui.services.analysis.metric_agreement import AgreementDesk
from ui.services.long_work import LongWorks
from ui.services.studies.study_results import StudyResults
from ui.services.workplace import Workplace
from ui.web.json.plots import PackedPoints, columns_csv, packed_mask, plot_columns
from ui.web.routes import Id
from ui.web.routes.error_analysis import error_routes
from ui.web.routes.large_plots import large_plot_routes
from ui.web.routes.long_work import follows, long_work_routes

PAGE = 25  # rows of the list of errors
Metrics = Annotated[list[str], Query(alias="metric", max_length=20)]
SliceName = Annotated[str | None, Query(alias="slice", max_length=200)]


class SliceBody(BaseModel):
    """A slice to save with its data set, as core.analysis.slices.slice_json writes it."""

    model_config = ConfigDict(extra="forbid")
    dataset: str
    slice: dict[str, Any]


@dataclass(frozen=True, slots=True)
class KnownMetric:
    """A metric that has scored samples of a data set."""

    name: str
    label: str  # what people read
    scale: tuple[float, float]
    has_raw: bool  # it has scores before smoothing
    scored: int  # samples


@dataclass(frozen=True, slots=True)
class PackedMembers:
    """Which samples of a data set belong to a slice."""

    stamp: str  # of the columns that the mask belongs to
    samples: int
    mask: str  # see packed_mask


@dataclass(frozen=True, slots=True)
class ListedErrors(ErrorPage):
    """A page of the largest errors."""

    page_size: int


@dataclass(frozen=True, slots=True)
class KnownSlice:
    """A saved slice."""

    slice: Slice
    samples: int  # that it holds


@dataclass(frozen=True, slots=True)
class Slices:
    """A data set's slices, and of what a new one can be made."""

    slices: list[KnownSlice]
    phrases: list[str]  # kinds of words
    criteria: list[str]  # that its samples are rated on


@dataclass(frozen=True, slots=True)
class Removed:
    """The name of what was removed."""

    removed: str


def analyse_routes(workplace: Workplace, analyst: Analyst, works: LongWorks, reports: StudyReports) -> APIRouter:
    """Return the routes under /api/analyse."""
    router = APIRouter(prefix="/api/analyse", dependencies=[Depends(follows(works))])
    agreement = AgreementDesk(analyst)

    @router.get("/datasets")
    def datasets() -> list[ScoredDataset]:
        return list(workplace.repository.analysis.scored_datasets())

    @router.get("/benchmarks")
    def benchmarks() -> list[str]:
        return [benchmark.name for benchmark in BENCHMARKS]

    @router.get("/metrics")
    def metrics(dataset: str) -> list[KnownMetric]:
        columns = analyst.table(dataset).metrics.values()
        return [KnownMetric(c.name, c.label, c.scale, c.has_raw, int(np.isfinite(c.value).sum())) for c in columns]

    @router.get("/unscored")
    def unscored(dataset: str) -> list[str]:
        return list(workplace.repository.analysis.unscored(dataset))

    @router.get("/correlations")
    def correlations(
        dataset: str,
        metric: Metrics,
        benchmark: str | None = None,
        slice_name: SliceName = None,
        intervals: bool = True,
        common: Annotated[list[str], Query(max_length=20)] = [],  # noqa: B006 - FastAPI makes a fresh one
    ) -> Correlations:
        return agreement.correlations(dataset, metric, benchmark or None, slice_name, intervals, common)

    @router.get("/people")
    def people(dataset: str, slice_name: SliceName = None) -> PeopleAgreement:
        return people_agreement(agreement, dataset, slice_name)

    @router.get("/points")
    def points(dataset: str, metric: Metrics, raw: bool = False) -> PackedPoints:
        stamp = str(analyst.stamp(dataset))  # before the columns: an import in between is then seen
        return plot_columns(stamp, analyst.table(dataset), metric, raw)

    @router.get("/members")
    def members(dataset: str, slice_name: Annotated[str, Query(alias="slice", max_length=200)]) -> PackedMembers:
        found = analyst.members(dataset, slice_name)
        return PackedMembers(found.stamp, int(found.mask.sum()), packed_mask(found.mask))

    @router.get("/data.csv", response_class=StreamingResponse)
    def data(dataset: str, metric: Metrics, slice_name: SliceName = None) -> StreamingResponse:
        table, people = analyst.table(dataset, slice_name), agreement.part(dataset, slice_name)
        return StreamingResponse(columns_csv(table, metric, people), media_type="text/csv; charset=utf-8")

    @router.get("/errors")
    def errors(
        dataset: str,
        metric: str,
        page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
        slice_name: SliceName = None,
        scale: ErrorScale = "plain",
    ) -> ListedErrors:
        found = analyst.errors(dataset, metric, (page - 1) * PAGE, PAGE, slice_name, scale)
        return ListedErrors(found.total, found.first, found.rows, PAGE)

    @router.get("/samples/{sample_id}/ratings")
    def ratings(sample_id: Id) -> list[SampleRating]:
        return list(workplace.repository.analysis.ratings(sample_id))

    @router.get("/slices")
    def slices(dataset: str) -> Slices:
        saved = workplace.repository.slices.all(dataset)
        listed = [KnownSlice(one, int(analyst.mask(dataset, one).sum())) for one in saved]
        rated = (criterion for study in workplace.repository.analysis.studies(dataset) for criterion in study.criteria)
        return Slices(listed, list(PHRASE_KINDS), list(dict.fromkeys(rated)))

    @router.put("/slices")
    def save_slice(body: SliceBody) -> Slice:
        chosen = slice_of(body.slice)
        check_name(chosen)
        for score in chosen.scores:
            analyst.table(body.dataset).metric(score.metric)
        workplace.repository.slices.save(body.dataset, chosen)
        return chosen

    @router.delete("/slices")
    def remove_slice(dataset: str, name: str) -> Removed:
        workplace.repository.slices.remove(dataset, name)
        return Removed(name)

    @router.get("/studies")
    def studies_of(dataset: str) -> list[RatedStudy]:
        return list(workplace.repository.analysis.studies(dataset))

    @router.get("/studies/{study_id}")
    def study(study_id: Id) -> StudyResults:
        return reports.results(study_id)

    router.include_router(error_routes(analyst, agreement))
    router.include_router(large_plot_routes(analyst))
    router.include_router(long_work_routes(works))
    return router
