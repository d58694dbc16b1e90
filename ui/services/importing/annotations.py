"""Attach the regions of a COCO instances file to the pictures with the same file names."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.datasets import OnBad
from core.datasets.coco_instances import read_annotations
from core.errors import BadMask, BadRow, NotFound
from core.regions import masks
from core.regions.annotated import Annotated, AnnotatedRegions, check_size, region_of
from core.types import ImageRef, ImageRegion


@dataclass(frozen=True, slots=True)
class InstancesFile:
    """A COCO instances file after reading. Masks are made and checked one picture at a time."""

    path: Path
    annotations: AnnotatedRegions

    def regions_of(self, image: ImageRef, on_bad: OnBad) -> tuple[ImageRegion, ...]:
        """Return the regions of a picture; empty if the file has none for it.

        on_bad receives each region that does not fit the picture. It may raise an error to stop the reading.
        """
        try:
            name = self.annotations.find(image)
        except NotFound as unsure:
            on_bad(BadRow(self.path, 0, "file_name", f"one picture for {image.name} ({unsure})", image.name))
            return ()
        if name is None:
            return ()
        picture = self.annotations.pictures[name]
        try:
            check_size(image, picture.size)
        except BadMask as bad:
            on_bad(BadRow(self.path, picture.row, f"size of {name}", bad.expected, bad.found))
            return ()
        return self._made(name, picture, on_bad)

    def _made(self, name: str, picture: Annotated, on_bad: OnBad) -> tuple[ImageRegion, ...]:
        made: list[ImageRegion] = []
        for instance in picture.instances:
            try:
                made.append(region_of(instance, picture.size))
            except BadMask as bad:
                on_bad(BadRow(self.path, instance.row, f"segmentation on {name}", bad.expected, bad.found))
        return tuple(region for region in made if masks.area(region.rle, region.size))


def read_instances(path: Path) -> InstancesFile:
    """Read a COCO instances file. Raises BadFile, BadRow."""
    return InstancesFile(path, read_annotations(path))


def regions_of_all(
    file: InstancesFile, pictures: Mapping[str, ImageRef], on_bad: OnBad, progress: Callable[[int, int], None]
) -> dict[str, tuple[ImageRegion, ...]]:
    """Return the regions of every picture; key: the picture's name in `pictures`."""
    regions = {}
    for done, (name, image) in enumerate(pictures.items(), start=1):
        regions[name] = file.regions_of(image, on_bad)
        progress(done, len(pictures))
    return regions
