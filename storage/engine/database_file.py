"""Lock, watch, copy and check the file of an SQLite database.

SQLite keeps writing to a file after someone deletes or moves it, and that data is lost without an error. So before
and after every transaction, Capscope checks that the path still leads to the opened files (decision 003).
"""

import fcntl
import os
import sqlite3
from collections.abc import Sequence
from contextlib import AbstractContextManager, closing, suppress
from pathlib import Path
from threading import Event, Thread

from core.errors import BadFile, StorageUnavailable
from core.files import written_whole
from storage.tables.triggers import triggers

COPY_EVERY_S = 1.0  # seconds between two copies of the write-ahead log into the database file
Identity = tuple[tuple[int, int] | None, ...]  # (device, inode) of each file; None if the file is missing


class DatabaseFile:
    """Holds a database file and its write-ahead log open until `close`."""

    def __init__(self, path: Path) -> None:
        """Open a database file that exists.

        Raises BadFile while the database is being restored.
        """
        self._path = path
        self._lock: int | None = lock(path, exclusive=False)
        # This open connection keeps SQLite from removing the log, and the file system from reusing the files' inodes.
        # An ordinary file handle does not work, because closing it drops SQLite's locks on the file.
        self._anchor = sqlite3.connect(path, check_same_thread=False)
        self._anchor.execute("SELECT 1 FROM sqlite_master").fetchall()
        self._opened = _identity(path)
        self._size = path.stat().st_size  # bytes; the file never shrinks, because Capscope never vacuums it in place
        self._closing = Event()
        self._copying = Thread(target=self._copy_log, name="copying the log", daemon=True)
        self._copying.start()

    def _copy_log(self) -> None:
        """Copy the write-ahead log into the database file again and again.

        By default, SQLite copies the log in the commit that makes it long. After a long read, that commit would copy
        hundreds of megabytes while a rater's answer waits.
        """
        while not self._closing.wait(COPY_EVERY_S):
            with suppress(sqlite3.Error):  # a full or broken disk also stops the next reader or writer
                self._anchor.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def check(self) -> None:
        """Raise StorageUnavailable unless the path still leads to the opened, whole files. Takes microseconds."""
        if _identity(self._path) != self._opened:
            raise StorageUnavailable(
                f"The database {self._path.name} was deleted, moved or replaced while Capscope was running, so "
                "nothing can be stored. Move the file back, or restore a backup and start Capscope again."
            )
        known = self._size  # read first, because another thread may note a larger size in the meantime
        size = self._path.stat().st_size
        if size < known:
            raise StorageUnavailable(
                f"The database {self._path.name} was cut short from {known} to {size} bytes by another program, "
                "so nothing can be stored. Restore a backup and start Capscope again."
            )
        self._size = size

    def close(self) -> None:
        """Close the database file. A second call does nothing."""
        self._closing.set()
        self._copying.join()
        self._anchor.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def lock(path: Path, exclusive: bool) -> int:
    """Lock a database. Return a file descriptor; os.close() unlocks the database.

    exclusive: True: lock the database to replace it, so that nobody else may use it; False: lock it to use it together
    with others. The lock is on a separate file, which is never deleted. The lock ends with the process that holds it.
    Raises BadFile.
    """
    held = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(held, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(held)
        using = "Capscope or another command is using the database; stop that program first"
        raise BadFile(path, using if exclusive else "the database is being restored now; try again later") from error
    return held


def copy_database(path: Path, target: Path) -> None:
    """Copy a database while others may write to it.

    The copy has all earlier commits and no half transaction. A plain copy of the file would miss the changes in the
    write-ahead log. Raises BadFile, OSError.
    """
    if not path.is_file():
        raise BadFile(path, "this database does not exist")
    try:
        with written_whole(target, durable=True) as unfinished, closing(sqlite3.connect(path)) as connection:
            connection.execute("VACUUM INTO ?", (str(unfinished),))
            unfinished.chmod(0o600)
    except sqlite3.DatabaseError as error:
        raise BadFile(path, f"the database cannot be copied ({error})") from error


def revision_of(path: Path) -> str | None:
    """Return the revision of a database's tables. None: there are no tables, or the file cannot be read."""
    with closing(sqlite3.connect(path)) as connection, suppress(sqlite3.DatabaseError):
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        return None if row is None else str(row[0])
    return None


def check_database(path: Path) -> str:
    """Check a database that no program has open.

    Return the revision of its tables. Raises BadFile if the database is broken.
    """
    try:
        with _unchanging(path) as connection:
            problems = [row[0] for row in connection.execute("PRAGMA integrity_check(1)") if row[0] != "ok"]
            problems += [
                f"a row of {table} refers to a missing row of {parent}"
                for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check")
            ]
            known = set(triggers("sqlite"))
            code = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'view')")
            problems += [
                f"it has foreign code, the trigger or view {name}" for _, name, sql in code if sql not in known
            ]
            version_row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.DatabaseError as error:
        raise BadFile(path, f"this is not a valid database of Capscope ({error})") from error
    if problems or version_row is None:
        raise BadFile(path, f"this is not a valid database of Capscope ({(*problems, 'it has no revision')[0]})")
    return str(version_row[0])


def count_rows(path: Path, tables: Sequence[str]) -> dict[str, int]:
    """Count the rows of tables in a database that is not open.

    The number for a missing table is 0.
    """
    with _unchanging(path) as connection:
        there = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        count = "SELECT count(*) FROM {}"
        return {name: connection.execute(count.format(name)).fetchone()[0] if name in there else 0 for name in tables}


def _unchanging(path: Path) -> AbstractContextManager[sqlite3.Connection]:
    """Open a database for reading. SQLite makes no files next to it."""
    return closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True))


def _identity(path: Path) -> Identity:
    return tuple(_inode(file) for file in (path, path.with_name(f"{path.name}-wal")))


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
