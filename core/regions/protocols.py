"""The interfaces of region finders and region encoders."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from core.regions import masks
from core.types import ImageRef, ImageRegion

Features = npt.NDArray[np.float64]  # [count, dimension], each row of length 1


LABELS = "labels"  # the kind of encoder that reads only the labels of regions and ignores the picture


def encoder_kind(encoder: str) -> str:
    """Return an encoder's kind: the part of its name before its checkpoint, such as "labels" or "alpha-clip"."""
    return encoder.split("/")[0].split("@")[0]


class RegionFinder(Protocol):
    """Finds the regions of a picture."""

    @property
    def name(self) -> str:
        """The finder's name in signatures, e.g. ``annotated`` or ``mobile-sam-v2/<checkpoint>``."""
        ...

    def regions(self, image: ImageRef) -> tuple[ImageRegion, ...]:
        """Return the picture's regions, the last of which is the whole picture.

        If there are no other regions, the whole picture is the only one. Raises BadImage, NotFound.
        """
        ...


class RegionEncoder(Protocol):
    """Encodes regions and texts as features in the same space, so that cosines can compare them."""

    @property
    def name(self) -> str:
        """The encoder's name and checkpoint in signatures, e.g. ``labels/all-MiniLM-L6-v2@53aa51172d14``."""
        ...

    @property
    def weight(self) -> float:
        """The factor w by which the cosine of region and text is multiplied: 2.5 for CLIP, 1.25 for labels.

        Negative cosines become 0.
        """
        ...

    def encode_regions(self, image: ImageRef, regions: Sequence[ImageRegion]) -> Features:
        """Return unit features [len(regions), dimension] of regions of one picture. Raises BadImage."""
        ...

    def encode_texts(self, texts: Sequence[str]) -> Features:
        """Return unit features [len(texts), dimension]."""
        ...


def with_full(regions: Sequence[ImageRegion], size: tuple[int, int]) -> tuple[ImageRegion, ...]:
    """Return the regions that are not empty, and as the last region the whole picture.

    size: (height, width) of the picture in px.
    """
    whole = ImageRegion(masks.full(size), size, is_full=True)
    return (*(region for region in regions if masks.area(region.rle, region.size)), whole)
