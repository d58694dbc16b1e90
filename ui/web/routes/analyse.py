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
from core.metrics import meanings_of
from core.types import ErrorScale
from storage.analysis.rated_samples import RatedStudy, SampleRating
from storage.analysis.scored_datasets import ScoredDataset
from ui.services.analysis.correlation_tables import Correlations
from ui.services.analysis.human_agreement import PeopleAgreement, people_agreement
from ui.services.analysis.largest_errors import ErrorPage, largest_errors
from ui.services.analysis.score_parts import KnownPart, known_parts, parts_beside_people
from ui.services.studies.study_results import StudyResults
from ui.web.json.plots import PackedPoints, columns_csv, packed_mask, plot_columns
from ui.web.routes import Id
from ui.web.routes.dependencies import AgreementDep, AnalystDep, ReportsDep, RepositoryDep, WorkplaceDep
from ui.web.routes.long_work import followed

PAGE = 25  # number of rows per page of the list of errors
Metrics = Annotated[list[str], Query(alias="metric", max_length=20)]
Parts = Annotated[list[str], Query(max_length=20)]
SliceName = Annotated[str | None, Query(alias="slice", max_length=200)]


class SliceBody(BaseModel):
    """A slice (saved filter of samples) to store, and its data set.

    slice: the slice as JSON values, as core.analysis.slices.slice_json returns it.
    """

    model_config = ConfigDict(extra="forbid")
    dataset: str
    slice: dict[str, Any]


@dataclass(frozen=True, slots=True)
class KnownMetric:
    """A metric that has scored samples of a data set."""

    name: str
    label: str  # the column's name as people see it
    scale: tuple[float, float]
    has_raw: bool  # True: the metric has scores before smoothing
    scored: int  # samples
    by_people: bool  # True: people gave these scores, so they are not compared with people's judgements
    own: str  # column with the whole scores: `name`, or another one if `name` has only a component, such as precision
    part: str  # part of the scores that the column contains, such as "precision"; "": whole scores
    beside_people: list[str]  # columns of score parts, each followed by the column of people's judgements of that part


@dataclass(frozen=True, slots=True)
class PackedMembers:
    """The samples of a data set that belong to a slice (saved filter)."""

    stamp: str  # version of the data set's columns from which `mask` was computed
    samples: int
    mask: str  # see packed_mask


@dataclass(frozen=True, slots=True)
class ListedErrors(ErrorPage):
    """A page of the samples with the largest errors of scores."""

    page_size: int


@dataclass(frozen=True, slots=True)
class KnownSlice:
    """A saved slice (filter of samples)."""

    slice: Slice
    samples: int  # number of samples that the filter selects
    rated: bool  # True: people judged captions of the slice separately, not in pairs


@dataclass(frozen=True, slots=True)
class Slices:
    """A data set's slices (saved filters), and values for a new filter.

    A user who makes a slice selects from these values.
    """

    slices: list[KnownSlice]
    phrases: list[str]  # kinds of words that filters offer
    criteria: list[str]  # criteria on which samples were rated
    systems: list[str]  # captioners
    own: dict[str, list[str]]  # key: column of the researcher's own table; value: its different values


@dataclass(frozen=True, slots=True)
class Removed:
    """The name of the slice (saved filter) that was removed."""

    removed: str


ROUTER = APIRouter(prefix="/api/analyse", dependencies=[Depends(followed)])


@ROUTER.get("/datasets")
def datasets(repository: RepositoryDep) -> list[ScoredDataset]:
    """List the data sets that have scores."""
    return list(repository.analysis.scored_datasets())


@ROUTER.get("/benchmarks")
def benchmarks() -> list[str]:
    """List the benchmarks by whose rules agreement with people can be computed."""
    return [benchmark.name for benchmark in BENCHMARKS]


@ROUTER.get("/metrics")
def metrics(dataset: str, analyst: AnalystDep, part: Parts = []) -> list[KnownMetric]:  # noqa: B006 - as below
    """List the metrics that scored a data set.

    Some metrics' scores have parts, such as precision. Each metric is followed by those of its parts that are
    requested. part: the names of all requested parts, of any metric.
    """
    table, here = analyst.table(dataset), analyst.workplace.metrics
    asked = [column for column in map(table.find, part) if column is not None and column.part]
    columns = [c for own in table.metrics.values() for c in (own, *(one for one in asked if one.own == own.name))]
    return [
        KnownMetric(
            *(c.name, c.label, c.scale, c.has_raw, int(np.isfinite(c.value).sum()), c.by_people, c.own, c.part),
            parts_beside_people(table, c, meanings_of(c.metric, here)),
        )
        for c in columns
    ]


@ROUTER.get("/parts")
def parts(dataset: str, metric: str, analyst: AnalystDep) -> list[KnownPart]:
    """List the parts of a metric's scores, such as precision."""
    return known_parts(analyst, dataset, metric)


@ROUTER.get("/unscored")
def unscored(dataset: str, repository: RepositoryDep) -> list[str]:
    """List the metrics whose scores a data set lacks."""
    return list(repository.analysis.unscored(dataset))


@ROUTER.get("/correlations")
def correlations(
    dataset: str,
    metric: Metrics,
    agreement: AgreementDep,
    benchmark: str | None = None,
    slice_name: SliceName = None,
    intervals: bool = True,
    common: Annotated[list[str], Query(max_length=20)] = [],  # noqa: B006 - FastAPI makes a fresh one
) -> Correlations:
    """Return how far metrics agree with people."""
    return agreement.correlations(dataset, metric, benchmark or None, slice_name, intervals, common)


@ROUTER.get("/people")
def people(dataset: str, agreement: AgreementDep, slice_name: SliceName = None) -> PeopleAgreement:
    """Return how far people agree with each other."""
    return people_agreement(agreement, dataset, slice_name)


@ROUTER.get("/points")
def points(dataset: str, metric: Metrics, analyst: AnalystDep, raw: bool = False) -> PackedPoints:
    """Return the columns of a plot in base64."""
    stamp = str(analyst.stamp(dataset))  # read first, so that an import during this request makes the stamp outdated
    return plot_columns(stamp, analyst.table(dataset), metric, raw)


@ROUTER.get("/members")
def members(
    dataset: str, slice_name: Annotated[str, Query(alias="slice", max_length=200)], analyst: AnalystDep
) -> PackedMembers:
    """Return which samples belong to a slice (saved filter), as a mask."""
    samples = analyst.members(dataset, slice_name)
    return PackedMembers(samples.stamp, int(samples.mask.sum()), packed_mask(samples.mask))


@ROUTER.get("/data.csv", response_class=StreamingResponse)
def data(
    dataset: str, metric: Metrics, analyst: AnalystDep, agreement: AgreementDep, slice_name: SliceName = None
) -> StreamingResponse:
    """Return a plot's columns as CSV."""
    table, people = analyst.table(dataset, slice_name), agreement.part(dataset, slice_name)
    pictures = analyst.workplace.repository.analysis.image_names(dataset)
    return StreamingResponse(columns_csv(table, metric, people, pictures), media_type="text/csv; charset=utf-8")


@ROUTER.get("/errors")
def errors(
    dataset: str,
    metric: str,
    analyst: AnalystDep,
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    slice_name: SliceName = None,
    scale: ErrorScale = "plain",
) -> ListedErrors:
    """Return a page of samples with the largest errors of a metric."""
    page_of_errors = largest_errors(analyst, dataset, metric, (page - 1) * PAGE, PAGE, slice_name, scale)
    return ListedErrors(page_of_errors.total, page_of_errors.first, page_of_errors.rows, PAGE)


@ROUTER.get("/samples/{sample_id}/ratings")
def ratings(sample_id: Id, workplace: WorkplaceDep) -> list[SampleRating]:
    """List raters' judgements of a sample."""
    return list(workplace.repository.analysis.ratings(sample_id))


@ROUTER.get("/slices")
def slices(dataset: str, repository: RepositoryDep, analyst: AnalystDep) -> Slices:
    """List a data set's slices (saved filters), and values for a new filter.

    A user who makes a slice selects from these values.
    """
    saved = repository.slices.all(dataset)
    is_rated = np.isfinite(analyst.table(dataset).human)
    masks = [analyst.mask(dataset, one) for one in saved]
    listed = [
        KnownSlice(one, int(mask.sum()), bool(is_rated[mask].any())) for one, mask in zip(saved, masks, strict=True)
    ]
    studies = repository.analysis.studies(dataset)
    rated = (criterion for study in studies for criterion in study.criteria)
    names = repository.analysis.captioner_names(dataset)
    own = {column: list(values) for column, values in repository.analysis.own_columns(dataset).items()}
    return Slices(listed, list(PHRASE_KINDS), list(dict.fromkeys(rated)), list(names), own)


@ROUTER.put("/slices")
def save_slice(body: SliceBody, repository: RepositoryDep, analyst: AnalystDep) -> Slice:
    """Save a slice (filter of samples)."""
    chosen = slice_of(body.slice)
    check_name(chosen)
    for column in chosen.columns:
        analyst.table(body.dataset).metric(column)
    repository.slices.save(body.dataset, chosen)
    return chosen


@ROUTER.delete("/slices")
def remove_slice(dataset: str, name: str, repository: RepositoryDep) -> Removed:
    """Remove a slice (saved filter)."""
    repository.slices.remove(dataset, name)
    return Removed(name)


@ROUTER.get("/studies")
def studies_of(dataset: str, workplace: WorkplaceDep) -> list[RatedStudy]:
    """List the studies of a data set."""
    return list(workplace.repository.analysis.studies(dataset))


@ROUTER.get("/studies/{study_id}")
def study(study_id: Id, reports: ReportsDep) -> StudyResults:
    """Return the results of a study."""
    return reports.results(study_id)
