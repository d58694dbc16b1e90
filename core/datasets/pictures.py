"""Find the pictures of records: in the user's folders, beside the imported file, or in an untrusted ZIP file."""

import filecmp
import os
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath

from core.datasets.base import Record
from core.errors import BadFile, BadSetting
from core.picture_names import PictureIndex, parts_of

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff"})
MOST_ENTRIES = 300_000  # files in a ZIP file
LARGEST_PICTURE = 50_000_000  # bytes, unpacked
MOST_BYTES = 20_000_000_000  # maximum bytes of all pictures, unpacked
TIGHTEST = 100  # maximum ratio of unpacked to packed bytes; picture formats are compressed, so ZIP hardly shrinks them
FREE_OF_DOUBT = 500_000_000  # unpacked bytes; if all pictures together have no more bytes, TIGHTEST is not checked
_LINK, _ENCRYPTED, _UTF8 = stat.S_IFLNK, 0x1, 0x800


@dataclass(frozen=True, slots=True)
class ImageIndex:
    """The files of some folders."""

    files: PictureIndex[Path] = field(
        default_factory=lambda: PictureIndex(lambda one, other: filecmp.cmp(one, other, shallow=False))
    )

    def find(self, record: Record) -> Path | None:
        """Return the record's picture; None if there is none. Raises NotFound if several pictures fit equally well.

        A relative path is first searched beside the record's file. If the picture is not there, or the path is not
        relative, the folders are searched for the path with the longest common ending.
        """
        beside = _beside(record.file.parent, record.image) if record.image_is_relative else None
        return beside or self.files.find(record.image)


def find_images(folders: Sequence[Path]) -> ImageIndex:
    """Make an index of all files in some folders and their subfolders. Raises BadSetting for a missing folder.

    If files fit a name equally well, the file of the first folder is used. Files that are not pictures are found only
    by their full names.
    """
    index = ImageIndex()
    for number, folder in enumerate(folders):
        if not folder.is_dir():
            raise BadSetting(f"The folder {folder} does not exist, so there are no images. Check --images.")
        root = str(folder.absolute())
        for path in _files(folder):
            is_picture = path.suffix.lower() in PICTURE_SUFFIXES
            index.files.add(str(path.relative_to(folder)), path, number, root, by_name_only=not is_picture)
    return index


def _beside(folder: Path, name: str) -> Path | None:
    """Return the file at a relative path, also if names on the disk have another Unicode form."""
    path = folder / name
    if path.is_file():
        return path
    path = folder
    for part in parts_of(name):
        path = path / part if part == ".." else path / _names_in(path).get(part, part)
    return path if path.is_file() else None


@lru_cache(1_000)
def _names_in(folder: Path) -> dict[str, str]:
    """Return the names of a folder's files; key: the name in Unicode form C."""
    return {parts_of(name)[0]: name for name in os.listdir(folder)} if folder.is_dir() else {}


def _files(folder: Path) -> Iterable[Path]:
    for where, inner_folders, names in os.walk(folder, onerror=_unreadable):
        inner_folders.sort()
        yield from (Path(where, name) for name in sorted(names))


def _unreadable(error: OSError) -> None:
    raise BadSetting(f"The folder {error.filename} cannot be read ({error.strerror}). Check --images.") from error


@dataclass(slots=True)
class PictureZip:
    """The pictures of an open ZIP file. No file is unpacked under a name from the ZIP file."""

    path: Path
    archive: zipfile.ZipFile
    pictures: dict[str, zipfile.ZipInfo] = field(default_factory=dict)  # key: path in the ZIP file
    index: PictureIndex[zipfile.ZipInfo] = field(
        default_factory=lambda: PictureIndex(
            lambda one, other: (one.CRC, one.file_size) == (other.CRC, other.file_size)
        )
    )
    others: int = 0  # number of files that are not pictures; they are never read

    def find(self, record: Record) -> zipfile.ZipInfo | None:
        """Return the ZIP entry of the record's picture; None if there is none.

        Raises NotFound if several pictures fit equally well.
        """
        return self.index.find(record.image)

    def read(self, entry: zipfile.ZipInfo) -> bytes:
        """Return a picture's bytes. Raises BadFile if they are broken."""
        with _read_safely(self.path):
            return self.archive.read(entry)


@contextmanager
def opened_zip(path: Path) -> Iterator[PictureZip]:
    """Open a ZIP file of pictures. Raises BadFile if the file is broken or unsafe.

    A safe file has no absolute paths, no "..", no links and no password. Its unpacked size is within this module's
    limits.
    """
    with _read_safely(path):
        archive = zipfile.ZipFile(path)
    with archive:
        opened = PictureZip(path, archive)
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        if len(entries) > MOST_ENTRIES:
            raise BadFile(path, f"the ZIP file contains {len(entries):,} files; the limit is {MOST_ENTRIES:,} files")
        for entry in entries:
            _enter(opened, entry)
        _check_size(opened)
        yield opened


def _enter(opened: PictureZip, entry: zipfile.ZipInfo) -> None:
    parts = _path_in_zip(entry).replace("\\", "/").split("/")
    name, problem = parts[-1], None
    if ".." in parts or parts[0] == "" or ":" in parts[0]:
        problem = f"the ZIP file contains a path outside its own folder: {entry.filename!r:.80}"
    elif stat.S_IFMT(entry.external_attr >> 16) == _LINK:
        problem = f"the ZIP file contains a link, {entry.filename!r:.80}; put the picture itself into the ZIP file"
    elif parts[0] == "__MACOSX" or name.startswith(".") or PurePosixPath(name).suffix.lower() not in PICTURE_SUFFIXES:
        opened.others += 1
        return
    elif entry.flag_bits & _ENCRYPTED:
        problem = "the ZIP file is locked with a password; make a ZIP file without a password"
    elif entry.file_size > LARGEST_PICTURE:
        problem = f"{name!r:.80} has {entry.file_size:,} bytes; the limit is {LARGEST_PICTURE:,} bytes"
    if problem is not None:
        raise BadFile(opened.path, problem)
    path = "/".join(parts)
    if path not in opened.pictures:
        opened.pictures[path] = entry
        opened.index.add(path, entry)


def _path_in_zip(entry: zipfile.ZipInfo) -> str:
    """Return an entry's path. macOS writes UTF-8 without saying so, which `zipfile` reads as code page 437."""
    if not entry.flag_bits & _UTF8:
        try:
            return entry.filename.encode("cp437").decode("utf-8")
        except UnicodeError:
            pass
    return entry.filename


def _check_size(opened: PictureZip) -> None:
    size = sum(entry.file_size for entry in opened.pictures.values())
    packed = opened.path.stat().st_size
    if size > MOST_BYTES:
        raise BadFile(opened.path, f"the pictures have {size:,} bytes together; the limit is {MOST_BYTES:,} bytes")
    if size > FREE_OF_DOUBT and size > TIGHTEST * packed:
        raise BadFile(opened.path, f"{packed:,} bytes would unpack to {size:,} bytes, so these cannot be pictures")


@contextmanager
def _read_safely(path: Path) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise BadFile(path, f"this is not a valid ZIP file ({error})") from error
