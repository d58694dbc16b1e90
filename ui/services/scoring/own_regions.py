"""Regions that somebody draws on a picture of their own and names, so that its captions can be judged by labels."""

from collections.abc import Sequence

from core.errors import BadMask, BadSetting
from core.regions import masks
from core.types import ImageRegion
from storage.types import StoredSample
from ui.services.importing.own_pictures import DATASET, clean_text
from ui.services.workplace import Workplace

MOST_REGIONS = 100  # of a picture
LONGEST_LABEL = 60  # characters

Point = tuple[float, float]  # (x, y) in px of the picture


def add_own_region(workplace: Workplace, sample_id: int, label: str, outline: Sequence[Point]) -> int:
    """Add a named region to the picture of a sample; returns how many it has now.

    Raises NotFound, BadMask for an outline without area, BadSetting for a picture of another data set or a name that
    is none, AlreadyExists where raters judge scores of its regions.
    """
    stored = _own(workplace, sample_id)
    name = clean_text(label)
    if not 1 <= len(name) <= LONGEST_LABEL:
        raise BadSetting(f"Name what the region shows in 1 to {LONGEST_LABEL} characters.")
    width, height = stored.sample.image.width or 0, stored.sample.image.height or 0
    numbers = [number for x, y in outline for number in (min(max(x, 0), width), min(max(y, 0), height))]
    size = (height, width)
    rle = masks.from_polygons([numbers], size)
    if not masks.area(rle, size):
        raise BadMask("an outline with an area", "one without any")
    return workplace.repository.add_region(stored.image_id, ImageRegion(rle, size, name), MOST_REGIONS)


def remove_own_region(workplace: Workplace, sample_id: int, nth: int) -> int:
    """Take away the n-th region of a sample's picture, from 0; returns how many are left. Raises as adding does."""
    return workplace.repository.remove_region(_own(workplace, sample_id).image_id, nth)


def may_draw(stored: StoredSample) -> bool:
    """Return whether regions may be drawn on a sample's picture: it was brought to the page, and is there."""
    return stored.dataset == DATASET and stored.sample.image.path is not None


def _own(workplace: Workplace, sample_id: int) -> StoredSample:
    stored = workplace.repository.samples.get(sample_id)
    if not may_draw(stored):
        raise BadSetting("Regions are drawn on pictures of your own; `annotate` gives a data set its regions.")
    return stored
