"""Open the database, update its tables, and run transactions on it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import BoundedSemaphore, Lock
from types import ModuleType
from typing import Any

from sqlalchemy import URL, Connection, CursorResult, Engine, make_url
from sqlalchemy.exc import DatabaseError

from core.errors import BadFile, BadSetting, StorageBusy
from core.installation import COMMAND
from storage.engine import sqlite
from storage.engine.database_file import DatabaseFile
from storage.engine.migration import bring_up_to_date

_WAY_BACK = f"restore a backup ({COMMAND} restore), choose another data folder, or check CAPSCOPE_DATABASE"
PATIENCE_S = 15.0  # maximum seconds for which a writer waits for other writers
MOST_WAITING = 30  # maximum number of waiting writers; each uses one of the server's 40 threads, and readers need some
HELD_S = 0.03  # desired seconds for which a transaction of a long job holds the database
FEWEST, MOST = 20, 5_000  # minimum and maximum number of rows in a transaction of a long job
PAUSE = 0.25  # pause as a share of the last transaction's time, because writers need longer pauses on slow machines
SHORTEST_PAUSE_S, LONGEST_PAUSE_S = 0.005, 0.1
LONG_PATIENCE_S = 60.0  # the same as PATIENCE_S for a long job, because stopping it would waste its work


class Database:
    """Runs transactions on one database: `read` for reading, `write` for writing.

    Only one transaction writes at a time. The writers of this process queue before they ask for a connection, so that
    readers always get one.
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
        self._turn, self._places = Lock(), BoundedSemaphore(MOST_WAITING + 1)
        self.is_archive = False  # True: a copy, so nothing can be stored

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Run a reading transaction, which sees one state of the database throughout.

        Raises StorageUnavailable if the database cannot be read.
        """
        self.check()
        with self._failures_told(), self._reading.begin() as connection:
            yield connection

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
        self.check()
        if self.is_archive:
            raise BadSetting("An archive of a study can be read, but nothing can be stored in it. Use a data folder.")
        options: dict[str, Any] = {"capscope_writes": True, "capscope_lasting": lasting}
        with self._waiting(patience_s) as left_s, self._failures_told(), self.engine.connect() as connection:
            connection.execution_options(**options, capscope_patience_ms=round(1000 * left_s))
            with connection.begin():
                yield connection
        self.check()

    @contextmanager
    def _waiting(self, patience_s: float) -> Iterator[float]:
        """Wait for this writer's turn, and keep the turn during the block. Yield the seconds that are left to wait.

        Raises StorageBusy if the wait is too long, or if too many writers wait. A long job may wait for a place.
        """
        end = time.monotonic() + patience_s
        if not self._places.acquire(timeout=max(0.0, patience_s - PATIENCE_S)):
            raise StorageBusy
        try:
            if not self._turn.acquire(timeout=max(0.0, end - time.monotonic())):
                raise StorageBusy
            try:
                yield max(0.0, end - time.monotonic())
            finally:
                self._turn.release()
        finally:
            self._places.release()

    def check(self) -> None:
        """Raise StorageUnavailable if another database has replaced the opened one."""
        if self._file is not None:
            self._file.check()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        if self._file is not None:
            self._file.close()

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


class Operations:
    """Base of the classes whose methods run transactions on one database."""

    def __init__(self, database: Database) -> None:
        self._database = database


class Portions:
    """Split a long job into short transactions, so that other writers rarely wait.

    Each transaction should write about `rows` rows. `rows` follows how long earlier transactions took.
    """

    def __init__(self, database: Database) -> None:
        self._database, self.rows = database, 100
        self._free_since = time.monotonic()

    @contextmanager
    def write(self, rows: int | None = None, lasting: bool = False) -> Iterator[Connection]:
        """Run a transaction that writes this many rows, by default `self.rows`.

        First, pause for a share of the last transaction's time, because other processes check only now and then whether
        SQLite is free. The caller's own work counts as a pause. If not `lasting`, the changes reach the disk only with
        the next lasting transaction, so do not report them as stored before that. Raises the errors of Database.write.
        """
        time.sleep(max(0.0, self._free_since - time.monotonic()))
        with self._database.write(LONG_PATIENCE_S, lasting) as connection:
            began = time.monotonic()
            yield connection
        ended = time.monotonic()
        held = max(ended - began, 1e-6)
        self._free_since = ended + min(max(SHORTEST_PAUSE_S, PAUSE * held), LONGEST_PAUSE_S)
        wanted = round((rows or self.rows) * min(2.0, max(0.25, HELD_S / held)))
        self.rows = min(MOST, max(FEWEST, wanted))


def open_database(url: str | URL) -> Database:
    """Open the database at an SQLAlchemy URL and update its tables. Raises BadFile, BadSetting."""
    address = make_url(url)
    path = Path(str(address.database)) if address.get_backend_name() == "sqlite" else None
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
