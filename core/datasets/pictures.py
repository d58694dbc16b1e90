"""Find the pictures of records, in the user's folders or beside the imported file."""

import filecmp
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from core.datasets.base import Record
from core.errors import BadSetting
from core.picture_names import PictureIndex, parts_of

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff"})


def _same_file(one: Path, other: Path) -> bool:
    return filecmp.cmp(one, other, shallow=False)


@dataclass(frozen=True, slots=True)
class ImageIndex:
    """The files of some folders."""

    files: PictureIndex[Path] = field(default_factory=lambda: PictureIndex(_same_file))

    def find(self, record: Record) -> Path | None:
        """Return the record's picture; None if there is none. Raises NotFound if several pictures fit equally well.

        A relative path is first searched beside the record's file. If the picture is not there, or the path is not
        relative, the folders are searched for the path with the longest common ending.
        """
        beside = _beside(record.file.parent, record.image) if record.image_is_relative else None
        return beside or self.files.find(record.image)


def find_images(folders: Sequence[Path]) -> ImageIndex:
    """Make an index of all files in some folders and their subfolders.

    If files fit a name equally well, the file of the first folder is used. Raises BadSetting for a missing folder.

    The index also contains files that are not pictures, but they are found only by their full names. Such a file causes
    an error only when it is opened as a picture.
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
