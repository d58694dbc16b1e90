"""Regions that users draw and name on their own pictures. With these labels, captions can be scored by labels."""

from collections.abc import Sequence

from core.errors import BadMask, BadSetting
from core.regions import masks
from core.types import ImageRegion
from storage.types import StoredSample
from ui.services.importing.own_pictures import DATASET, clean_text
from ui.services.workplace import Workplace

MOST_REGIONS = 100  # regions of one picture
LONGEST_LABEL = 60  # characters

Point = tuple[float, float]  # (x, y) in px of the picture


def add_own_region(workplace: Workplace, sample_id: int, label: str, outline: Sequence[Point]) -> int:
    """Add a named region to the picture of a sample. Return the number of its regions.

    Raises NotFound, BadMask for an outline without area, and BadSetting for a picture of another data set or an invalid
    name. Raises AlreadyExists if raters rate scores of its regions.
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
    """Remove region n of a sample's picture, counted from 0. Return how many are left.

    Raises as add_own_region does.
    """
    return workplace.repository.remove_region(_own(workplace, sample_id).image_id, nth)


def may_draw(stored: StoredSample) -> bool:
    """Return whether users may draw regions on a sample's picture. The picture must be a user's own and exist."""
    return stored.dataset == DATASET and stored.sample.image.path is not None


def _own(workplace: Workplace, sample_id: int) -> StoredSample:
    stored = workplace.repository.samples.get(sample_id)
    if not may_draw(stored):
        raise BadSetting("You can draw regions only on your own pictures. Use `annotate` to add regions to a data set.")
    return stored
