"""Routes to browse data sets and samples. They are for researchers, because they show metric names."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from core.captions.caption_edits import Trial
from core.regions import masks, outlines
from core.signature import kind_of
from core.types import LONGEST_SYSTEM, ImageRegion, Outcome
from storage.types import DatasetSummary, SampleSort, Search, StoredSample
from ui.services.demo import licence_of
from ui.services.scoring.caption_trials import trials_of
from ui.services.scoring.own_regions import may_draw
from ui.web.json.outcomes import DrawnRegionJson, OutcomeJson, full_outcome_json, outcome_json
from ui.web.routes import Id, Place, picture_response, response_of
from ui.web.routes.dependencies import ListingDep, RepositoryDep, WorkplaceDep
from ui.web.routes.long_work import followed

PAGE = 25  # number of samples per page
Bound = Annotated[float | None, Field(allow_inf_nan=False)]
Name = Annotated[str | None, Field(max_length=100)]


@dataclass(frozen=True, slots=True)
class OutlineJson:
    """An annotated region that is shown before a metric has scored the sample."""

    label: str | None
    is_full: bool  # True: the region is the whole picture
    area: int  # px
    path: str  # SVG path in px of the picture; "": the same as the region with this index in the score


@dataclass(frozen=True, slots=True)
class SampleJson:
    """A sample as the pages show it."""

    id: int
    dataset: str
    key: str
    image: str | None  # address of the picture; None: it was not found
    thumbnail: str | None  # address of the thumbnail; None: the picture was not found
    screen: str | None  # address of a reduced copy for screens; only in responses about one sample
    image_name: str
    licence: str | None  # licence of the picture; None: unknown
    image_size: tuple[int, int] | None  # (width, height) of the picture in px; None: unknown
    caption: str
    system: str | None  # the captioner; None: unknown
    regions: int  # number of annotated regions; only in responses about one sample
    outlines: tuple[OutlineJson, ...]  # annotated regions to draw; only in responses about one sample
    trials: tuple[Trial, ...]  # suggested edits of the caption; only in responses about one sample
    may_draw: bool  # True: users may draw regions on the picture
    references: tuple[str, ...]
    human: float | None  # mean human judgement, [0, 1]
    judgements: tuple[float, ...]
    scores: list[OutcomeJson]
    older: tuple[str, ...]  # signatures of outcomes that are older than another outcome of the same metric and model


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
    picture: bool | None = None
    regions: bool | None = None
    explained: bool | None = None
    code: Name = None
    system: Annotated[str | None, Field(max_length=LONGEST_SYSTEM)] = None
    slice: Annotated[str | None, Field(max_length=200)] = None
    sort: SampleSort = "imported"
    falling: bool = False
    other: Name = None

    def search(self) -> Search:
        """Return the search of the request without its slice.

        The slice (saved filter) is applied elsewhere.
        """
        return Search(**self.model_dump(exclude={"slice"}))


class NewDataset(BaseModel):
    """A data set to make from the listed samples."""

    model_config = ConfigDict(extra="forbid")
    name: Annotated[str, Field(max_length=200)]
    samples: ListBody


@dataclass(frozen=True, slots=True)
class MadeDataset:
    """A new data set."""

    name: str
    samples: int


@dataclass(frozen=True, slots=True)
class Filters:
    """The error codes, captioners and slices (saved filters) by which a data set's list can be filtered."""

    codes: tuple[str, ...]  # error codes that coders have given
    systems: tuple[str, ...]  # captioners
    slices: tuple[str, ...]


ROUTER = APIRouter(prefix="/api")


@ROUTER.get("/datasets")
def datasets(repository: RepositoryDep) -> list[DatasetSummary]:
    """List the data sets."""
    return list(repository.samples.datasets())


@ROUTER.get("/samples")
def search(
    asked: Annotated[ListBody, Query()],
    listing: ListingDep,
    page: Place = 1,
    around: Annotated[int | None, Query(ge=1)] = None,
) -> FoundSamples:
    """Return a page of samples."""
    found = listing.page(asked.search(), asked.slice, (page - 1) * PAGE, PAGE, around)
    shown = [sample_json(sample, outcome_json) for sample in found.samples]
    return FoundSamples(found.total, PAGE, found.offset // PAGE + 1, found.before, found.after, shown)


@ROUTER.get("/samples.jsonl", response_class=StreamingResponse)
def export(asked: Annotated[ListBody, Query()], listing: ListingDep) -> StreamingResponse:
    """Return the listed samples as JSONL."""
    lines = listing.lines(asked.search(), asked.slice)
    headers = {"content-disposition": 'attachment; filename="capscope-samples.jsonl"', "cache-control": "no-store"}
    return StreamingResponse(lines, media_type="application/x-ndjson; charset=utf-8", headers=headers)


@ROUTER.get("/filters")
def filters(dataset: str, repository: RepositoryDep) -> Filters:
    """Return the values by which a data set's list can be filtered."""
    saved = repository.slices.all(dataset)
    names = repository.analysis.captioner_names(dataset)
    return Filters(repository.codings.used(dataset), names, tuple(one.name for one in saved))


@ROUTER.post("/datasets", status_code=201, dependencies=[Depends(followed)])
def make_dataset(body: NewDataset, listing: ListingDep) -> MadeDataset:
    """Make a data set from the listed samples."""
    return MadeDataset(body.name.strip(), listing.make_dataset(body.samples.search(), body.samples.slice, body.name))


@ROUTER.get("/samples/{sample_id}")
def one(sample_id: Id, workplace: WorkplaceDep, repository: RepositoryDep) -> SampleJson:
    """Return a sample with its scores and explanations."""
    stored = repository.samples.get(sample_id)
    shown = sample_json(stored, partial(full_outcome_json, metrics=workplace.metrics))
    drawn = tuple(_outline(region) for region in stored.sample.image.regions)
    screen = f"{shown.image}/screen" if workplace.pictures.screen(stored.sample.image) else None
    return replace(shown, screen=screen, outlines=_sent_once(drawn, shown.scores), trials=trials_of(stored.sample))


@ROUTER.get("/images/{image_id}/small")
def small(image_id: Id, workplace: WorkplaceDep, repository: RepositoryDep) -> Response:
    """Return a picture's thumbnail."""
    return response_of(workplace.pictures.small(repository.samples.image(image_id)))


@ROUTER.get("/images/{image_id}/screen")
def screen(image_id: Id, workplace: WorkplaceDep, repository: RepositoryDep) -> Response:
    """Return a reduced copy of a picture for screens."""
    return response_of(workplace.pictures.screen(repository.samples.image(image_id)))


@ROUTER.get("/images/{image_id}")
async def full(image_id: Id, workplace: WorkplaceDep, repository: RepositoryDep) -> Response:
    """Return a picture in full size."""
    return await picture_response(workplace.pictures, await run_in_threadpool(repository.samples.image, image_id))


def _outline(region: ImageRegion) -> OutlineJson:
    """Return an annotated region for the page. Raises BadMask."""
    path = outlines.svg_path(region.rle, region.size)
    return OutlineJson(region.label, region.is_full, masks.area(region.rle, region.size), path)


def _sent_once(drawn: tuple[OutlineJson, ...], scores: Sequence[OutcomeJson]) -> tuple[OutlineJson, ...]:
    """Return outlines without the paths that a score's regions also have.

    So each path is sent to the page only once.
    """
    links = next((score.links for score in scores if score.links and len(score.links.regions) >= len(drawn)), None)
    if links is None or not all(map(_is_same, drawn, links.regions)):
        return drawn
    return tuple(replace(one, path="") for one in drawn)


def _is_same(one: OutlineJson, other: DrawnRegionJson) -> bool:
    return (one.path, one.is_full) == (other.path, other.is_full)


def _older(stored: StoredSample) -> tuple[str, ...]:
    newest: dict[str, tuple[int, str]] = {}
    for score_id, outcome in zip(stored.score_ids, stored.outcomes, strict=True):
        kind = kind_of(outcome.signature)
        newest[kind] = max(newest.get(kind, (0, "")), (score_id, outcome.signature))
    kept = {signature for _, signature in newest.values()}
    return tuple(outcome.signature for outcome in stored.outcomes if outcome.signature not in kept)


def sample_json(stored: StoredSample, show: Callable[[Outcome], OutcomeJson]) -> SampleJson:
    """Return a sample as the pages show it.

    show: a function that turns a score or an error into JSON.
    """
    sample = stored.sample
    image = sample.image
    size = None if image.width is None or image.height is None else (image.width, image.height)
    return SampleJson(
        id=stored.id,
        dataset=stored.dataset,
        key=sample.key,
        image=None if image.sha256 is None else f"/api/images/{stored.image_id}",
        thumbnail=None if image.sha256 is None else f"/api/images/{stored.image_id}/small",
        screen=None,
        image_name=image.name,
        licence=licence_of(stored.dataset, image.name),
        image_size=None if image.sha256 is None else size,
        caption=sample.candidate,
        system=sample.system,
        regions=len(image.regions),
        outlines=(),
        trials=(),
        may_draw=may_draw(stored),
        references=sample.references,
        human=sample.human,
        judgements=sample.judgements,
        scores=[show(outcome) for outcome in stored.outcomes],
        older=_older(stored),
    )
