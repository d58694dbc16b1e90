"""Store a large dictionary on disk, for work that does not fit into memory."""

import pickle
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from errno import EDQUOT, ENOSPC
from os import strerror
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Generic, TypeVar

from core.errors import StorageFull

K = TypeVar("K", int, str, bytes)
V = TypeVar("V")
_CACHE_KIB = 8_000  # maximum KiB in memory; the rest is in the file


@contextmanager
def full_disk_named() -> Iterator[None]:
    """Raise StorageFull for every error that a full disk causes."""
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        code = error.errno if isinstance(error, OSError) else error.sqlite_errorcode
        if code in (ENOSPC, EDQUOT, sqlite3.SQLITE_FULL) or strerror(ENOSPC) in str(error):
            raise StorageFull from error
        raise


def temporary_database(folder: Path | None) -> sqlite3.Connection:
    """Return an empty SQLite database in a file without a name, which disappears when it is closed.

    folder: where the file is stored; None: the system's temporary folder.
    """
    with NamedTemporaryFile(dir=None if folder is None else str(folder)) as file:
        opened = sqlite3.connect(file.name, isolation_level=None, check_same_thread=False)
        opened.row_factory = sqlite3.Row
        for setting in ("journal_mode=OFF", "synchronous=OFF", "locking_mode=EXCLUSIVE", f"cache_size=-{_CACHE_KIB}"):
            opened.execute(f"PRAGMA {setting}").fetchall()
        opened.execute("CREATE TABLE first (id)")  # opens the file before the end of `with` deletes it
        return opened


class DiskMap(Mapping[K, V], Generic[K, V]):
    """A dictionary on disk, ordered by when each key was first added.

    All keys have one type. pickle must support the values. The file has no name, and only its owner can read it. It
    disappears when the map is closed or the process ends. Several threads may read the map, one at a time.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Make an empty map.

        folder: where the map's file is stored; None: the system's temporary folder.
        """
        self._file = temporary_database(folder)
        self._file.execute("CREATE TABLE items (place INTEGER PRIMARY KEY, key UNIQUE NOT NULL, value NOT NULL)")
        self._count = 0

    def __getitem__(self, key: K) -> V:
        row = self._file.execute("SELECT value FROM items WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise KeyError(key)
        value: V = pickle.loads(row[0])
        return value

    def __iter__(self) -> Iterator[K]:
        for (key,) in self._file.execute("SELECT key FROM items ORDER BY place"):
            yield key

    def __len__(self) -> int:
        return self._count

    def __contains__(self, key: object) -> bool:
        return self._count > 0 and self._find(key)

    def found(self, keys: Iterable[K]) -> dict[K, V]:
        """Return the values of those keys that the map contains."""
        if not self._count:
            return {}
        rows = ((key, self._value(key)) for key in keys)
        return {key: pickle.loads(row[0]) for key, row in rows if row is not None}

    def put(self, items: Mapping[K, V]) -> None:
        """Set values of new or existing keys. Raises StorageFull."""
        if not items:
            return
        rows = [(key, pickle.dumps(value, pickle.HIGHEST_PROTOCOL)) for key, value in items.items()]
        statement = "INSERT INTO items (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
        with full_disk_named():
            self._file.execute("BEGIN")
            self._file.executemany(statement, rows)
            self._file.execute("COMMIT")
        self._count = self._file.execute("SELECT max(place) FROM items").fetchone()[0]

    def close(self) -> None:
        """Delete the map's file."""
        self._file.close()

    def __enter__(self) -> "DiskMap[K, V]":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _value(self, key: Any) -> Any:
        return self._file.execute("SELECT value FROM items WHERE key = ?", (key,)).fetchone()

    def _find(self, key: Any) -> bool:
        return self._value(key) is not None
