"""Open the database, update its tables, and run transactions on it.

`storage.engine.dialect` holds the differences between kinds of databases.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from copy import copy
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import URL, Connection, CursorResult, Engine, make_url
from sqlalchemy.exc import DatabaseError

from core.errors import UserError
from storage.engine.dialect import Dialect
from storage.engine.migration import bring_up_to_date
from storage.engine.writer_turns import Turns

PATIENCE_S = 15.0  # maximum seconds for which a writer waits for other writers


class _Undone(Exception):
    """Raised to end a transaction and undo its changes."""


class Database:
    """Runs transactions on one database: `read` for reading, `write` for writing.

    Only one transaction writes at a time. If SQLite is locked, a waiting writer checks the lock again after pauses of
    up to 100 ms. A later writer could take the lock during such a pause. So the writers of this process queue before
    they ask for a connection or the database's lock. If another program holds the lock, only one writer waits for it
    (storage.engine.writer_turns).
    """

    def __init__(self, engine: Engine, dialect: Dialect) -> None:
        """Use an engine whose tables are up to date.

        The dialect watches the database until `close` is called.
        """
        self.engine, self.dialect = engine, dialect
        self._reading = engine.execution_options(**dialect.reading)
        # Key: (seconds to wait for other writers, whether changes are durable). Engines are cached, because creating an
        # engine takes as long as storing a rater's answer.
        self._writers: dict[tuple[float, bool], Engine] = {}
        self._held = dialect.hold(engine)
        self._turns = Turns()
        self._rehearsal: Connection | None = None

    @contextmanager
    def rehearse(self) -> Iterator["Database"]:
        """Yield this database, and undo all changes at the end of the block. Other writers wait meanwhile."""
        with suppress(_Undone), self.write() as connection:
            rehearsed = copy(self)
            rehearsed._rehearsal = connection
            yield rehearsed
            raise _Undone

    @contextmanager
    def alone(self) -> Iterator["Database"]:
        """Yield this database for one writing transaction. Other writers wait meanwhile."""
        with self.write() as connection:
            held = copy(self)
            held._rehearsal = connection
            yield held

    @property
    def is_alone(self) -> bool:
        """Return whether this database runs all calls in one shared transaction."""
        return self._rehearsal is not None

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Run a reading transaction, which sees one state of the database throughout.

        Raises StorageUnavailable if the database cannot be read.
        """
        if self._rehearsal is not None:
            yield self._rehearsal
            return
        self.check()
        with _failures_told(self.dialect), self._reading.begin() as connection:
            yield connection

    @property
    def is_held(self) -> bool:
        """Return whether another program blocks the database.

        The result is True if a writer of this process has waited for the database for more than a second.
        """
        return self._turns.is_held

    @contextmanager
    def write(self, patience_s: float = PATIENCE_S, lasting: bool = True) -> Iterator[Connection]:
        """Run a writing transaction: commit at the end, roll back on any error.

        patience_s: seconds to wait for other writers of this process and of other processes. lasting: True: the changes
        are on the disk when the block has ended. False: the changes reach the disk with the next lasting transaction.
        Raises StorageBusy if the wait is too long, StorageFull if the disk is full, and StorageUnavailable for other
        failures.

        At the end of the block, StorageUnavailable is also raised if another file has replaced the database. The next
        start would open the other file, which lacks the changes.
        """
        if self._rehearsal is not None:
            yield self._rehearsal
            return
        self.check()
        engine = self._writer(patience_s, lasting)
        with self._turns.take(patience_s), _failures_told(self.dialect), engine.begin() as connection:
            self._turns.begun()
            yield connection
        if lasting:
            self._held.written()
        self.check()

    def _writer(self, patience_s: float, lasting: bool) -> Engine:
        kind = patience_s, lasting
        if kind not in self._writers:
            options = {"capscope_writes": True, "capscope_patience_ms": round(1000 * patience_s)}
            self._writers[kind] = self.engine.execution_options(**options, capscope_lasting=lasting)
        return self._writers[kind]

    def copy_log(self) -> None:
        """Copy a long job's changes from SQLite's log into the database.

        Others can write meanwhile.
        """
        self._held.copy_log()

    def check(self) -> None:
        """Raise StorageUnavailable if another database has replaced the opened one."""
        self._held.check()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        self._held.close()


def open_database(url: str | URL) -> Database:
    """Open the database at an SQLAlchemy URL and update its tables. Raises BadFile, BadSetting."""
    address = make_url(url)
    dialect = _dialect(address)
    engine = dialect.engine(address)
    try:
        problem = dialect.check(engine) or bring_up_to_date(engine)
    except DatabaseError as error:
        reason = str(error.orig).strip().rstrip(".")
        problem = f"the database cannot be used ({reason}); {dialect.way_back}"
        raise _refused(engine, dialect, problem) from error
    if problem is not None:
        raise _refused(engine, dialect, problem)
    return Database(engine, dialect)


def _dialect(url: URL) -> Dialect:
    if url.get_backend_name() == "sqlite":
        from storage.engine.sqlite import Sqlite

        return Sqlite()
    from storage.engine.postgresql import (
        Postgresql,  # imported late: SQLite does not need SQLAlchemy's PostgreSQL modules
    )

    return Postgresql()


@contextmanager
def _failures_told(dialect: Dialect) -> Iterator[None]:
    """Turn database failures in the block into errors with clear messages.

    Programming errors stay unchanged.
    """
    try:
        yield
    except DatabaseError as error:
        refusal = dialect.told(error)
        if refusal is not None:
            raise refusal from error
        raise


def _refused(engine: Engine, dialect: Dialect, problem: str) -> UserError:
    engine.dispose()
    return dialect.refusal(engine, problem)


def utc_now() -> datetime:
    """Return the current UTC time without a time zone, as it is stored."""
    return datetime.now(UTC).replace(tzinfo=None)


def new_id(result: CursorResult[Any]) -> int:
    """Return the primary key of the row that an INSERT made."""
    key = result.inserted_primary_key
    assert key is not None  # every table has a primary key
    return int(key[0])
