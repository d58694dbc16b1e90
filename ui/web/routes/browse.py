"""Routes to browse data sets and samples. They are for researchers, because they show metric names."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from core.types import LONGEST_SYSTEM
from storage.types import DatasetSummary, SampleSort, Search
from ui.services.analysis import listing
from ui.services.scoring.reading import trials_of
from ui.web.access.gates import gate
from ui.web.json.outcomes import full_outcome_json, outcome_json
from ui.web.json.samples import SampleJson, outlines_json, sample_json
from ui.web.routes import Id, Place, picture_response, response_of
from ui.web.routes.dependencies import AnalystDep, RepositoryDep, WorkplaceDep

PAGE = 25  # number of samples per page
Bound = Annotated[float | None, Field(allow_inf_nan=False)]
Name = Annotated[str | None, Field(max_length=100)]


@dataclass(frozen=True, slots=True)
class FoundSamples:
    """A page of search results."""

    total: int
    page_size: int
    page: int  # from 1
    before: int | None  # id of the sample before the first sample of this page; None: no sample comes before
    after: int | None
    samples: list[SampleJson]


class ListBody(BaseModel):
    """Filters and order of a list of samples. If a field is missing, it excludes no sample."""

    model_config = ConfigDict(extra="ignore")  # ignores `page` and `around`, which are separate parameters
    dataset: Name = None
    text: Annotated[str, Field(max_length=500)] = ""
    metric: Name = None
    lowest: Bound = None
    highest: Bound = None
    code: Name = None
    system: Annotated[str | None, Field(max_length=LONGEST_SYSTEM)] = None
    slice: Annotated[str | None, Field(max_length=200)] = None
    sort: SampleSort = "imported"
    falling: bool = False

    def search(self) -> Search:
        """Return the filters and the order as a search, without the slice.

        The slice (saved filter) is applied elsewhere.
        """
        return Search(**self.model_dump(exclude={"slice"}))


@dataclass(frozen=True, slots=True)
class Filters:
    """The error codes, captioners and slices (saved filters) by which a data set's list can be filtered."""

    codes: tuple[str, ...]  # error codes that coders have given
    systems: tuple[str, ...]  # captioners
    slices: tuple[str, ...]


ROUTER = APIRouter(prefix="/api")


@ROUTER.get("/datasets", **gate("viewer"))
def datasets(repository: RepositoryDep) -> list[DatasetSummary]:
    """List the data sets."""
    return list(repository.samples.datasets())


@ROUTER.get("/samples", **gate("viewer"))
def search(
    asked: Annotated[ListBody, Query()],
    analyst: AnalystDep,
    page: Place = 1,
    around: Annotated[int | None, Query(ge=1)] = None,
) -> FoundSamples:
    """Return a page of samples."""
    samples = listing.page(analyst, asked.search(), asked.slice, (page - 1) * PAGE, PAGE, around)
    shown = [sample_json(sample, outcome_json) for sample in samples.samples]
    return FoundSamples(samples.total, PAGE, samples.offset // PAGE + 1, samples.before, samples.after, shown)


@ROUTER.get("/samples.jsonl", response_class=StreamingResponse, **gate("viewer", "samples exported"))
def export(asked: Annotated[ListBody, Query()], analyst: AnalystDep) -> StreamingResponse:
    """Return the listed samples as JSONL."""
    lines = listing.lines(analyst, asked.search(), asked.slice)
    headers = {"content-disposition": 'attachment; filename="capscope-samples.jsonl"', "cache-control": "no-store"}
    return StreamingResponse(lines, media_type="application/x-ndjson; charset=utf-8", headers=headers)


@ROUTER.get("/filters", **gate("viewer"))
def filters(dataset: str, repository: RepositoryDep) -> Filters:
    """Return the values by which a data set's list can be filtered."""
    saved = repository.slices.all(dataset)
    names = repository.analysis.captioner_names(dataset)
    return Filters(repository.codings.used(dataset), names, tuple(one.name for one in saved))


@ROUTER.get("/samples/{sample_id}", **gate("viewer"))
def one(sample_id: Id, workplace: WorkplaceDep, repository: RepositoryDep) -> SampleJson:
    """Return a sample with its scores and explanations."""
    stored = repository.samples.get(sample_id)
    shown = sample_json(stored, partial(full_outcome_json, metrics=workplace.metrics))
    drawn = outlines_json(stored.sample.image.regions)
    return replace(shown, outlines=drawn, trials=trials_of(stored.sample))


@ROUTER.get("/images/{image_id}/small", **gate("viewer"))
def small(image_id: Id, workplace: WorkplaceDep, repository: RepositoryDep) -> Response:
    """Return a picture's thumbnail."""
    return response_of(workplace.pictures.small(repository.samples.image(image_id)))


@ROUTER.get("/images/{image_id}", **gate("viewer"))
async def full(image_id: Id, workplace: WorkplaceDep, repository: RepositoryDep) -> Response:
    """Return a picture in full size."""
    return await picture_response(workplace.pictures, await run_in_threadpool(repository.samples.image, image_id))
