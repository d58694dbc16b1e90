"""Attach the regions of a COCO instances file to the pictures with the same file names."""

from dataclasses import dataclass
from pathlib import Path

from core.datasets.base import OnBad, raise_bad
from core.datasets.coco_instances import read_annotations
from core.errors import BadMask, BadRow, NotFound
from core.long_work.progress import Progress, no_progress
from core.regions import masks
from core.regions.annotated import AnnotatedRegions, check_size, region_of
from core.types import ImageRef, ImageRegion
from storage.types import AnnotationCounts
from ui.services.workplace import Workplace


@dataclass(frozen=True, slots=True)
class AnnotationReport:
    """The result of attaching regions to a data set."""

    dataset: str
    counts: AnnotationCounts
    skipped: tuple[BadRow, ...]


def annotate(
    workplace: Workplace, dataset: str, regions: Path, skip_bad: bool = False, progress: Progress = no_progress
) -> AnnotationReport:
    """Add a file's regions to a data set's pictures, all or nothing.

    regions: a COCO instances file. Only pictures without regions change. Raises NotFound for an unknown data set, and
    BadFile. Raises BadRow at the first mask that does not fit; with skip_bad, such masks are skipped.
    """
    skipped: list[BadRow] = []
    pictures = workplace.repository.samples.pictures(dataset)
    file, found = read_annotations(regions), dict[str, tuple[ImageRegion, ...]]()
    for done, (name, image) in enumerate(pictures.items(), start=1):
        found[name] = _regions_of(regions, file, image, skipped.append if skip_bad else raise_bad)
        progress("Computing masks", done, len(pictures))
    return AnnotationReport(dataset, workplace.repository.annotate(dataset, found, file.labels), tuple(skipped))


def _regions_of(path: Path, file: AnnotatedRegions, image: ImageRef, on_bad: OnBad) -> tuple[ImageRegion, ...]:
    try:
        name = file.find(image)
    except NotFound as unsure:
        on_bad(BadRow(path, 0, "file_name", f"one picture for {image.name} ({unsure})", image.name))
        return ()
    if name is None:
        return ()
    picture, made = file.pictures[name], list[ImageRegion]()
    try:
        check_size(image, picture.size)
    except BadMask as bad:
        on_bad(BadRow(path, picture.row, f"size of {name}", bad.expected, bad.found))
        return ()
    for instance in picture.instances:
        try:
            made.append(region_of(instance, picture.size))
        except BadMask as bad:
            on_bad(BadRow(path, instance.row, f"segmentation on {name}", bad.expected, bad.found))
    return tuple(region for region in made if masks.area(region.rle, region.size))
