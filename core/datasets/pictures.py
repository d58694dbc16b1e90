"""Find the pictures of records, in the user's folders or beside the imported file."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.coco_names import coco_number
from core.datasets.base import Record
from core.datasets.rows import file_name
from core.errors import BadSetting

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff"})


@dataclass(frozen=True, slots=True)
class ImageIndex:
    """The files of some folders.

    Every file can be found by its name. A picture can also be found by its name without extension and by its COCO
    number. If several files have the same name, the first is used.
    """

    by_name: dict[str, Path]
    by_stem: dict[str, Path]  # key: file name without its ending, for sources that identify pictures by id
    by_coco_number: dict[int, Path]

    def find(self, record: Record) -> Path | None:
        """Return the record's picture; None if there is none.

        A relative path is first searched beside the record's file. If the picture is not there, or the path is not
        relative, the folders are searched for the picture's name.
        """
        if record.image_is_relative:
            beside = record.file.parent / record.image
            if beside.is_file():
                return beside
        return self.find_name(file_name(record.image))

    def find_name(self, name: str) -> Path | None:
        """Return the file with a name.

        If there is no such file, returns the picture with the same name without extension, or with the same COCO
        number.
        """
        paths = self.by_name.get(name) or self.by_stem.get(name) or self.by_stem.get(Path(name).stem)
        number = coco_number(name)
        return paths if paths or number is None else self.by_coco_number.get(number)


def find_images(folders: Sequence[Path]) -> ImageIndex:
    """Make an index of all files in some folders and their subfolders.

    If files have the same name, the first is used. Folders are searched in the given order. Within a folder, its own
    files come before those of its subfolders, sorted by name. Raises BadSetting for a missing folder.

    The index also contains files that are not pictures, but they are found only by their full names. Such a file causes
    an error only when it is opened as a picture.
    """
    index = ImageIndex({}, {}, {})
    for folder in folders:
        if not folder.is_dir():
            raise BadSetting(f"The folder {folder} does not exist, so there are no images. Check --images.")
        for path in _files(folder):
            index.by_name.setdefault(path.name, path)
            if path.suffix.lower() in PICTURE_SUFFIXES:
                index.by_stem.setdefault(path.stem, path)
                number = coco_number(path.name)
                if number is not None:
                    index.by_coco_number.setdefault(number, path)
    return index


def _files(folder: Path) -> Iterable[Path]:
    for where, inner_folders, names in os.walk(folder, onerror=_unreadable):
        inner_folders.sort()
        yield from (Path(where, name) for name in sorted(names))


def _unreadable(error: OSError) -> None:
    raise BadSetting(f"The folder {error.filename} cannot be read ({error.strerror}). Check --images.") from error
