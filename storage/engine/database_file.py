"""The file of an SQLite database: locked against being replaced while it is in use, watched, copied, checked.

SQLite goes on writing to a file that has been deleted or moved away, and all of that is lost without a word. So it is
looked at before and after every transaction whether the path still leads to the files that were opened (decision 003).
"""

import fcntl
import itertools
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

from core.errors import BadFile, StorageUnavailable
from core.files import written_whole
from storage.engine.log_copying import LogCopying

_CLAIM = ".claim"  # ending of the files of claims
Identity = tuple[tuple[int, int] | None, ...]  # (device, inode) of each file; None where it is not there


class DatabaseFile:
    """A database's file and its write-ahead log, open until close()."""

    def __init__(self, path: Path) -> None:
        """Hold a database that has been set up. Raises BadFile while it is being restored."""
        self._path = path
        self._lock: int | None = lock(path, exclusive=False)
        # A connection of our own keeps the inodes from being given to other files and the log from being removed.
        # Opening the file otherwise would, when it is closed, drop the locks that SQLite has on it.
        self._anchor = sqlite3.connect(path, check_same_thread=False)
        self._anchor.execute("SELECT 1 FROM sqlite_master").fetchall()
        self._opened = _identity(path)
        self._log = LogCopying(self._anchor)

    def written(self) -> None:
        """Count a transaction, after some of which the log is copied into the file."""
        self._log.written()

    def copy_log(self) -> None:
        """Copy the log into the file."""
        self._log.copy()

    def check(self) -> None:
        """Raise StorageUnavailable unless the path still leads to what was opened. Takes some microseconds."""
        if _identity(self._path) != self._opened:
            raise StorageUnavailable(
                f"The database {self._path.name} has been deleted, moved or replaced while Capscope runs, so nothing "
                "is stored: put it back where it was, or restore a backup and start Capscope again."
            )

    def close(self) -> None:
        """Let go of the file; a second time does nothing."""
        self._log.close()
        self._anchor.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def lock(path: Path, exclusive: bool) -> int:
    """Lock a database for use, or exclusively for its exchange; returns what os.close() unlocks it by. Raises BadFile.

    The lock is on a file of its own beside it, which stays, and ends with the process that holds it.
    """
    held = os.open(lock_path(path), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(held, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(held)
        using = "Capscope is running on it, or another command: stop that first"
        raise BadFile(path, using if exclusive else "it is being restored just now; try again afterwards") from error
    return held


def lock_path(path: Path) -> Path:
    """Return the file by which a database is locked."""
    return path.with_suffix(".lock")


@contextmanager
def claimed(path: Path, name: str) -> Iterator[None]:
    """Lock a file of that name beside a database; the lock ends with the block, or with the process."""
    place = _claim_path(path, name)
    held = _locked(place)
    try:
        yield
    finally:
        place.unlink(missing_ok=True)
        os.close(held)


def _locked(place: Path) -> int:
    """Make and lock a file; once more where somebody deletes it as left behind before it is locked."""
    while True:
        held = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(held, fcntl.LOCK_EX)
        if _inode(place) == (os.fstat(held).st_dev, os.fstat(held).st_ino):
            return held
        os.close(held)


def forget_claims(path: Path) -> None:
    """Delete the files of `claimed` that no process has locked: their processes were killed."""
    for place in path.parent.glob(_claim_path(path, "*").name):
        is_claimed(path, place.name.removeprefix(f"{path.stem}.").removesuffix(_CLAIM))


def is_claimed(path: Path, name: str) -> bool:
    """Return whether a process is within the block of `claimed`; the file of one that was killed is deleted."""
    place = _claim_path(path, name)
    try:
        held = os.open(place, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        place.unlink(missing_ok=True)
    except BlockingIOError:
        return True
    finally:
        os.close(held)
    return False


def _claim_path(path: Path, name: str) -> Path:
    return path.with_suffix(f".{name}{_CLAIM}")


def copy_database(path: Path, target: Path) -> None:
    """Copy a database, whoever writes to it meanwhile: all that was committed before, nothing by halves.

    A plain copy of the file would leave out what only its log holds. Raises BadFile, OSError.
    """
    if not path.is_file():
        raise BadFile(path, "there is no such database")
    try:
        with written_whole(target, durable=True) as unfinished, closing(sqlite3.connect(path)) as connection:
            connection.execute("VACUUM INTO ?", (str(unfinished),))
            unfinished.chmod(0o600)
    except sqlite3.DatabaseError as error:
        raise BadFile(path, f"it cannot be copied ({error})") from error


def copy_before(path: Path, revision: str) -> Path:
    """Copy a database that is about to leave a revision of its tables; returns where to. Raises BadFile, OSError."""
    name = f"{path.name}.before-leaving-{revision}"
    names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
    copy = next(place for place in map(path.with_name, names) if not place.exists())
    copy_database(path, copy)
    return copy


def check_database(path: Path) -> str:
    """Return the revision of the tables of a database that nobody uses. Raises BadFile where anything is broken."""
    try:
        with _unchanging(path) as connection:
            problems = [row[0] for row in connection.execute("PRAGMA integrity_check(1)") if row[0] != "ok"]
            problems += [
                f"a row of {table} belongs to none of {parent}"
                for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check")
            ]
            found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.DatabaseError as error:
        raise BadFile(path, f"it is no sound database of Capscope ({error})") from error
    if problems or found is None:
        raise BadFile(path, f"it is no sound database of Capscope ({(*problems, 'it has no revision')[0]})")
    return str(found[0])


def count_rows(path: Path, tables: Sequence[str]) -> dict[str, int]:
    """Return how many rows tables have in a database that nobody uses, 0 where there is no such table."""
    with _unchanging(path) as connection:
        there = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        count = "SELECT count(*) FROM {}"
        return {name: connection.execute(count.format(name)).fetchone()[0] if name in there else 0 for name in tables}


def _unchanging(path: Path) -> AbstractContextManager[sqlite3.Connection]:
    """Open a database to read it without leaving anything beside it."""
    return closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True))


def _identity(path: Path) -> Identity:
    return tuple(_inode(file) for file in (path, path.with_name(f"{path.name}-wal")))


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
