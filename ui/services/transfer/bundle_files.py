"""Unpack the files of a study's bundle, and check them."""

import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from core.errors import BadFile, BadSetting
from storage.rating.assignment.raters import clean_code

FORMAT, VERSION = "capscope-study-bundle", 1
MOST_BYTES = 8_000_000_000  # maximum bytes of all unpacked files together
LONGEST_LINE = 64_000_000  # maximum characters of a row; a longer row is cut, so it is no valid JSON
MANIFEST = "manifest.json"
_CHUNK = 1 << 20
_TABLE = re.compile(r"tables/([a-z_]{1,40})\.jsonl")
_PICTURE = re.compile(r"pictures/[0-9a-f]{64}(?:\.\w{1,8})?")
_ERASED = re.compile(r"erased [0-9]{1,10}(-[0-9]{1,6})?")  # code of an erased rater
_PLAIN = (
    *("README.md", "protocol.json", "form.toml", "ratings.csv"),
    *("data_dictionary.csv", "notice.txt"),
)


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest of a bundle: the study, and checksums of its files."""

    study: str
    dataset: str
    revision: str  # revision of the database schema that the rows have
    files: Mapping[str, str]  # key: name of a file other than the manifest; value: SHA-256 of the file


def unpacked(bundle: Path, folder: Path) -> Manifest:
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
            raise ValueError("the manifest has a format or version that Capscope does not read")
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


def table_rows(folder: Path, manifest: Manifest, bundle: Path) -> dict[str, Iterator[dict[str, Any]]]:
    """Return the rows of each table of an unpacked bundle; key: name of the table."""
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
            # Check the rater's code, because pages and file names contain it
            if path.stem == "raters" and not _is_code(row.get("code")):
                raise BadFile(
                    bundle,
                    (f"{path.name}, line {number}: this is not the code of a rater: {row.get('code')!r:.60}"),
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
