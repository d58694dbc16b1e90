"""Opening the database and keeping its tables up to date.

SQLite settings follow what was measured with many writers: write-ahead log, foreign keys on, a busy timeout,
and BEGIN IMMEDIATE for every transaction that writes, so that none fails half way with "database is locked".
"""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import URL, Connection, CursorResult, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from core.errors import BadFile, StorageFull
from storage.migration import migrate, revisions

BUSY_TIMEOUT_MS = 15_000  # how long a writer waits for another one


class Database:
    """Transactions on one database. Reading and writing are different, so that writers queue up at the start.

    SQLite has one writer at a time, and one that waits looks again after pauses of up to 100 ms, in which later ones
    overtake it. So the writers of this process take turns before they ask SQLite, or even for a connection.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._writing = engine.execution_options(capscope_writes=True)
        self._turn: AbstractContextManager[Any] = Lock() if engine.dialect.name == "sqlite" else nullcontext()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Run a transaction that only reads; it sees one state of the database throughout."""
        with self.engine.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Run a transaction that writes: committed at the end, rolled back on any error. Raises StorageFull."""
        try:
            with self._turn, self._writing.begin() as connection:
                yield connection
        except OperationalError as error:
            if getattr(error.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
                raise StorageFull from error
            raise

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def open_database(url: str | URL) -> Database:
    """Open the database at an SQLAlchemy URL and bring its tables up to date. Raises BadFile."""
    engine = create_engine(url)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    try:
        _bring_up_to_date(engine)
    except DatabaseError as error:
        raise _unusable(
            engine, f"it cannot be used as a database ({error.orig}); choose another data folder"
        ) from error
    return Database(engine)


def _bring_up_to_date(engine: Engine) -> None:
    known, found = revisions(), _revision(engine)
    if found not in (None, *known):
        raise _unusable(engine, f"it was made by a later version of Capscope (revision {found}); use that one")
    if found != known[-1]:
        migrate(engine)


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
