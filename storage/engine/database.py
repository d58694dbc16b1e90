"""Open the database, update its tables, and run transactions on it."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

from sqlalchemy import URL, Connection, CursorResult, Engine, make_url
from sqlalchemy.exc import DatabaseError

from core.errors import BadFile, BadSetting
from core.installation import COMMAND
from storage.engine import sqlite
from storage.engine.database_file import DatabaseFile, claimed, forget_claims, is_claimed, revision_of
from storage.engine.migration import bring_up_to_date, refusal
from storage.engine.writer_turns import Turns

_WAY_BACK = f"restore a backup ({COMMAND} restore), choose another data folder, or check CAPSCOPE_DATABASE"
PATIENCE_S = 15.0  # maximum seconds for which a writer waits for other writers


class Database:
    """Runs transactions on one database: `read` for reading, `write` for writing.

    Only one transaction writes at a time. If SQLite is locked, a waiting writer checks the lock again after pauses of
    up to 100 ms. A later writer could take the lock during such a pause. So the writers of this process queue before
    they ask for a connection or the database's lock. If another program holds the lock, only one writer waits for it
    (storage.engine.writer_turns).
    """

    def __init__(self, engine: Engine, path: Path | None) -> None:
        """Use an engine whose tables are up to date.

        path: the file of an SQLite database, which is watched until `close` is called; None: PostgreSQL.
        """
        self.engine = engine
        self._kind: ModuleType = sqlite if path is not None else _postgresql()
        self._path = path
        self._file = None if path is None else DatabaseFile(path)
        self._reading = engine.execution_options(**({} if path is not None else self._kind.READING))
        # Key: (seconds to wait for other writers, whether changes are durable). Engines are cached, because creating an
        # engine takes as long as storing a rater's answer.
        self._writers: dict[tuple[float, bool], Engine] = {}
        self._turns = Turns()
        self._shared: Connection | None = None

    @contextmanager
    def alone(self) -> Iterator["Database"]:
        """Yield this database for one writing transaction. Other writers wait meanwhile."""
        with self.write() as connection:
            held = copy(self)
            held._shared = connection
            yield held

    @property
    def is_alone(self) -> bool:
        """Return whether this database runs all calls in one shared transaction."""
        return self._shared is not None

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Run a reading transaction, which sees one state of the database throughout.

        Raises StorageUnavailable if the database cannot be read.
        """
        if self._shared is not None:
            yield self._shared
            return
        self.check()
        with self._failures_told(), self._reading.begin() as connection:
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
        if self._shared is not None:
            yield self._shared
            return
        self.check()
        engine = self._writer(patience_s, lasting)
        with self._turns.take(patience_s), self._failures_told(), engine.begin() as connection:
            self._turns.begun()
            yield connection
        if lasting and self._file is not None:
            self._file.written()
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
        if self._file is not None:
            self._file.copy_log()

    def check(self) -> None:
        """Raise StorageUnavailable if another database has replaced the opened one."""
        if self._file is not None:
            self._file.check()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        if self._file is not None:
            self._file.close()

    def claim(self, name: str) -> AbstractContextManager[None]:
        """Hold a unique name until the block or the process ends. A killed process also releases the name."""
        return self._kind.claimed(self.engine, name) if self._path is None else claimed(self._path, name)

    def is_claimed(self, name: str) -> bool:
        """Return whether a process holds this name (see `claim`)."""
        return bool(self._kind.is_claimed(self.engine, name) if self._path is None else is_claimed(self._path, name))

    def forget_claims(self) -> None:
        """Remove the names that killed processes claimed (see `claim`)."""
        if self._path is not None:
            forget_claims(self._path)

    @contextmanager
    def _failures_told(self) -> Iterator[None]:
        """Turn database failures in the block into errors with clear messages.

        Programming errors stay unchanged.
        """
        try:
            yield
        except DatabaseError as error:
            refusal = self._kind.told(error)
            if refusal is not None:
                raise refusal from error
            raise


def open_database(url: str | URL) -> Database:
    """Open the database at an SQLAlchemy URL and update its tables. Raises BadFile, BadSetting."""
    address = make_url(url)
    path = Path(str(address.database)) if address.get_backend_name() == "sqlite" else None
    if path is not None and path.is_file() and (problem := refusal(revision_of(path))):
        raise BadFile(path, problem)
    engine = sqlite.make_engine(address) if path is not None else _postgresql().make_engine(address)
    try:
        problem = bring_up_to_date(engine)
        if problem is None:
            return Database(engine, path)
    except DatabaseError as error:
        problem = f"the database cannot be used ({str(error.orig).strip().rstrip('.')}); {_WAY_BACK}"
    engine.dispose()
    if path is not None:
        raise BadFile(path, problem)
    raise BadSetting(f"{address.render_as_string()}: {problem}.")


def _postgresql() -> ModuleType:
    from storage.engine import postgresql  # imported late: SQLite does not need SQLAlchemy's PostgreSQL modules

    return postgresql


def utc_now() -> datetime:
    """Return the current UTC time without a time zone, as it is stored."""
    return datetime.now(UTC).replace(tzinfo=None)


def new_id(result: CursorResult[Any]) -> int:
    """Return the primary key of the row that an INSERT made."""
    key = result.inserted_primary_key
    assert key is not None  # every table has a primary key
    return int(key[0])
