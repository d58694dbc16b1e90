"""Taking files in: samples with their pictures, and annotated regions of pictures."""

import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath

from core.datasets import OnBad, Record, find_images, format_named
from core.datasets.base import Layout, plain_name
from core.datasets.pictures import PICTURE_SUFFIXES
from core.errors import BadImage, BadRow, BadRows, BadSetting
from core.files import written_whole
from core.progress import Progress, no_progress
from core.types import ImageRef
from storage.data.pictures import Pictures
from storage.types import AnnotationCounts, ImportCounts
from ui.services.regions import read_instances, regions_of_all
from ui.services.uploads import NAME_DIGITS
from ui.services.workplace import PICTURES, Workplace

_ANNOTATING = "Making masks"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import read and left out."""

    dataset: str
    counts: ImportCounts
    unreadable: tuple[str, ...]  # why pictures that are there count as missing
    skipped: tuple[BadRow, ...]
    notes: tuple[str, ...] = ()  # on what was read and what was not, a sentence each


@dataclass(frozen=True, slots=True)
class AnnotationReport:
    """What attaching regions to a data set did and left out."""

    dataset: str
    counts: AnnotationCounts
    skipped: tuple[BadRow, ...]


def import_files(
    workplace: Workplace,
    format_name: str,
    files: Sequence[Path],
    dataset: str | None = None,
    image_folders: Sequence[Path] = (),
    skip_bad: bool = False,
    progress: Progress = no_progress,
    *,
    regions: Path | None = None,
    metric: str | None = None,
    outside: bool = False,
    layout: Layout | None = None,
) -> ImportReport:
    """Read files and add what they hold to a data set (named after the first file unless said), all or nothing.

    regions is a COCO instances file for the pictures; metric is what the scores are called, where a format asks.
    outside: pictures may lie elsewhere than in the files' own folders and image_folders, where links or ".." lead.
    layout: columns and scales of a table that is not in our own form. Raises BadRow for a bad row and BadRows for all
    bad rows of the files, unless skip_bad; NotFound for an unknown format, BadFile, BadSetting.
    """
    fmt = format_named(format_name)
    name = _dataset_name(files, dataset)
    skipped: list[BadRow] = []
    notes: list[str] = []
    on_bad = _collecting(skipped, skip_bad)
    index = find_images(image_folders)
    records: list[Record] = []
    bad: list[BadRow] = []  # collected while reading, so that all of them can be mended together
    with HeldPictures(workplace.data_dir / PICTURES) as held:
        for file in files:
            tell = partial(progress, f"Reading {file.name}")
            taking = skipped.append if skip_bad else bad.append
            records += fmt.read(file, taking, tell, metric, held.keep, notes.append, layout)
        if bad:
            raise bad[0] if len(bad) == 1 else BadRows(bad)
        folders = (*image_folders, *(file.parent for file in files), held.folder)
        places = None if outside else {folder.resolve() for folder in folders}
        found = {record.picture: held.by_name.get(record.image) or index.find(record) for record in records}
        images, unreadable = _take_in_pictures(workplace.pictures, found, places, progress)
        if regions is not None:
            images = _with_regions(workplace, name, records, images, regions, on_bad, progress)
        counts = workplace.repository.add_records(name, records, images, on_bad)
    return ImportReport(name, counts, tuple(unreadable), tuple(skipped), tuple(notes))


class HeldPictures:
    """Pictures that imported files hold, kept in the data folder, each under its checksum; gone if the import fails."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.by_name: dict[str, Path] = {}
        self._new: list[Path] = []

    def keep(self, name: str, content: bytes) -> str:
        """Keep a picture; returns what it is called: by its checksum, too, where another one has the name already."""
        mark = hashlib.sha256(content).hexdigest()
        suffix = PurePosixPath(name).suffix.lower()
        path = self.folder / (mark[:NAME_DIGITS] + (suffix if suffix in PICTURE_SUFFIXES else ""))
        called = name if self.by_name.get(name, path) == path else f"{mark[:12]}-{name}"
        self.by_name[called] = path
        if not path.exists():
            self.folder.mkdir(exist_ok=True)
            self._new.append(path)
            with written_whole(path) as unfinished:
                unfinished.write_bytes(content)
        return called

    def __enter__(self) -> "HeldPictures":
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        for path in self._new if failed else ():
            path.unlink(missing_ok=True)


def annotate(
    workplace: Workplace, dataset: str, regions: Path, skip_bad: bool = False, progress: Progress = no_progress
) -> AnnotationReport:
    """Give the pictures of a data set that have none their regions out of a COCO instances file, all or nothing.

    Raises NotFound for an unknown data set, BadFile, and BadRow at the first mask that does not fit unless skip_bad.
    """
    skipped: list[BadRow] = []
    pictures = workplace.repository.samples.pictures(dataset)
    on_bad = _collecting(skipped, skip_bad)
    file = read_instances(regions)
    found = regions_of_all(file, pictures, on_bad, partial(progress, _ANNOTATING))
    counts = workplace.repository.annotate(dataset, found, file.annotations.labels)
    return AnnotationReport(dataset, counts, tuple(skipped))


def _collecting(skipped: list[BadRow], skip_bad: bool) -> OnBad:
    def on_bad(problem: BadRow) -> None:
        if not skip_bad:
            raise problem
        skipped.append(problem)

    return on_bad


def _with_regions(
    workplace: Workplace,
    dataset: str,
    records: Sequence[Record],
    images: Mapping[str, ImageRef],
    regions: Path,
    on_bad: OnBad,
    progress: Progress,
) -> dict[str, ImageRef]:
    """Give pictures their regions; one that was not found now may have been found by an earlier import."""
    file, samples = read_instances(regions), workplace.repository.samples
    earlier = samples.pictures(dataset) if samples.has_dataset(dataset) else {}
    stored = {record.picture: earlier.get(record.image, images[record.picture]) for record in records}
    known = {name: image if image.path else stored[name] for name, image in images.items()}
    found = regions_of_all(file, known, on_bad, partial(progress, _ANNOTATING))
    looked_for = file.annotations.labels
    return {name: replace(image, regions=found[name], vocabulary=looked_for) for name, image in images.items()}


def _dataset_name(files: Sequence[Path], dataset: str | None) -> str:
    if not files:
        raise BadSetting("Name at least one file to import.")
    return checked_name(plain_name(files[0]).stem if dataset is None else dataset)


def checked_name(given: str) -> str:
    """Return the name of a data set without spaces around it. Raises BadSetting for one that is none."""
    name = given.strip()
    if not 1 <= len(name) <= 80 or not name.isprintable():
        raise BadSetting(f"A data set needs a name of 1 to 80 printable characters, found {name!r}.")
    return name


def _take_in_pictures(
    pictures: Pictures, wanted: Mapping[str, Path | None], places: set[Path] | None, progress: Progress
) -> tuple[dict[str, ImageRef], list[str]]:
    """Check and thumbnail every picture that was found; one that cannot be opened counts as missing.

    So does one outside of those places: a stranger's file could bring somebody's own photographs into a study.
    """
    unreadable: list[str] = []

    def take_in(name: str) -> ImageRef:
        path = wanted[name]
        bare = PurePosixPath(name).name
        if path is None:
            return ImageRef(bare)
        if places is not None and places.isdisjoint(path.resolve().parents):
            unreadable.append(f"{bare}: it leads to {path.resolve().parent}; name that with --images, or say --outside")
            return ImageRef(bare)
        try:
            return pictures.take_in(bare, path)
        except BadImage as error:
            unreadable.append(str(error))
            return ImageRef(bare)

    images: dict[str, ImageRef] = {}
    with ThreadPoolExecutor() as pool:
        for done, (name, image) in enumerate(zip(wanted, pool.map(take_in, wanted), strict=True), 1):
            images[name] = image
            progress("Looking at pictures", done, len(wanted))
    return images, sorted(unreadable)
