"""List the operations that SQLite and PostgreSQL implement differently.

The implementations are storage.engine.sqlite and storage.engine.postgresql. All other code works with both. If an
operation needs different SQL in each, this file states the effect, and each implementation writes its own SQL.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from sqlalchemy import URL, ColumnElement, Connection, Engine, Integer, String, cast, column
from sqlalchemy.exc import DatabaseError
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import NullType

from core.errors import UserError


class Held(Protocol):
    """An opened database that is watched while Capscope uses it."""

    def check(self) -> None:
        """Raise StorageUnavailable if another database has replaced the opened one."""

    def written(self) -> None:
        """Note that a transaction was committed whose changes are on the disk."""

    def copy_log(self) -> None:
        """Copy SQLite's log into the database, between transactions of a long job.

        Later commits then have a shorter log to copy, and take less time.
        """

    def close(self) -> None:
        """Close the database. A second call does nothing."""


class Dialect(Protocol):
    """One kind of database: SQLite or PostgreSQL.

    A transaction with the option capscope_writes waits until nobody else writes. It waits for at most
    capscope_patience_ms.
    """

    reading: Mapping[str, Any]  # execution options with which all queries of a reading transaction see the same data
    way_back: str  # advice to the user for a database that cannot be opened

    def insert(self, table: Any) -> Any:
        """Return an INSERT that offers on_conflict_do_update."""

    def inserting(self, engine: Engine, table: Any, rows: Sequence[Mapping[str, Any]]) -> Callable[[Connection], None]:
        """Prepare rows for insertion. Return a function that inserts them.

        All rows have the same columns. Call this function before a transaction. Other writers wait for the transaction,
        and the preparation shortens it.
        """

    def engine(self, url: URL) -> Engine:
        """Return an engine that also configures each new connection."""

    def check(self, engine: Engine) -> str | None:
        """Return why a reachable database cannot be used, or None."""

    def refusal(self, engine: Engine, problem: str) -> UserError:
        """Return the error for a database that cannot be opened. Its message has no password."""

    def hold(self, engine: Engine) -> Held:
        """Return an object that watches an opened database.

        For SQLite, the object notices if another database replaces the opened one. For PostgreSQL, it watches nothing.
        """

    def told(self, error: DatabaseError) -> Exception | None:
        """Return an error that tells users why the database fails.

        Return None for a programming error.
        """

    def claim(self, engine: Engine, name: str) -> AbstractContextManager[None]:
        """Hold a unique name until the block or the process ends.

        A killed process also releases the name.
        """

    def is_claimed(self, engine: Engine, name: str) -> bool:
        """Return whether a process holds this name (see `claim`)."""

    def forget_claims(self, engine: Engine) -> None:
        """Remove the names that killed processes claimed (see `claim`)."""

    def check_alone(self, connection: Connection) -> None:
        """Raise BadSetting if another Capscope process uses the database.

        SQLite finds such processes elsewhere, and does nothing here. connection: a connection to this database.
        """

    def count_on(self, connection: Connection, table: str) -> None:
        """Continue the row numbers of a table after its last row.

        Call this function after rows were copied into the table.
        """


class Listed(FunctionElement[Any]):
    """An SQL table made of a list of numbers. Its columns are key (position from 0) and value (the number)."""

    name = "listed"
    inherit_cache = True


class Holds(FunctionElement[Any]):
    """SQL condition that a text column matches a LIKE pattern, ignoring case. `/` escapes the character after it.

    SQLite ignores case for ASCII letters only.
    """

    name = "holds"
    type = NullType()
    inherit_cache = True


def holds(texts: Any, text: str) -> ColumnElement[bool]:
    """Return the condition that a column contains a text, ignoring case.

    See `Holds`.
    """
    escaped = "".join(f"/{letter}" if letter in "/%_" else letter for letter in text)
    condition: ColumnElement[bool] = Holds(texts, f"%{escaped}%")
    return condition


def listed(numbers: Sequence[int]) -> Any:
    """Return numbers as a table that needs only one SQL parameter.

    Databases limit how many parameters a statement may have.
    """
    return Listed(cast(json.dumps(list(numbers)), String)).table_valued(
        column("key", Integer), column("value", Integer)
    )
