"""Use PostgreSQL, for teams that have a PostgreSQL server.

Only one transaction writes at a time, as in SQLite. Each writing transaction takes an advisory lock when it begins, but
readers never wait. This module is imported only if CAPSCOPE_DATABASE names a PostgreSQL database.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DatabaseError, InterfaceError, OperationalError

from core.errors import StorageBusy, StorageFull, StorageUnavailable

READING = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
_TURN = int.from_bytes(b"capscope")  # number of the advisory lock that the current writer holds
_CLAIM = 1  # first of the two numbers of a claim's advisory lock; the writer's lock has one number
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


@contextmanager
def claimed(engine: Engine, name: str) -> Iterator[None]:
    """Hold an advisory lock for a name during the block. PostgreSQL releases it when the connection ends."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("SELECT pg_advisory_lock(:kind, hashtext(:name))"), {"kind": _CLAIM, "name": name})
        try:
            yield
        finally:
            connection.invalidate()


def is_claimed(engine: Engine, name: str) -> bool:
    """Return whether any connection holds the advisory lock for a name."""
    with engine.begin() as connection:  # the lock ends with this transaction
        query = text("SELECT pg_try_advisory_xact_lock(:kind, hashtext(:name))")
        return not connection.scalar(query, {"kind": _CLAIM, "name": name})


def _begin(connection: Connection) -> None:
    """Wait for the lock to write. The transaction then reads everything that the last writer stored."""
    options = connection.get_execution_options()
    if options.get("capscope_writes", False):
        patience_ms = int(options.get("capscope_patience_ms", 15_000))
        wait = f"set_config('lock_timeout', '{patience_ms}', true)"
        connection.exec_driver_sql(f"SELECT {wait}, pg_advisory_xact_lock({_TURN})")
