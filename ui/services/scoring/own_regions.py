"""Regions that users draw and label on their own pictures. Metrics can then score captions by these labels."""

from collections.abc import Sequence

from core.errors import BadMask, BadSetting
from core.regions import masks
from core.types import ImageRegion
from storage.types import StoredSample
from ui.services.importing.own_pictures import DATASET, clean_text
from ui.services.workplace import Workplace

MOST_REGIONS = 100  # maximum number of regions of one picture
LONGEST_LABEL = 60  # characters

Point = tuple[float, float]  # (x, y) in pixels of the picture


def add_own_region(workplace: Workplace, sample_id: int, label: str, outline: Sequence[Point]) -> int:
    """Add a labelled region to a sample's picture.

    Return the picture's number of regions. Raises NotFound, and BadMask for an outline without area. Raises BadSetting
    for a picture of another data set or an invalid label. Raises AlreadyExists if raters rate scores that use the
    picture's regions.
    """
    stored = _own(workplace, sample_id)
    name = clean_text(label)
    if not 1 <= len(name) <= LONGEST_LABEL:
        raise BadSetting(f"Write what the region shows, in 1 to {LONGEST_LABEL} characters.")
    width, height = stored.sample.image.width or 0, stored.sample.image.height or 0
    numbers = [number for x, y in outline for number in (min(max(x, 0), width), min(max(y, 0), height))]
    size = (height, width)
    rle = masks.from_polygons([numbers], size)
    if not masks.area(rle, size):
        raise BadMask("an outline that encloses an area", "one without any")
    return workplace.repository.add_region(stored.image_id, ImageRegion(rle, size, name), MOST_REGIONS)


def remove_own_region(workplace: Workplace, sample_id: int, nth: int) -> int:
    """Remove region `nth` of a sample's picture, counted from 0.

    Return how many regions remain. Raises the same errors as add_own_region.
    """
    return workplace.repository.remove_region(_own(workplace, sample_id).image_id, nth)


def may_draw(stored: StoredSample) -> bool:
    """Return whether users may draw regions on a sample's picture.

    They may if it is a user's own picture and its file exists.
    """
    return stored.dataset == DATASET and stored.sample.image.path is not None


def _own(workplace: Workplace, sample_id: int) -> StoredSample:
    stored = workplace.repository.samples.get(sample_id)
    if not may_draw(stored):
        raise BadSetting("You can draw regions only on your own pictures. Use `annotate` to add regions to a data set.")
    return stored
