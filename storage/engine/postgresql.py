"""Use PostgreSQL, for teams that have a PostgreSQL server.

Only one transaction writes at a time, as in SQLite. Each writing transaction takes an advisory lock when it begins, but
readers never wait. This module is imported only if CAPSCOPE_DATABASE names a PostgreSQL database.
"""

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError, InterfaceError, OperationalError

from core.errors import StorageBusy, StorageFull, StorageUnavailable

READING = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
_TURN = int.from_bytes(b"capscope")  # number of the advisory lock that the current writer holds
_FULL, _HELD = "53100", "55P03"  # error codes


def make_engine(url: URL) -> Engine:
    """Return an engine that tests each connection before it is used."""
    engine = create_engine(
        url,
        isolation_level="READ COMMITTED",
        pool_pre_ping=True,
        pool_size=10,
        max_overflow=10,
        connect_args={"connect_timeout": 10, "options": "-c timezone=UTC"},
    )
    event.listen(engine, "begin", _begin)
    return engine


def told(error: DatabaseError) -> Exception | None:
    """Return an error that tells users why PostgreSQL fails, or None for a programming error."""
    code = getattr(error.orig, "sqlstate", None)
    if code == _FULL:
        return StorageFull()
    if code == _HELD:
        return StorageBusy("is locked by another program")
    if isinstance(error, OperationalError | InterfaceError):
        return StorageUnavailable(f"The server's database cannot be used: {str(error.orig).strip()}")
    return None


def _begin(connection: Connection) -> None:
    """Wait for the lock to write. The transaction then reads everything that the last writer stored."""
    options = connection.get_execution_options()
    if options.get("capscope_writes", False):
        patience_ms = int(options.get("capscope_patience_ms", 15_000))
        wait = f"set_config('lock_timeout', '{patience_ms}', true)"
        connection.exec_driver_sql(f"SELECT {wait}, pg_advisory_xact_lock({_TURN})")
