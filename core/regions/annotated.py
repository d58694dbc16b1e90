"""Region finders that return regions which people annotated.

The regions come from a COCO instances file, or from the pictures of a data set.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.errors import BadMask, NotFound
from core.installation import COMMAND
from core.picture_names import PictureIndex, parts_of
from core.regions import masks
from core.regions.protocols import with_full
from core.types import ImageRef, ImageRegion

KEPT_PICTURES = 256  # maximum pictures whose masks stay in memory
Size = tuple[int, int]  # (height, width) in px


@dataclass(frozen=True, slots=True)
class Instance:
    """One annotation as it is in its file."""

    row: int  # number of the annotation in its file, from 1
    label: str
    is_crowd: bool
    segmentation: Any  # the region's outline as in COCO: polygons, plain run lengths or compressed run lengths


@dataclass(frozen=True, slots=True)
class Annotated:
    """One picture's annotations as they are in their file."""

    size: Size
    instances: tuple[Instance, ...]
    row: int = 1  # number of the picture in its file, from 1


class AnnotatedRegions:
    """A RegionFinder (finds a picture's regions) with annotations in memory.

    Masks are made only when the regions of a picture are requested.
    """

    def __init__(self, name: str, pictures: Mapping[str, Annotated], labels: Sequence[str] = ()) -> None:
        self.name = name  # names this source of regions in signatures: file name and first digits of the file's sha256
        self.pictures = {"/".join(parts_of(path)): found for path, found in pictures.items()}  # key: path in the file
        self.labels = tuple(labels)  # labels that annotators looked for, with or without a region; empty: unknown
        self._index = PictureIndex[str]()
        for path in self.pictures:
            self._index.add(path, path)
        self._made = lru_cache(maxsize=KEPT_PICTURES)(self._make)

    def regions(self, image: ImageRef) -> tuple[ImageRegion, ...]:
        """Return the annotated regions, and as the last region the whole picture.

        Raises NotFound, BadMask.
        """
        annotated_name = self.find(image)
        if annotated_name is None:
            raise NotFound(f"{image.name} is not among the {len(self.pictures)} annotated pictures of {self.name}")
        check_size(image, self.pictures[annotated_name].size)
        return self._made(annotated_name)

    def vocabulary(self, image: ImageRef) -> tuple[str, ...]:
        """Return the labels that annotators looked for on a picture; () if unknown."""
        return self.labels

    def find(self, image: ImageRef) -> str | None:
        """Return the path of the annotated picture that matches a picture; None if none matches.

        A picture matches by its name or its file's path. Raises NotFound if several fit equally well.
        """
        return self._index.find(image.name, str(image.path or ""))

    def _make(self, name: str) -> tuple[ImageRegion, ...]:
        picture = self.pictures[name]
        return with_full([region_of(instance, picture.size) for instance in picture.instances], picture.size)


class SampleRegions:
    """A RegionFinder that returns the annotated regions of a data set's pictures."""

    name = "annotated"

    def regions(self, image: ImageRef) -> tuple[ImageRegion, ...]:
        """Return the picture's own regions, and as the last region the whole picture.

        Raises NotFound for a picture without regions. Raises BadMask if the sizes of picture and regions differ.
        """
        if not image.regions:
            raise NotFound(
                f"{image.name} has no annotated regions. Add regions to its data set with `{COMMAND} annotate "
                "DATASET instances.json`, or find regions with the option regions=mobile-sam"
            )
        size = image.regions[0].size
        for region in image.regions:
            if region.size != size:
                raise BadMask(f"masks of {image.name} that all have the size {in_words(size)}", in_words(region.size))
        check_size(image, size)
        return with_full(image.regions, size)

    def vocabulary(self, image: ImageRef) -> tuple[str, ...]:
        """Return the labels that annotators looked for on a picture; () if unknown."""
        return image.vocabulary


def check_size(image: ImageRef, size: Size) -> None:
    """Raise BadMask if the picture's size is known and differs from the masks' size."""
    if image.width and image.height and (image.height, image.width) != size:
        raise BadMask(
            f"a picture of {in_words(size)}, the size of the annotated picture", in_words((image.height, image.width))
        )


def in_words(size: Size) -> str:
    """Return a size as text in the usual order, width first."""
    return f"{size[1]}×{size[0]} px"


def region_of(instance: Instance, size: Size) -> ImageRegion:
    """Return an annotation as a region of a picture with this size. Raises BadMask."""
    return ImageRegion(encoded(instance.segmentation, size), size, instance.label, is_crowd=instance.is_crowd)


def encoded(segmentation: Any, size: Size) -> str:
    """Return a COCO segmentation as a compressed run-length encoding. Raises BadMask.

    The segmentation may be polygons, a plain or a compressed run-length encoding.
    """
    if isinstance(segmentation, list):
        return masks.from_polygons(segmentation, size)
    if tuple(segmentation["size"]) != size:
        raise BadMask(f"a mask of {in_words(size)}", f"size {segmentation['size']}")
    counts = segmentation["counts"]
    return masks.from_counts(masks.run_lengths(counts, size).tolist() if isinstance(counts, str) else counts, size)
