"""What the app can do, once: the pages and the command line both call these functions."""

import secrets
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from core.datasets import Record, find_images, format_named
from core.errors import BadImage, BadRow, BadSetting, NotFound
from core.export import RatingRecord, write_records
from core.settings import Settings
from core.study import LARGEST_NUMBER, Candidate, StudyPlan, StudyRequest, plan_study
from core.types import ImageRef
from storage import Repository, open_repository
from storage.pictures import Pictures
from storage.values import ImportCounts, Study

if TYPE_CHECKING:
    from core.report import RatingRow, StudyReport

LARGEST_SEED = LARGEST_NUMBER
Progress = Callable[[str, int, int], None]  # what is being done, done so far, total


def no_progress(what: str, done: int, total: int) -> None:
    """Show nothing."""


@dataclass(frozen=True, slots=True)
class Workplace:
    """A data folder, opened."""

    repository: Repository
    pictures: Pictures
    data_dir: Path


def open_workplace(settings: Settings) -> Workplace:
    """Open the data folder, made if need be. Raises BadSetting where that is not possible."""
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadSetting(f"Cannot make the data folder {settings.data_dir}: {error.strerror}.") from error
    repository = open_repository(settings.data_dir / "capscope.db")
    return Workplace(repository, Pictures(settings.data_dir / "thumbnails"), settings.data_dir)


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import read and left out."""

    dataset: str
    counts: ImportCounts
    unreadable: tuple[str, ...]  # why pictures that are there count as missing
    skipped: tuple[BadRow, ...]


def import_files(
    workplace: Workplace,
    format_name: str,
    files: Sequence[Path],
    dataset: str | None = None,
    image_folders: Sequence[Path] = (),
    skip_bad: bool = False,
    progress: Progress = no_progress,
) -> ImportReport:
    """Read files and add what they hold to a data set (named after the first file unless said), all or nothing.

    Raises BadRow at the first bad row unless skip_bad, NotFound for an unknown format, BadFile, BadSetting.
    """
    fmt = format_named(format_name)
    name = _dataset_name(files, dataset)
    skipped: list[BadRow] = []

    def on_bad(problem: BadRow) -> None:
        if not skip_bad:
            raise problem
        skipped.append(problem)

    index = find_images(image_folders)
    records: list[Record] = []
    for file in files:
        records += fmt.read(file, on_bad, partial(progress, f"Reading {file.name}"))
    images, unreadable = _take_in_pictures(
        workplace.pictures, {record.image: index.find(record) for record in records}, progress
    )
    counts = workplace.repository.add_records(name, records, images, on_bad)
    return ImportReport(name, counts, tuple(unreadable), tuple(skipped))


def _dataset_name(files: Sequence[Path], dataset: str | None) -> str:
    if not files:
        raise BadSetting("Name at least one file to import.")
    name = files[0].stem if dataset is None else dataset.strip()
    if not 1 <= len(name) <= 80 or not name.isprintable():
        raise BadSetting(f"A data set needs a name of 1 to 80 printable characters, found {name!r}.")
    return name


def _take_in_pictures(
    pictures: Pictures, wanted: dict[str, Path | None], progress: Progress
) -> tuple[dict[str, ImageRef], list[str]]:
    """Check and thumbnail every picture that was found; one that cannot be opened counts as missing."""
    unreadable: list[str] = []

    def take_in(name: str) -> ImageRef:
        path = wanted[name]
        bare = PurePosixPath(name).name
        if path is None:
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


def plan(workplace: Workplace, request: StudyRequest) -> StudyPlan:
    """Draw a study's items without storing it. Raises NotFound, NotEnoughSamples."""
    candidates = workplace.repository.samples.candidates(request.dataset)
    unknown = set(request.metrics) - _metrics(candidates)
    if unknown:
        there = ", ".join(sorted(_metrics(candidates))) or "none"
        raise NotFound(f"{request.dataset} has no explanations by {', '.join(sorted(unknown))}; there are: {there}.")
    return plan_study(request, candidates)


def create_study(workplace: Workplace, request: StudyRequest) -> Study:
    """Draw a study's items and store it. Raises AlreadyExists, NotFound, NotEnoughSamples."""
    return workplace.repository.studies.add(plan(workplace, request))


def fresh_seed() -> int:
    """Return a seed for a draw, to be recorded with it."""
    return secrets.randbelow(LARGEST_SEED)


def study_report(workplace: Workplace, study: Study) -> "StudyReport":
    """Summarise a study's ratings: means, intervals, abstentions, tests between metrics."""
    from core.report import report  # pandas and scipy load only where they are needed

    return report(rating_rows(workplace, study.dataset, workplace.repository.studies.records(study.id)))


def rating_rows(workplace: Workplace, dataset: str, records: Iterable[RatingRecord]) -> "list[RatingRow]":
    """Return a study's ratings for its statistics; a metric under several settings has a name for each."""
    from core.report import RatingRow

    labels = workplace.repository.analysis.labels(dataset)
    return [RatingRow(r.sample, labels[r.metric, r.signature], r.rater, r.criterion, r.rating) for r in records]


def export_study(workplace: Workplace, study: Study, path: Path) -> int:
    """Write a study's ratings to a file whose ending names the form; returns how many. Raises BadSetting."""
    return write_records(workplace.repository.studies.records(study.id), path)


def _metrics(candidates: Iterable[Candidate]) -> set[str]:
    return {score.metric for candidate in candidates for score in candidate.scores}
