"""Make temporary databases for work that does not fit into memory, and name a full disk."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EDQUOT, ENOSPC
from os import strerror
from pathlib import Path
from tempfile import NamedTemporaryFile

from core.errors import StorageFull

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
