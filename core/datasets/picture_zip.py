"""Find pictures in an untrusted ZIP file and read them one by one.

No file is unpacked under a name from the ZIP file.
"""

import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from core.datasets.base import Record
from core.datasets.pictures import PICTURE_SUFFIXES
from core.errors import BadFile
from core.picture_names import PictureIndex

MOST_ENTRIES = 300_000
LARGEST_PICTURE = 50_000_000  # bytes, unpacked
MOST_BYTES = 20_000_000_000  # maximum bytes of all pictures, unpacked
TIGHTEST = 100  # maximum ratio of unpacked to packed bytes; picture formats are compressed, so ZIP hardly shrinks them
FREE_OF_DOUBT = 500_000_000  # unpacked bytes; if all pictures together have no more bytes, TIGHTEST is not checked
_LINK, _ENCRYPTED, _UTF8 = stat.S_IFLNK, 0x1, 0x800


@dataclass(slots=True)
class PictureZip:
    """The pictures of an open ZIP file.

    A picture is found as in folders: see core.picture_names.
    """

    path: Path
    archive: zipfile.ZipFile
    pictures: dict[str, zipfile.ZipInfo] = field(default_factory=dict)  # key: path in the ZIP file
    index: PictureIndex[zipfile.ZipInfo] = field(default_factory=lambda: PictureIndex(_same_entry))
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
    """Open a ZIP file of pictures.

    Raises BadFile if the file is broken or unsafe. A safe file has no absolute paths, no "..", no links and no
    password. Its unpacked size is within this module's limits.
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
    mode = entry.external_attr >> 16
    if ".." in parts or parts[0] == "" or ":" in parts[0]:
        raise BadFile(opened.path, f"the ZIP file contains a path outside its own folder: {entry.filename!r:.80}")
    if stat.S_IFMT(mode) == _LINK:
        raise BadFile(
            opened.path,
            f"the ZIP file contains a link, {entry.filename!r:.80}; put the picture itself into the ZIP file",
        )
    name = parts[-1]
    if parts[0] == "__MACOSX" or name.startswith(".") or PurePosixPath(name).suffix.lower() not in PICTURE_SUFFIXES:
        opened.others += 1
        return
    if entry.flag_bits & _ENCRYPTED:
        raise BadFile(opened.path, "the ZIP file is locked with a password; make a ZIP file without a password")
    if entry.file_size > LARGEST_PICTURE:
        raise BadFile(
            opened.path, f"{name!r:.80} has {entry.file_size:,} bytes; the limit is {LARGEST_PICTURE:,} bytes"
        )
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


def _same_entry(one: zipfile.ZipInfo, other: zipfile.ZipInfo) -> bool:
    return (one.CRC, one.file_size) == (other.CRC, other.file_size)


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
