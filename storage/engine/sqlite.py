"""Use SQLite: one file, one writer at a time.

Measurements with many writers led to these settings: write-ahead log, foreign keys on, and a busy timeout. Every
writing transaction begins with BEGIN IMMEDIATE, so that none fails in the middle with "database is locked".
"""

import sqlite3
import time

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import ConnectionPoolEntry

from core.errors import StorageBusy, StorageFull, StorageUnavailable

BUSY_TIMEOUT_MS = 15_000  # maximum ms for which a writer waits for another writer
LOOK_S = 0.002  # seconds between two checks whether a waiting writer may write
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
_PRAGMAS = (
    f"busy_timeout={BUSY_TIMEOUT_MS}",
    "journal_mode=WAL",
    "synchronous=FULL",  # an acknowledged answer survives a power cut
    "foreign_keys=ON",
    "wal_autocheckpoint=0",  # off, because storage.engine.database_file copies the log while no answer waits
)


def make_engine(url: URL) -> Engine:
    """Return an engine that configures its connections for many writers."""
    engine = create_engine(url)
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def told(error: DatabaseError) -> Exception | None:
    """Return an error that tells users why SQLite fails, or None for a programming error."""
    code = getattr(error.orig, "sqlite_errorcode", 0) & _PRIMARY_CODE
    if code == sqlite3.SQLITE_FULL:
        return StorageFull()
    if code == sqlite3.SQLITE_BUSY:
        return StorageBusy("is locked by another program")
    if code in _UNAVAILABLE:
        return StorageUnavailable(f"The server's database {_UNAVAILABLE[code]} ({error.orig}).")
    return None


def _set_up(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # so that the driver begins no transactions; handlers of SQLAlchemy's events do
    for pragma in _PRAGMAS:
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
