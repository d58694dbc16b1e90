"""Samples as pages show them: caption, scores, and the outlines of regions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.captions.edits import Trial
from core.regions import masks, outlines
from core.signature import kind_of
from core.types import ImageRegion, Outcome
from storage.types import StoredSample
from ui.region_words import names
from ui.services.demo import licence_of
from ui.services.scoring.own_regions import may_draw
from ui.web.json.outcomes import OutcomeJson


@dataclass(frozen=True, slots=True)
class OutlineJson:
    """An annotated region that is shown before a metric has scored the sample."""

    label: str | None
    name: str
    is_full: bool  # True: the region is the whole picture
    area: int  # px
    path: str  # smooth SVG path in px of the picture
    thickness: float  # px: twice the area, divided by the length of the outline


@dataclass(frozen=True, slots=True)
class SampleJson:
    """A sample as the pages show it."""

    id: int
    dataset: str
    key: str
    image: str | None  # address of the picture; None: it was not found
    thumbnail: str | None  # address of the thumbnail; None: the picture was not found
    image_name: str
    licence: str | None  # licence of the picture; None: unknown
    image_size: tuple[int, int] | None  # (width, height) in px
    caption: str
    system: str | None  # the captioner; None: unknown
    regions: int  # number of annotated regions; only in responses about one sample
    outlines: tuple[OutlineJson, ...]  # annotated regions to draw; only in responses about one sample
    trials: tuple[Trial, ...]  # suggested edits of the caption; only in responses about one sample
    may_draw: bool  # True: users may draw regions on the picture
    references: tuple[str, ...]
    human: float | None  # mean human judgement, [0, 1]
    judgements: tuple[float, ...]
    scores: list[OutcomeJson]  # of each metric and model the newest score


def outlines_json(regions: Sequence[ImageRegion]) -> tuple[OutlineJson, ...]:
    """Return the annotated regions for the page. Raises BadMask."""
    drawn = []
    for region, name in zip(regions, names(regions), strict=True):
        shape, area = outlines.shape(region.rle, region.size), masks.area(region.rle, region.size)
        drawn.append(OutlineJson(region.label, name, region.is_full, area, shape.path, shape.thickness))
    return tuple(drawn)


def _newest(stored: StoredSample) -> list[Outcome]:
    newest: dict[str, int] = {}
    kinds = [kind_of(outcome.signature) for outcome in stored.outcomes]
    for score_id, kind in zip(stored.score_ids, kinds, strict=True):
        newest[kind] = max(newest.get(kind, 0), score_id)
    rows = zip(stored.score_ids, stored.outcomes, kinds, strict=True)
    return [outcome for score_id, outcome, kind in rows if score_id == newest[kind]]


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
        scores=[show(outcome) for outcome in _newest(stored)],
    )
