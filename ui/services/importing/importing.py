"""Import samples with their pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.bad_rows import row_count
from core.datasets import format_named
from core.datasets.base import Layout, Record, Source, plain_name
from core.datasets.coco import COCO_CAPTIONS, COCO_RESULTS
from core.datasets.joined_rows import JoinedRows
from core.errors import BadRow, BadRows, BadSetting
from core.long_work.progress import Progress, no_progress
from core.long_work.spool import Spool
from storage.engine.temporary_database import full_disk_named
from storage.types import ImportCounts
from ui.services.importing.import_pictures import opened_pictures
from ui.services.importing.import_process import WRITING
from ui.services.workplace import Workplace

MOST_BAD = 100_000  # number of bad rows after which the rest of an import is not read
ADDING = "Adding samples"  # name of the step after which everyone can see the samples


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of an import."""

    dataset: str
    counts: ImportCounts
    unreadable: tuple[str, ...]  # reasons why pictures count as missing although they exist
    skipped: tuple[BadRow, ...]
    missing: tuple[str, ...] = ()  # pictures that no folder or ZIP file of the import contains
    notes: tuple[str, ...] = ()  # sentences about what was read and what was skipped


def import_files(
    workplace: Workplace,
    format_name: str,
    files: Sequence[Path],
    dataset: str | None = None,
    image_folders: Sequence[Path] = (),
    skip_bad: bool = False,
    progress: Progress = no_progress,
    *,
    layout: Layout | None = None,
    received: bool = False,
    known_only: bool = False,
    replaces: bool = False,
) -> ImportReport:
    """Import files or folders into a data set, all or nothing.

    dataset: the data set's name; by default the name of the first file. image_folders: folders or ZIP files; pictures
    of ZIP files are stored in the data folder.
    layout: columns and scales of a table that is not in Capscope's own format. known_only: only add values to captions
    that the data set has; rows with other captions are bad. replaces: values that differ from stored ones replace them;
    otherwise their rows are bad.

    received: the files are from a browser. Then pictures are not searched beside the files, and messages show no paths
    of this computer.

    Raises BadRow for one bad row, and BadRows for all bad rows of the files. With skip_bad, bad rows are skipped
    instead. Raises NotFound for an unknown format, BadFile, BadSetting, StorageFull.
    """
    fmt = format_named(format_name)
    if not files:
        raise BadSetting("Name at least one file to import.")
    name = (plain_name(files[0]).stem if dataset is None else dataset).strip()
    if not 1 <= len(name) <= 80 or not name.isprintable():
        raise BadSetting(f"A data set needs a name of 1 to 80 printable characters, found {name!r}.")
    files = [one for path in files for one in (fmt.files_of(path) if fmt.files_of and path.is_dir() else (path,))]
    bad, misfits = list[BadRow](), list[BadRow]()  # all bad rows, so that the user can correct them together
    notes: list[str] = []
    with (
        full_disk_named(),
        Spool[Record](workplace.data_dir) as records,
        opened_pictures(workplace, files, image_folders, received) as pictures,
    ):
        taking = partial(_take_bad, bad)
        for file in files:
            tell = partial(progress, f"Reading {file.name}")
            source = Source(file, taking, tell, pictures.keep, notes.append, layout or Layout())
            for record in fmt.read(source):
                records.append(record)
                misfit = pictures.find(record)
                if misfit is not None:
                    _take_bad(misfits, misfit)
        unread = row_count(bad)
        joined = JoinedRows(records, layout.human_scale if layout else None)
        bad += [*misfits, *joined.problems]
        if bad and not skip_bad:
            raise bad[0] if len(bad) == 1 else BadRows(bad)
        images = pictures.take_in(progress)
        counts = workplace.repository.add_records(
            name,
            joined,
            images,
            bad.append if skip_bad else None,
            workplace.data_dir,
            partial(_adding, progress),
            known_only=known_only,
            replaces=replaces,
            benchmark=fmt.benchmark.name if fmt.benchmark else None,
        )
    if fmt.name in (COCO_CAPTIONS.name, COCO_RESULTS.name) and (linked := workplace.repository.link_references()):
        notes.append(f"{linked:,} captions of COCO results got their pictures' references.")
    said = (*joined.notes(unread), *notes)
    return ImportReport(name, counts, tuple(pictures.unreadable), tuple(bad), pictures.missing, said)


def _take_bad(bad: list[BadRow], problem: BadRow) -> None:
    bad.append(problem)
    if len(bad) >= MOST_BAD:
        raise BadRows(bad)


def _adding(progress: Progress, done: int, total: int) -> None:
    progress(ADDING, done, total)
    if done == total:
        progress(WRITING, 0, 1)  # the import cannot be cancelled after this call
