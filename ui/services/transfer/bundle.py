"""Study bundles: ZIP files with everything needed to reproduce a study's results.

A bundle contains database rows as JSON Lines, the study's form (its questions) and the study's exported ratings. It
also contains a description of the columns, and checksums. It names raters only by their codes. The same study always
gives the same bytes.
"""

import hashlib
import json
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.errors import BadFile, BadSetting
from core.files import written_whole
from core.images.sandbox import thumbnail_apart
from core.studies.planning.study_request import check_name
from core.studies.results.export import write_records
from core.studies.results.participants import participant_flow
from storage.study_types import Study
from storage.transfer.bundle import make_database, present_revision, study_rows
from storage.transfer.bundle_columns import check_dataset_name
from storage.transfer.bundle_import import check_names, take_over
from ui.services.importing.import_journal import journal
from ui.services.importing.import_pictures import HeldPictures
from ui.services.transfer.bundle_files import FORMAT, MANIFEST, VERSION, Manifest, table_rows, unpacked
from ui.services.transfer.bundle_pictures import BundlePictures
from ui.services.transfer.bundle_words import dictionary_csv, protocol, readme
from ui.services.workplace import DATABASE, PICTURES, Workplace, ensure_key, open_workplace
from ui.settings import Settings

# Earliest possible time in a ZIP file. With a fixed time, the same study gives the same bytes.
_EARLIEST = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class BundleReport:
    """The result of writing a bundle."""

    files: int
    bytes: int
    pictures: int
    missing: int  # number of pictures that were not found at their paths


def write_bundle(workplace: Workplace, study: Study, to: Path, with_pictures: bool = False) -> BundleReport:
    """Write a study's bundle. Raises BadSetting if it cannot be written."""
    try:
        with tempfile.TemporaryDirectory(prefix="capscope-bundle-") as name, written_whole(to) as unfinished:
            folder = Path(name)
            pictures = BundlePictures(folder / PICTURES if with_pictures else None)
            _write_tables(workplace, study, folder, pictures)
            _write_words(workplace, study, folder)
            files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
            manifest = Manifest(study.name, study.dataset, present_revision(), _checksums(files))
            with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
                _add(archive, MANIFEST, json.dumps(_as_json(manifest), indent=1, ensure_ascii=False).encode())
                for place, path in sorted(files.items()):
                    _add(archive, place, path.read_bytes())
            size = unfinished.stat().st_size
    except OSError as error:
        raise BadSetting(f"Cannot write {to}: {error.strerror or error}. Choose another file.") from error
    return BundleReport(len(files) + 1, size, len(pictures.written), len(pictures.missing))


def _as_json(manifest: Manifest) -> dict[str, Any]:
    return {"format": FORMAT, "version": VERSION} | asdict(manifest)


def _write_tables(workplace: Workplace, study: Study, folder: Path, pictures: BundlePictures) -> None:
    """Write the rows of the bundle's tables, and their pictures.

    Rows contain a picture's path in the bundle instead of its path on this computer.
    """
    (folder / "tables").mkdir()
    with workplace.repository.database.read() as connection:
        for name, rows in study_rows(connection, study.id):
            with (folder / "tables" / f"{name}.jsonl").open("w", encoding="utf-8") as file:
                for row in rows:
                    if name == "images" and row["path"] is not None:
                        row["path"], row["sha256"] = pictures.add(Path(row["path"]), row["sha256"])
                    file.write(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n")


def _write_words(workplace: Workplace, study: Study, folder: Path) -> None:
    flow = participant_flow(workplace.repository.participants.of(study.id))
    write_records(workplace.repository.studies.records(study.id), folder / "ratings.csv")
    for name, content in {
        "README.md": readme(study),
        "protocol.json": json.dumps(protocol(study, flow), ensure_ascii=False, indent=1) + "\n",
        "form.toml": study.asks.text,
        "data_dictionary.csv": dictionary_csv(),
        "notice.txt": study.notice,
    }.items():
        (folder / name).write_text(content, encoding="utf-8", newline="")


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _checksums(files: Mapping[str, Path]) -> dict[str, str]:
    return {place: _checksum(path) for place, path in sorted(files.items())}


def _add(archive: zipfile.ZipFile, place: str, content: bytes) -> None:
    about = zipfile.ZipInfo(place, _EARLIEST)
    about.compress_type, about.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
    archive.writestr(about, content)


@contextmanager
def opened_bundle(bundle: Path) -> Iterator[tuple[Workplace, Study]]:
    """Open a bundle as a temporary data folder, for a `with` block.

    The folder is deleted at the end of the block. Raises BadFile if a file's checksum differs from the checksum in the
    bundle's manifest.
    """
    with tempfile.TemporaryDirectory(prefix="capscope-bundle-") as name:
        folder = Path(name)
        manifest = unpacked(bundle, folder)
        make_database(folder / DATABASE, manifest.revision, table_rows(folder, manifest, bundle), bundle)
        workplace = open_workplace(Settings(data_dir=folder))
        try:
            studies = workplace.repository.studies.all()
            if len(studies) != 1 or studies[0].name != manifest.study:
                raise BadFile(bundle, f"the bundle must contain the rows of one study, {manifest.study!r}")
            yield workplace, studies[0]
        finally:
            workplace.repository.close()


def import_bundle(
    workplace: Workplace, bundle: Path, name: str | None = None, dataset: str | None = None
) -> tuple[Study, int]:
    """Import a bundle as a paused study.

    Return the study and its number of pictures. name, dataset: new names for the study and its data set; by default the
    names in the bundle. If the function raises BadFile, BadImage, BadSetting or AlreadyExists, nothing is imported.
    """
    with opened_bundle(bundle) as (theirs, study):
        called = (name or study.name, dataset or study.dataset)
        check_name(called[0])
        check_dataset_name(called[1])
        pictures = theirs.data_dir / PICTURES
        ensure_key(workplace)  # the bundle contains raters, and raters need the data folder's secret key
        came = [path for path in pictures.glob("*") if path.is_file()] if pictures.is_dir() else []
        database = workplace.repository.database
        with theirs.repository.database.read() as source:
            with database.read() as connection:
                check_names(source, connection, *called)
            with journal(workplace) as kept, HeldPictures(workplace.data_dir / PICTURES, kept) as held:
                for path in came:  # checks the pictures, because they come from outside
                    workplace.pictures.take_in(path.name, path, thumbnail_apart, held.note)
                    held.copy(path)
                number = take_over(source, database, *called, held.folder)
    return workplace.repository.studies.get(number), len(came)
