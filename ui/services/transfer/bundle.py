"""Study bundles: ZIP files with everything needed to reproduce a study's results.

A bundle contains database rows as JSON Lines, the study's form (its questions) and the study's exported ratings. It
also contains a description of the columns, and checksums. It names raters only by their codes. The same study always
gives the same bytes.
"""

import hashlib
import json
import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from core.errors import BadFile, BadSetting
from core.files import written_whole
from core.images.sandbox import thumbnail_apart
from core.studies.planning.study_request import check_name
from core.studies.results.evidence_export import EVIDENCE
from core.studies.results.export import write_records
from core.studies.results.participants import participant_flow
from storage.rating.assignment.raters import clean_code
from storage.transfer.bundle import make_database, present_revision, study_rows
from storage.transfer.bundle_columns import check_dataset_name
from storage.transfer.bundle_import import check_names, take_over
from storage.types import Study
from ui.services.importing.import_journal import journal
from ui.services.importing.import_pictures import HeldPictures
from ui.services.transfer.bundle_pictures import BundlePictures
from ui.services.transfer.bundle_words import dictionary_csv, protocol, readme
from ui.services.workplace import DATABASE, PICTURES, Workplace, ensure_key, open_workplace
from ui.settings import Settings

FORMAT, VERSION = "capscope-study-bundle", 1
MOST_BYTES = 8_000_000_000  # maximum bytes of all unpacked files together
LONGEST_LINE = 64_000_000  # maximum characters of a row; a longer row is cut, so it is no valid JSON
MANIFEST = "manifest.json"
_CHUNK = 1 << 20
# Earliest possible time in a ZIP file. With a fixed time, the same study gives the same bytes.
_EARLIEST = (1980, 1, 1, 0, 0, 0)
_TABLE = re.compile(r"tables/([a-z_]{1,40})\.jsonl")
_PICTURE = re.compile(r"pictures/[0-9a-f]{64}(?:\.\w{1,8})?")
_ERASED = re.compile(r"erased [0-9]{1,10}(-[0-9]{1,6})?")  # code of an erased rater
_PLAIN = (
    *("README.md", "protocol.json", "form.toml", "ratings.csv", "evidence.csv"),
    *("data_dictionary.csv", "notice.txt"),
)


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest of a bundle: the study, and checksums of its files."""

    study: str
    dataset: str
    revision: str  # revision of the database schema of the rows
    files: Mapping[str, str]  # key: name of a file other than the manifest; value: SHA-256 of the file


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
    if study.asks.evidence is not None:
        write_records(workplace.repository.studies.evidence(study.id), folder / "evidence.csv", EVIDENCE)
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
    """Open a bundle as a temporary data folder within the block.

    Raises BadFile if the bundle's files do not have the checksums that it states.
    """
    with tempfile.TemporaryDirectory(prefix="capscope-bundle-") as name:
        folder = Path(name)
        manifest = _unpack(bundle, folder)
        make_database(folder / DATABASE, manifest.revision, _rows(folder, manifest, bundle), bundle)
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
                number = take_over(source, database, *called, held.folder, workplace.account_id)
    return workplace.repository.studies.get(number), len(came)


def _unpack(bundle: Path, folder: Path) -> Manifest:
    """Write a bundle's files into a folder, and check each file's checksum."""
    try:
        with zipfile.ZipFile(bundle) as archive:
            manifest = _manifest(archive, bundle)
            entries = {entry.filename: entry for entry in archive.infolist()}
            if set(entries) != {MANIFEST, *manifest.files} or len(archive.infolist()) != len(entries):
                raise BadFile(bundle, "the files differ from the list in the manifest, so somebody changed the bundle")
            if sum(entry.file_size for entry in entries.values()) > MOST_BYTES:
                raise BadFile(bundle, f"the unpacked bundle is larger than {MOST_BYTES:,} bytes")
            for place, expected in manifest.files.items():
                with archive.open(entries[place]) as source:
                    _copy_checked(source, folder / place, expected, bundle)
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError) as error:
        raise BadFile(bundle, f"this is not a valid ZIP file ({error})") from error
    return manifest


def _manifest(archive: zipfile.ZipFile, bundle: Path) -> Manifest:
    try:
        about = archive.getinfo(MANIFEST)
        if about.file_size > _CHUNK * 64:
            raise ValueError("the manifest is too large")
        fields = json.loads(archive.read(about))
        if (fields.pop("format"), fields.pop("version")) != (FORMAT, VERSION):
            raise ValueError("the manifest has another format or version")
        manifest = Manifest(**fields)
        names = list(manifest.files)
        if not all(isinstance(one, str) for one in (manifest.study, manifest.dataset, manifest.revision)):
            raise ValueError("the manifest names no study")
        foreign = [n for n in names if not (_TABLE.fullmatch(n) or _PICTURE.fullmatch(n) or n in _PLAIN)]
        if foreign:
            raise ValueError(f"the bundle contains a file that does not belong to a bundle: {foreign[0]!r:.80}")
        others = [n for n in names if _PICTURE.fullmatch(n) and PurePosixPath(n).stem != manifest.files[n]]
        if others:
            raise ValueError(f"the name of a picture differs from its checksum: {others[0]:.80}")
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise BadFile(bundle, f"this is not a bundle from `study bundle` ({error})") from error
    return manifest


def _copy_checked(source: IO[bytes], target: Path, expected: str, bundle: Path) -> None:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with target.open("wb") as file:
        while chunk := source.read(_CHUNK):
            digest.update(chunk)
            file.write(chunk)
    if digest.hexdigest() != expected:
        raise BadFile(bundle, f"{target.name} has a wrong checksum, so somebody changed the bundle after it was made")


def _rows(folder: Path, manifest: Manifest, bundle: Path) -> dict[str, Iterator[dict[str, Any]]]:
    tables = (_TABLE.fullmatch(place) for place in manifest.files)
    return {match[1]: _read(folder / match[0], folder, bundle) for match in tables if match}


def _read(path: Path, folder: Path, bundle: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table in a bundle.

    Pictures' paths are changed to paths in the folder, even if the bundle does not include the pictures.
    """
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(iter(lambda: lines.readline(LONGEST_LINE), ""), 1):
            try:
                row = json.loads(line, parse_constant=_refused)
            except (ValueError, RecursionError) as error:
                raise BadFile(
                    bundle, f"{path.name}, line {number}: the line must be a JSON object ({error})"
                ) from error
            if not isinstance(row, dict):
                raise BadFile(bundle, f"{path.name}, line {number}: the line must be a JSON object")
            if path.stem == "images" and row.get("path") is not None:
                place = row["path"]
                named = isinstance(place, str) and _PICTURE.fullmatch(place) and PurePosixPath(place).stem
                if not named or named != row.get("sha256"):
                    raise BadFile(
                        bundle, f"{path.name}, line {number}: the path of a picture must be a path in the bundle"
                    )
                row["path"] = str(folder / row["path"])
            # Check the code, because pages and file names contain it
            if path.stem == "raters" and not _is_code(row.get("code")):
                raise BadFile(
                    bundle,
                    (f"{path.name}, line {number}: the code of a rater must be a code, found {row.get('code')!r:.60}"),
                )
            yield row


def _is_code(code: object) -> bool:
    if isinstance(code, str) and _ERASED.fullmatch(code):
        return True
    try:
        return isinstance(code, str) and clean_code(code) == code
    except BadSetting:
        return False


def _refused(constant: str) -> float:
    raise ValueError(f"{constant} is not a number")
