"""Match names of pictures: by path, by the longest common ending of two paths, by stem, or by COCO number.

Slashes and backslashes separate folders. Names are compared in Unicode form C, because macOS writes form D.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath, PureWindowsPath
from typing import Generic, TypeVar

from core.errors import NotFound

T = TypeVar("T")
Parts = tuple[str, ...]
_COCO_STEM = re.compile(r"(?:COCO_(?:train|val|test)20[0-9]{2}_)?([0-9]{12})", re.ASCII)


@lru_cache(4_096)
def parts_of(path: str) -> Parts:
    """Return the names of folders and of the file in a path."""
    return tuple(part for part in re.split(r"[\\/]+", unicodedata.normalize("NFC", path)) if part not in ("", "."))


@lru_cache(1_000)
def is_absolute(path: str) -> bool:
    """Return whether a path begins at the root of a disk, on any system."""
    return PurePosixPath(path).is_absolute() or PureWindowsPath(path).is_absolute()


def file_name(path: str) -> str:
    """Return the last name of a path or address; "" if there is none."""
    return (parts_of(path) or ("",))[-1]


def common_ending(one: Parts, other: Parts, stems: bool = False) -> int:
    """Return how many names at the ends of two paths are equal. stems: compare the last names without extension."""
    if stems and one and other and stem(one[-1]) == stem(other[-1]):
        one, other = (*one[:-1], ""), (*other[:-1], "")
    length = 0
    while length < min(len(one), len(other)) and one[-1 - length] == other[-1 - length]:
        length += 1
    return length


def is_ending(one: str, other: str) -> bool:
    """Return whether one path is the end of the other path, without regard to extensions."""
    first, second = parts_of(one), parts_of(other)
    return common_ending(first, second, stems=True) == min(len(first), len(second))


def stem(name: str) -> str:
    """Return a file's name without its extension."""
    return PurePosixPath(name).stem


def coco_number(name: str) -> int | None:
    """Return a picture's COCO number from its name; None for other names.

    COCO_val2014_000000391895.jpg and 000000391895.jpg are the same picture in COCO's data sets of all years.
    """
    match = _COCO_STEM.fullmatch(stem(file_name(name)))
    return int(match[1]) if match else None


@dataclass(frozen=True, slots=True)
class _Entry(Generic[T]):
    full: Parts  # compared with other paths
    within: Parts  # path inside its own folder
    folder: int  # folders with lower numbers are preferred
    value: T


@dataclass(slots=True)
class PictureIndex(Generic[T]):
    """Values of pictures (files, entries of a ZIP file, annotations) that are found by the pictures' names.

    same: returns whether two values with equally good names are the same picture.
    """

    same: Callable[[T, T], bool] = lambda one, other: one == other
    # Key: a name with extension, a stem as a tuple of one text, or a COCO number
    _entries: dict[str | tuple[str] | int, list[_Entry[T]]] = field(default_factory=dict)

    def add(self, path: str, value: T, folder: int = 0, root: str = "", by_name_only: bool = False) -> None:
        """Add a picture. path: its path inside `root`. by_name_only: do not find it by its stem or number."""
        within = parts_of(path)
        entry = _Entry((*parts_of(root), *within), within, folder, value)
        name = file_name(path)
        for key in (name,) if by_name_only else (name, (stem(name),), coco_number(name)):
            if key is not None:
                self._entries.setdefault(key, []).append(entry)

    def __bool__(self) -> bool:
        return bool(self._entries)

    def find(self, *paths: str) -> T | None:
        """Return the value of the picture that one of these paths names; None: there is none.

        The paths are tried in their order. Raises NotFound if several different pictures fit equally well.
        """
        tried = [parts for parts in map(parts_of, paths) if parts]
        for with_stem in (False, True):
            unsure: list[_Entry[T]] = []
            for parts in tried:
                best = _best(parts, self._named(parts[-1], with_stem))
                if best and all(self.same(best[0].value, other.value) for other in best[1:]):
                    return best[0].value
                unsure = unsure or best
            if unsure:
                fitting = " and ".join(sorted("/".join(entry.within) for entry in unsure)[:3])
                raise NotFound(f"{'/'.join(tried[0])} names several pictures: {fitting}")
        numbers = (coco_number(parts[-1]) for parts in tried)  # the same number is the same picture
        known = (self._entries.get(number) for number in numbers if number is not None)
        return next((entries[0].value for entries in known if entries), None)

    def _named(self, name: str, with_stem: bool) -> list[_Entry[T]]:
        keys = ((name,), (stem(name),)) if with_stem else (name,)
        return next((entries for key in keys if (entries := self._entries.get(key))), [])


def _best(parts: Parts, entries: list[_Entry[T]]) -> list[_Entry[T]]:
    """Return the entries whose paths have the longest common ending with a path."""
    if len(entries) < 2:
        return entries

    def rank(entry: _Entry[T]) -> tuple[int, int, bool]:
        return common_ending(parts[:-1], entry.full[:-1]), -entry.folder, entry.within == parts

    highest = max(map(rank, entries))
    return [entry for entry in entries if rank(entry) == highest]
