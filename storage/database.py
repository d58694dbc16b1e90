"""Opening the database and keeping its tables up to date.

SQLite settings follow what was measured with many writers: write-ahead log, foreign keys on, a busy timeout,
and BEGIN IMMEDIATE for every transaction that writes, so that none fails half way with "database is locked".
"""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import URL, Connection, CursorResult, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import ConnectionPoolEntry

from core.errors import BadFile, StorageFull, StorageUnavailable
from storage.database_file import DatabaseFile
from storage.migration import copy_before, migrate, revisions

BUSY_TIMEOUT_MS = 15_000  # how long a writer waits for another one
_PRIMARY_CODE = 0xFF  # of SQLite's extended error codes
_UNAVAILABLE = {
    sqlite3.SQLITE_IOERR: "cannot be read or written: look at its disk",
    sqlite3.SQLITE_CORRUPT: "is damaged: stop Capscope and restore a backup",
    sqlite3.SQLITE_NOTADB: "is damaged: stop Capscope and restore a backup",
    sqlite3.SQLITE_READONLY: "cannot be written: look at the data folder's permissions",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: look at the data folder",
    sqlite3.SQLITE_PERM: "cannot be opened: look at the data folder's permissions",
    sqlite3.SQLITE_BUSY: "is held by another program",
}


class Database:
    """Transactions on one database. Reading and writing are different, so that writers queue up at the start.

    SQLite has one writer at a time, and one that waits looks again after pauses of up to 100 ms, in which later ones
    overtake it. So the writers of this process take turns before they ask SQLite, or even for a connection.
    """

    def __init__(self, engine: Engine, file: DatabaseFile | None = None) -> None:
        """Take an engine. file: what is watched while it is in use; closed with it."""
        self.engine, self._file = engine, file
        self._writing = engine.execution_options(capscope_writes=True)
        self._turn: AbstractContextManager[Any] = Lock() if engine.dialect.name == "sqlite" else nullcontext()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Run a transaction that only reads; it sees one state of the database throughout.

        Raises StorageUnavailable where the database cannot be read.
        """
        self.check()
        with _failures_told(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Run a transaction that writes: committed at the end, rolled back on any error.

        Raises StorageFull where the disk is full, and StorageUnavailable where nothing can be stored for another
        reason; also at the end, where the file that was written to is no longer the one that a next start would open.
        """
        self.check()
        with self._turn, _failures_told(), self._writing.begin() as connection:
            yield connection
        self.check()

    def check(self) -> None:
        """Raise StorageUnavailable where the database is no longer the file that was opened."""
        if self._file is not None:
            self._file.check()

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()
        if self._file is not None:
            self._file.close()


def open_database(url: str | URL) -> Database:
    """Open the database at an SQLAlchemy URL and bring its tables up to date. Raises BadFile."""
    engine = create_engine(url)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    try:
        _bring_up_to_date(engine)
    except DatabaseError as error:
        way_back = "restore a backup (python app.py restore), or choose another data folder"
        raise _unusable(engine, f"it cannot be used as a database ({error.orig}); {way_back}") from error
    name = engine.url.database
    return Database(engine, DatabaseFile(Path(name)) if engine.dialect.name == "sqlite" and name else None)


@contextmanager
def _failures_told() -> Iterator[None]:
    """Say in words what keeps SQLite from reading or writing; mistakes of ours stay what they are."""
    try:
        yield
    except DatabaseError as error:
        code = getattr(error.orig, "sqlite_errorcode", 0) & _PRIMARY_CODE
        if code == sqlite3.SQLITE_FULL:
            raise StorageFull from error
        if code in _UNAVAILABLE:
            raise StorageUnavailable(f"The server's database {_UNAVAILABLE[code]} ({error.orig}).") from error
        raise


def _bring_up_to_date(engine: Engine) -> None:
    known, found = revisions(), _revision(engine)
    if found not in (None, *known):
        raise _unusable(engine, f"it was made by a later version of Capscope (revision {found}); use that one")
    if found == known[-1]:
        return
    name = engine.url.database
    copy = copy_before(Path(name), found) if found and name and engine.dialect.name == "sqlite" else None
    migrate(engine)
    if copy:
        logging.getLogger("capscope").warning(
            f"The database has been brought from revision {found} to {known[-1]}. To go back to the version before, "
            f"stop Capscope and put {copy} in the place of {name}, with no {name}-wal beside it."
        )


def _revision(engine: Engine) -> str | None:
    """Return the revision of the tables; None where there are none."""
    with engine.begin() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
        return found


def _unusable(engine: Engine, problem: str) -> BadFile:
    engine.dispose()
    return BadFile(Path(engine.url.database or str(engine.url)), problem)


def utc_now() -> datetime:
    """Return the present time in UTC, without a zone: the form in which times are stored."""
    return datetime.now(UTC).replace(tzinfo=None)


def new_id(result: CursorResult[Any]) -> int:
    """Return the primary key of the row that an INSERT has made."""
    key = result.inserted_primary_key
    assert key is not None  # every table here has one
    return int(key[0])


def _set_up_sqlite(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # transactions are begun below, not by the driver
    for pragma in (
        f"busy_timeout={BUSY_TIMEOUT_MS}",
        "journal_mode=WAL",
        "synchronous=FULL",  # an answer that was acknowledged also survives a power cut
        "foreign_keys=ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("capscope_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
