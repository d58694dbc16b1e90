"""Opening the database and keeping its tables up to date; what differs between databases is their dialect's."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from copy import copy
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import URL, Connection, CursorResult, Engine, inspect, make_url, text
from sqlalchemy.exc import DatabaseError

from core.errors import UserError
from storage.engine.dialect import Dialect
from storage.engine.migration import migrate, revisions
from storage.engine.turns import Turns

PATIENCE_S = 15.0  # how long a writer waits for other ones


class _Undone(Exception):
    """Ends a transaction without keeping what it did."""


class Database:
    """Transactions on one database. Reading and writing are different, so that writers queue up at the start.

    One transaction writes at a time, and one that waits for SQLite looks again after pauses of up to 100 ms, in which
    later ones overtake it. So the writers of this process take turns before they ask for the database's own lock, or
    even for a connection. Where another program holds that lock, only one writer waits for it (storage.engine.turns).
    """

    def __init__(self, engine: Engine, dialect: Dialect) -> None:
        """Take an engine of that dialect, whose tables are up to date; what is watched is closed with it."""
        self.engine, self.dialect = engine, dialect
        self._reading = engine.execution_options(**dialect.reading)
        # by patience and whether what they write lasts: making one takes as long as a save
        self._writers: dict[tuple[float, bool], Engine] = {}
        self._held = dialect.hold(engine)
        self._turns = Turns()
        self._rehearsal: Connection | None = None

    @contextmanager
    def rehearse(self) -> Iterator["Database"]:
        """Yield this database, with all that is done to it undone in the end. Others wait with writing meanwhile."""
        with suppress(_Undone), self.write() as connection:
            rehearsed = copy(self)
            rehearsed._rehearsal = connection
            yield rehearsed
            raise _Undone

    @contextmanager
    def alone(self) -> Iterator["Database"]:
        """Yield this database as it is for one transaction that writes. Others wait with writing meanwhile."""
        with self.write() as connection:
            held = copy(self)
            held._rehearsal = connection
            yield held

    @property
    def is_alone(self) -> bool:
        """Whether all that is done here is one transaction."""
        return self._rehearsal is not None

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Run a transaction that only reads; it sees one state of the database throughout.

        Raises StorageUnavailable where the database cannot be read.
        """
        if self._rehearsal is not None:
            yield self._rehearsal
            return
        self.check()
        with _failures_told(self.dialect), self._reading.begin() as connection:
            yield connection

    @property
    def is_held(self) -> bool:
        """Whether another program has held the database for more than a second while somebody here wants to write."""
        return self._turns.is_held

    @contextmanager
    def write(self, patience_s: float = PATIENCE_S, lasting: bool = True) -> Iterator[Connection]:
        """Run a transaction that writes: committed at the end, rolled back on any error.

        patience_s: how long to wait for other writers, here and elsewhere. lasting: whether what is written is on the
        disk when this returns; otherwise it is with the next transaction that lasts. Raises StorageBusy where waiting
        takes too long, StorageFull where the disk is full, and StorageUnavailable where nothing can be stored for
        another reason; also at the end, where the file that was written to is no longer the one that a next start
        would open.
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
        """Copy what long work has written from the log into the database; others write meanwhile."""
        self._held.copy_log()

    def check(self) -> None:
        """Raise StorageUnavailable where the database is no longer the one that was opened."""
        self._held.check()

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()
        self._held.close()


def open_database(url: str | URL) -> Database:
    """Open the database at an SQLAlchemy URL and bring its tables up to date. Raises BadFile, BadSetting."""
    address = make_url(url)
    dialect = _dialect(address)
    engine = dialect.engine(address)
    try:
        problem = dialect.check(engine) or _bring_up_to_date(engine, dialect)
    except DatabaseError as error:
        reason = str(error.orig).strip().rstrip(".")
        problem = f"it cannot be used as a database ({reason}); {dialect.way_back}"
        raise _refused(engine, dialect, problem) from error
    if problem is not None:
        raise _refused(engine, dialect, problem)
    return Database(engine, dialect)


def _dialect(url: URL) -> Dialect:
    if url.get_backend_name() == "sqlite":
        from storage.engine.sqlite import Sqlite

        return Sqlite()
    from storage.engine.postgresql import (
        Postgresql,  # with all of SQLAlchemy's part for it, of which SQLite needs nothing
    )

    return Postgresql()


@contextmanager
def _failures_told(dialect: Dialect) -> Iterator[None]:
    """Say in words what keeps the database from reading or writing; mistakes of ours stay what they are."""
    try:
        yield
    except DatabaseError as error:
        told = dialect.told(error)
        if told is not None:
            raise told from error
        raise


def _bring_up_to_date(engine: Engine, dialect: Dialect) -> str | None:
    """Bring the tables to the present revision; returns why that is not possible."""
    known, found = revisions(), _revision(engine)
    if found not in (None, *known):
        return f"it was made by a later version of Capscope (revision {found}); use that one"
    if found == known[-1]:
        return None
    way_back = dialect.before_change(engine, found) if found else None
    migrate(engine)
    if way_back:
        logging.getLogger("capscope").warning(
            f"The database has been brought from revision {found} to {known[-1]}. To go back to the version before, "
            f"{way_back}."
        )
    return None


def _revision(engine: Engine) -> str | None:
    """Return the revision of the tables; None where there are none."""
    with engine.begin() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
        return found


def _refused(engine: Engine, dialect: Dialect, problem: str) -> UserError:
    engine.dispose()
    return dialect.refusal(engine, problem)


def utc_now() -> datetime:
    """Return the present time in UTC, without a zone: the form in which times are stored."""
    return datetime.now(UTC).replace(tzinfo=None)


def new_id(result: CursorResult[Any]) -> int:
    """Return the primary key of the row that an INSERT has made."""
    key = result.inserted_primary_key
    assert key is not None  # every table here has one
    return int(key[0])
