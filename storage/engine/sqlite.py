"""Use SQLite: one file, one writer at a time.

Measurements with many writers led to these settings: write-ahead log, foreign keys on, and a busy timeout. Every
writing transaction begins with BEGIN IMMEDIATE, so that none fails in the middle with "database is locked".
"""

import json
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy import insert as sql_insert
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import DatabaseError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.sql.compiler import SQLCompiler

from core.errors import BadFile, StorageBusy, StorageFull, StorageUnavailable
from core.installation import COMMAND
from storage.engine.database_file import DatabaseFile, claimed, forget_claims, is_claimed, revision_of
from storage.engine.dialect import Held, Holds, Listed
from storage.engine.migration import refusal

BUSY_TIMEOUT_MS = 15_000  # maximum ms for which a writer waits for another writer
LOOK_S = 0.002  # seconds between two checks whether a waiting writer may write
MOST_VALUES = 10_000  # maximum values in one statement; SQLite allows 32,766
CACHE_KIB, LARGE_CACHE_KIB = 2_000, 32_000  # page caches; long jobs change whole indexes, so they use the larger cache
_PRIMARY_CODE = 0xFF  # mask of the primary code in SQLite's extended error codes
_UNAVAILABLE = {
    sqlite3.SQLITE_IOERR: "cannot be read or written: check its disk",
    sqlite3.SQLITE_CORRUPT: "is damaged: stop Capscope and restore a backup",
    sqlite3.SQLITE_NOTADB: "is damaged: stop Capscope and restore a backup",
    sqlite3.SQLITE_READONLY: "cannot be written: check the data folder's permissions",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: check the data folder",
    sqlite3.SQLITE_PERM: "cannot be opened: check the data folder's permissions",
}


class Sqlite:
    """Implements storage.engine.dialect.Dialect for SQLite."""

    reading: Mapping[str, Any] = {}
    way_back = f"restore a backup ({COMMAND} restore), or choose another data folder"

    def insert(self, table: Any) -> Any:
        """Return an INSERT that offers on_conflict_do_update."""
        return insert(table)

    def inserting(self, engine: Engine, table: Any, rows: Sequence[Mapping[str, Any]]) -> Callable[[Connection], None]:
        """Convert rows to the values that SQLite stores.

        Return a function that inserts them.
        """
        compiled = sql_insert(table).compile(dialect=engine.dialect, column_keys=list(rows[0]))
        assert isinstance(compiled, SQLCompiler) and compiled.positiontup is not None
        columns = [(name, _converter(table, name, engine)) for name in compiled.positiontup]
        values = [row[name] if make is None else make(row[name]) for row in rows for name, make in columns]
        start, _, one = compiled.string.rpartition(" VALUES ")
        width = len(columns) * min(len(rows), MOST_VALUES // len(columns))  # number of values in one statement
        parts = [tuple(values[place : place + width]) for place in range(0, len(values), width)]

        def insert_all(connection: Connection) -> None:
            for part in parts:  # one INSERT for many rows, because the search index is slow to update row by row
                sql = f"{start} VALUES {', '.join([one] * (len(part) // len(columns)))}"
                connection.exec_driver_sql(sql, part)

        return insert_all

    def engine(self, url: URL) -> Engine:
        """Return an engine that configures its connections for many writers."""
        engine = create_engine(url, json_serializer=as_json, json_deserializer=from_json)
        # Insert many rows per statement, because updating the search index row by row takes ten times as long.
        engine.dialect.use_insertmanyvalues_wo_returning = True
        event.listen(engine, "connect", _set_up)
        event.listen(engine, "begin", _begin)
        return engine

    def check(self, engine: Engine) -> str | None:
        """Return why a file of an earlier version is refused, or None. The file is only read.

        Other errors of a file appear when it is first opened.
        """
        path = _path(engine)
        return refusal(revision_of(path)) if path.is_file() else None

    def refusal(self, engine: Engine, problem: str) -> BadFile:
        """Return an error with the file's name and the problem."""
        return BadFile(_path(engine), problem)

    def hold(self, engine: Engine) -> Held:
        """Watch the database's file while Capscope uses it."""
        return DatabaseFile(_path(engine))

    def told(self, error: DatabaseError) -> Exception | None:
        """Return an error that tells users why SQLite fails, or None."""
        code = getattr(error.orig, "sqlite_errorcode", 0) & _PRIMARY_CODE
        if code == sqlite3.SQLITE_FULL:
            return StorageFull()
        if code == sqlite3.SQLITE_BUSY:
            return StorageBusy("is locked by another program")
        if code in _UNAVAILABLE:
            return StorageUnavailable(f"The server's database {_UNAVAILABLE[code]} ({error.orig}).")
        return None

    def claim(self, engine: Engine, name: str) -> AbstractContextManager[None]:
        """Lock a file next to the database. The file has this name."""
        return claimed(_path(engine), name)

    def is_claimed(self, engine: Engine, name: str) -> bool:
        """Return whether a process has locked the file of this name."""
        return is_claimed(_path(engine), name)

    def forget_claims(self, engine: Engine) -> None:
        """Delete the files of names that no process claims (see `claim`)."""
        forget_claims(_path(engine))

    def check_alone(self, connection: Connection) -> None:
        """Do nothing: storage.engine.database_file.lock finds other processes."""

    def count_on(self, connection: Connection, table: str) -> None:
        """Do nothing: SQLite continues the row numbers after the last row."""


def as_json(value: Any) -> str:
    """Return a value of a JSON column as text.

    Most values are an empty list or dictionary. Their text is constant, so they are not encoded.
    """
    return "[]" if value == [] else "{}" if value == {} else json.dumps(value)


def from_json(text: str) -> Any:
    """Return the value of a JSON column from its text.

    Most values are empty, so their text is not parsed.
    """
    return [] if text == "[]" else {} if text == "{}" else json.loads(text)


def _converter(table: Any, name: str, engine: Engine) -> Callable[[Any], Any] | None:
    """Return a function that converts a column's values for SQLite.

    None: the values need no conversion.
    """
    columns = getattr(table, "__table__", table).columns
    made: Callable[[Any], Any] | None = columns[name].type.dialect_impl(engine.dialect).bind_processor(engine.dialect)
    return made


def _path(engine: Engine) -> Path:
    return Path(str(engine.url.database))


def _set_up(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # so that the driver begins no transactions; handlers of SQLAlchemy's events do
    for pragma in (
        f"busy_timeout={BUSY_TIMEOUT_MS}",
        "journal_mode=WAL",
        "synchronous=FULL",  # an acknowledged answer survives a power cut
        "foreign_keys=ON",
        "wal_autocheckpoint=0",  # off, because storage.engine.log_copying copies the log while no answer waits
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    if not options.get("capscope_writes", False):
        connection.exec_driver_sql("BEGIN")
        return
    _set_lasting(connection, options.get("capscope_lasting", True))
    _take_turn(connection, options.get("capscope_patience_ms", BUSY_TIMEOUT_MS))


def _take_turn(connection: Connection, patience_ms: int) -> None:
    """Begin to write as soon as no other writer is active.

    This function checks more often than SQLite's busy timeout, which pauses for up to 100 ms between two checks. With
    such pauses, a writer would miss the short pauses of a long job in another process.
    """
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    end = time.monotonic() + patience_ms / 1000
    raw.execute("PRAGMA busy_timeout=0")
    try:
        while _is_busy(raw) and time.monotonic() < end:
            time.sleep(LOOK_S)
        if not raw.in_transaction:
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # SQLAlchemy runs this, and converts errors to its own kinds
    finally:
        raw.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")


def _is_busy(raw: sqlite3.Connection) -> bool:
    """Try to begin a writing transaction. Return whether SQLite is busy."""
    try:
        raw.execute("BEGIN IMMEDIATE")
    except sqlite3.DatabaseError as error:
        return error.sqlite_errorcode & _PRIMARY_CODE == sqlite3.SQLITE_BUSY
    return False


def _set_lasting(connection: Connection, lasting: bool) -> None:
    """Set whether commits wait until their changes are on the disk.

    A commit that waits also stores the earlier commits on the disk, because all commits share a log. Only commits of
    long jobs do not wait. Long jobs also get a larger cache.
    """
    if connection.info.get("capscope_lasting", True) == lasting:
        return
    connection.exec_driver_sql(f"PRAGMA synchronous={'FULL' if lasting else 'NORMAL'}")
    connection.exec_driver_sql(f"PRAGMA cache_size=-{CACHE_KIB if lasting else LARGE_CACHE_KIB}")
    connection.info["capscope_lasting"] = lasting


@compiles(Listed, "sqlite")
def _listed(element: Listed, compiler: Any, **how: Any) -> str:
    return f"json_each({compiler.process(element.clauses, **how)})"


@compiles(Holds, "sqlite")
def _holds(element: Holds, compiler: Any, **how: Any) -> str:
    texts, pattern = (compiler.process(clause, **how) for clause in element.clauses)
    return f"({texts} LIKE {pattern} ESCAPE '/')"  # LIKE already ignores ASCII case; adding lower() doubles the time
