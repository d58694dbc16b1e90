"""A long list on disk, for data that does not fit into memory."""

import pickle
from collections.abc import Iterator
from dataclasses import is_dataclass
from errno import ENOSPC
from os import SEEK_END
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any, Generic, TypeVar

from core.errors import StorageFull

T = TypeVar("T")
AT_A_TIME = 100  # number of items in memory; a small number keeps Python's garbage collection short
IN_MEMORY = 8_000_000  # maximum bytes of a list in memory; a longer list is written to disk


class Spool(Generic[T]):
    """A list on disk: append items, and iterate over them any number of times.

    Items must be picklable. The file has no name and only its owner can read it. It is deleted when the spool is closed
    or the process ends.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Create an empty spool.

        folder: the folder for the file; None: the file is in the system's temporary folder.
        """
        self._file = SpooledTemporaryFile(IN_MEMORY, dir=None if folder is None else str(folder))
        self._last: list[T] = []
        self._stored = 0

    def append(self, item: T) -> None:
        """Add an item. Do not change the item afterwards: the change may be lost.

        Raises StorageFull if the disk is full.
        """
        self._last.append(item)
        if len(self._last) == AT_A_TIME:
            try:
                self._file.seek(0, SEEK_END)
                _Pickler(self._file, pickle.HIGHEST_PROTOCOL).dump(self._last)
                self._file.flush()
            except OSError as error:
                raise StorageFull if error.errno == ENOSPC else error from error
            self._stored += AT_A_TIME
            self._last = []

    def __len__(self) -> int:
        """Return the number of items."""
        return self._stored + len(self._last)

    def __iter__(self) -> Iterator[T]:
        """Yield all items from the first on.

        Several readers may iterate at the same time. Nobody may append while somebody iterates.
        """
        place = 0
        for _ in range(self._stored // AT_A_TIME):
            self._file.seek(place)
            part = pickle.load(self._file)
            place = self._file.tell()
            yield from part
        yield from self._last

    def close(self) -> None:
        """Delete the file."""
        self._file.close()

    def __enter__(self) -> "Spool[T]":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Pickler(pickle.Pickler):
    """Stores dataclasses as their values, because Python copies frozen dataclasses with slots slowly."""

    def reducer_override(self, item: Any) -> Any:
        """Return the class and its arguments for a dataclass."""
        if not is_dataclass(item) or isinstance(item, type):
            return NotImplemented
        return type(item), tuple([getattr(item, name) for name in item.__dataclass_fields__])
