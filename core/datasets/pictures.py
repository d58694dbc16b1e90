"""Find the pictures of records: in the user's folders, beside the imported file, or in an untrusted ZIP file."""

import filecmp
import os
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from core.datasets.base import Record
from core.errors import BadFile, BadSetting
from core.picture_names import PictureIndex

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff"})
MOST_ENTRIES = 300_000  # files in a ZIP file
LARGEST_PICTURE = 50_000_000  # bytes, unpacked
_LINK, _ENCRYPTED, _UTF8 = stat.S_IFLNK, 0x1, 0x800


def picture_of(record: Record, files: PictureIndex[Path]) -> Path | None:
    """Return a record's picture; None if there is none. Raises NotFound if several pictures fit equally well.

    A relative path is first searched beside the record's file. If the picture is not there, or the path is not
    relative, the index is searched for the path with the longest common ending.
    """
    if record.image_is_relative:
        # On macOS, names on the disk may have Unicode form D
        for path in (record.file.parent / unicodedata.normalize(form, record.image) for form in ("NFC", "NFD")):
            if path.is_file():
                return path
    return files.find(record.image)


def find_images(folders: Sequence[Path]) -> PictureIndex[Path]:
    """Make an index of all files in some folders and their subfolders. Raises BadSetting for a missing folder.

    If files fit a name equally well, the file of the first folder is used. Files that are not pictures are found only
    by their full names.
    """
    index = PictureIndex[Path](lambda one, other: filecmp.cmp(one, other, shallow=False))
    for number, folder in enumerate(folders):
        if not folder.is_dir():
            raise BadSetting(
                f"The folder {folder} does not exist, so there are no images. Check the folders of pictures (--images)."
            )
        root = str(folder.absolute())
        for where, inner_folders, names in os.walk(folder, onerror=_unreadable):
            inner_folders.sort()
            for path in (Path(where, name) for name in sorted(names)):
                is_picture = path.suffix.lower() in PICTURE_SUFFIXES
                index.add(str(path.relative_to(folder)), path, number, root, by_name_only=not is_picture)
    return index


def _unreadable(error: OSError) -> None:
    raise BadSetting(
        f"The folder {error.filename} cannot be read ({error.strerror}). Check the folders of pictures (--images)."
    ) from error


@dataclass(frozen=True, slots=True)
class ZipPicture:
    """A picture in an open ZIP file. It is never unpacked under its name from the ZIP file."""

    path: Path  # of the ZIP file
    archive: zipfile.ZipFile
    entry: zipfile.ZipInfo

    def __str__(self) -> str:
        return str(self.path / self.entry.filename)

    def read(self) -> bytes:
        """Return the picture's bytes. Raises BadFile if they are broken."""
        with _read_safely(self.path):
            return self.archive.read(self.entry)


def _same_content(one: ZipPicture, other: ZipPicture) -> bool:
    return (one.entry.CRC, one.entry.file_size) == (other.entry.CRC, other.entry.file_size)


@contextmanager
def opened_zip(path: Path) -> Iterator[PictureIndex[ZipPicture]]:
    """Open a ZIP file of pictures. Raises BadFile if the file is broken or unsafe.

    A safe file has no absolute paths, no "..", no links, no password and no huge pictures.
    """
    with _read_safely(path):
        archive = zipfile.ZipFile(path)
    with archive:
        index, pictures = PictureIndex(_same_content), dict[str, ZipPicture]()
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        if len(entries) > MOST_ENTRIES:
            raise BadFile(path, f"the ZIP file contains {len(entries):,} files; the limit is {MOST_ENTRIES:,} files")
        for entry in entries:
            parts = _path_in_zip(entry).replace("\\", "/").split("/")
            is_hidden = parts[0] == "__MACOSX" or parts[-1].startswith(".")
            is_picture = not is_hidden and PurePosixPath(parts[-1]).suffix.lower() in PICTURE_SUFFIXES
            problem = _problem(entry, parts, is_picture)
            if problem is not None:
                raise BadFile(path, problem)
            if is_picture:
                pictures.setdefault("/".join(parts), ZipPicture(path, archive, entry))
        for name, picture in pictures.items():
            index.add(name, picture)
        yield index


def _problem(entry: zipfile.ZipInfo, parts: Sequence[str], is_picture: bool) -> str | None:
    if ".." in parts or parts[0] == "" or ":" in parts[0]:
        return f"the ZIP file contains a path outside its own folder: {entry.filename!r:.80}"
    if stat.S_IFMT(entry.external_attr >> 16) == _LINK:
        return f"the ZIP file contains a link, {entry.filename!r:.80}; put the picture itself into the ZIP file"
    if is_picture and entry.flag_bits & _ENCRYPTED:
        return "the ZIP file is locked with a password; make a ZIP file without a password"
    if is_picture and entry.file_size > LARGEST_PICTURE:
        return f"{parts[-1]!r:.80} has {entry.file_size:,} bytes; the limit is {LARGEST_PICTURE:,} bytes"
    return None


def _path_in_zip(entry: zipfile.ZipInfo) -> str:
    """Return an entry's path. macOS writes UTF-8 without saying so, which `zipfile` reads as code page 437."""
    if not entry.flag_bits & _UTF8:
        with suppress(UnicodeError):
            return entry.filename.encode("cp437").decode("utf-8")
    return entry.filename


@contextmanager
def _read_safely(path: Path) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise BadFile(path, f"this is not a valid ZIP file ({error})") from error
