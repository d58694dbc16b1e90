"""Routes for looking at data sets and samples. For researchers: metric names are shown."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Query, Response

from core.captions.trials import Trial
from core.regions import masks, outlines
from core.types import ImageRegion, Outcome
from storage.types import DatasetSummary, Search, StoredSample
from ui.services.trials import trials_of
from ui.services.workplace import Workplace
from ui.web.outcome_json import OutcomeJson, full_outcome_json, outcome_json
from ui.web.routes import Id, picture_response

PAGE = 25  # samples a page
Bound = Annotated[float | None, Query(allow_inf_nan=False)]
Name = Annotated[str | None, Query(max_length=100)]


@dataclass(frozen=True, slots=True)
class OutlineJson:
    """An annotated region to draw before anything has been judged."""

    label: str | None
    is_full: bool  # the whole picture
    area: int  # px
    path: str  # of an SVG in px of the picture


@dataclass(frozen=True, slots=True)
class SampleJson:
    """A sample as the pages get it."""

    id: int
    dataset: str
    key: str
    image: str | None  # address of the picture; "/small" behind it is that of its thumbnail. None: it was not found
    image_name: str
    image_size: tuple[int, int] | None  # (width, height) in px
    caption: str
    regions: int  # annotated ones, known only where one sample is asked for
    outlines: tuple[OutlineJson, ...]  # theirs, likewise
    trials: tuple[Trial, ...]  # edits of the caption that show something, likewise
    references: tuple[str, ...]
    human: float | None  # mean human judgement, [0, 1]
    judgements: tuple[float, ...]
    scores: list[OutcomeJson]


@dataclass(frozen=True, slots=True)
class FoundSamples:
    """A page of a search's results."""

    total: int
    page_size: int
    samples: list[SampleJson]


def browse_routes(workplace: Workplace) -> APIRouter:
    """Return the routes under /api for data sets, samples and pictures."""
    router = APIRouter(prefix="/api")
    samples = workplace.repository.samples

    @router.get("/datasets")
    def datasets() -> list[DatasetSummary]:
        return list(samples.datasets())

    @router.get("/samples")
    def search(
        dataset: Name = None,
        text: Annotated[str, Query(max_length=500)] = "",
        metric: Name = None,
        lowest: Bound = None,
        highest: Bound = None,
        page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    ) -> FoundSamples:
        wanted = Search(dataset or None, text, metric or None, lowest, highest)
        found = samples.search(wanted, (page - 1) * PAGE, PAGE)
        return FoundSamples(found.total, PAGE, [sample_json(sample, outcome_json) for sample in found.samples])

    @router.get("/samples/{sample_id}")
    def one(sample_id: Id) -> SampleJson:
        stored = samples.get(sample_id)
        return replace(
            sample_json(stored, full_outcome_json),
            outlines=tuple(_outline(region) for region in stored.sample.image.regions),
            trials=trials_of(stored.sample),
        )

    @router.get("/images/{image_id}/small")
    def small(image_id: Id) -> Response:
        return picture_response(workplace.pictures.small(samples.image(image_id)))

    @router.get("/images/{image_id}")
    def full(image_id: Id) -> Response:
        return picture_response(workplace.pictures.full(samples.image(image_id)))

    return router


def _outline(region: ImageRegion) -> OutlineJson:
    """Return an annotated region as the page draws it. Raises BadMask."""
    path = outlines.svg_path(region.rle, region.size)
    return OutlineJson(region.label, region.is_full, masks.area(region.rle, region.size), path)


def sample_json(stored: StoredSample, show: Callable[[Outcome], OutcomeJson]) -> SampleJson:
    """Return a sample as the pages get it, each outcome as show writes it."""
    sample = stored.sample
    image = sample.image
    size = None if image.width is None or image.height is None else (image.width, image.height)
    return SampleJson(
        id=stored.id,
        dataset=stored.dataset,
        key=sample.key,
        image=None if image.sha256 is None else f"/api/images/{stored.image_id}",
        image_name=image.name,
        image_size=None if image.sha256 is None else size,
        caption=sample.candidate,
        regions=len(image.regions),
        outlines=(),
        trials=(),
        references=sample.references,
        human=sample.human,
        judgements=sample.judgements,
        scores=[show(outcome) for outcome in stored.outcomes],
    )
