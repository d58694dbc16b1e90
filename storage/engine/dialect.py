"""What each kind of database does in its own way.

There are two kinds: storage.engine.sqlite and storage.engine.postgresql. All other code works with both.
Where their SQL differs, this file says what the SQL must do, and theirs say how it is written.
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
    """A database in use."""

    def check(self) -> None:
        """Raise StorageUnavailable where it is no longer the one that was opened."""

    def written(self) -> None:
        """Note that a transaction has been committed whose writer waited for the disk."""

    def copy_log(self) -> None:
        """Do between two transactions of long work what would make them longer."""

    def close(self) -> None:
        """Let go of it; a second time does nothing."""


class Dialect(Protocol):
    """One kind of database.

    A transaction with the option capscope_writes waits until nobody else writes, for capscope_patience_ms at most.
    """

    reading: Mapping[str, Any]  # execution options of a transaction that only reads: it sees one state throughout
    way_back: str  # what to do about a database that cannot be opened

    def insert(self, table: Any) -> Any:
        """Return an INSERT that knows on_conflict_do_update."""

    def inserting(self, engine: Engine, table: Any, rows: Sequence[Mapping[str, Any]]) -> Callable[[Connection], None]:
        """Do what can be done before a transaction to insert rows, all of the same columns; returns what inserts them.

        So that others wait less for the transaction.
        """

    def engine(self, url: URL) -> Engine:
        """Return an engine whose connections are set up."""

    def check(self, engine: Engine) -> str | None:
        """Return why a database that can be reached cannot be used, or None."""

    def refusal(self, engine: Engine, problem: str) -> UserError:
        """Return what is raised of a database that cannot be opened, without a password in it."""

    def before_change(self, engine: Engine, revision: str) -> str:
        """Keep what is needed to go back before tables leave a revision; returns how one goes back."""

    def hold(self, engine: Engine) -> Held:
        """Watch a database that is in use."""

    def told(self, error: DatabaseError) -> Exception | None:
        """Return what keeps the database from reading or writing, in words; None for a mistake of ours."""

    def claim(self, engine: Engine, name: str) -> AbstractContextManager[None]:
        """Hold a name, which nobody else holds, until the block or the process ends, even by a kill."""

    def is_claimed(self, engine: Engine, name: str) -> bool:
        """Return whether any process holds a name by `claim`."""

    def forget_claims(self, engine: Engine) -> None:
        """Clear what claims of killed processes have left."""

    def check_alone(self, connection: Connection) -> None:
        """Raise BadSetting where another Capscope can be seen to have the database of a connection open."""

    def count_on(self, connection: Connection, table: str) -> None:
        """Let the numbers of a table's new rows go on after the last of those that were copied into it."""


class Listed(FunctionElement[Any]):
    """Numbers as a table of two columns: key, their place from 0, and value."""

    name = "listed"
    inherit_cache = True


LETTERS = 3  # that a text needs at least to be found by `Spelt`


class Spelt(FunctionElement[Any]):
    """Whether the texts of a sample hold a phrase.

    Its parts are the sample's number, the phrase in quotation marks, and a condition that says the same for databases
    without FTS5.
    """

    name = "spelt"
    type = NullType()  # SQLite would compare a Boolean with 1, which no index does
    inherit_cache = True


class Holds(FunctionElement[Any]):
    """Whether a text column matches a pattern of LIKE, in any case; `/` takes the meaning from the letter after it.

    SQLite folds the case of ASCII letters only.
    """

    name = "holds"
    type = NullType()
    inherit_cache = True


def holds(texts: Any, text: str) -> ColumnElement[bool]:
    """Return whether a column holds a text, in any case, see `Holds`."""
    escaped = "".join(f"/{letter}" if letter in "/%_" else letter for letter in text)
    found: ColumnElement[bool] = Holds(texts, f"%{escaped}%")
    return found


def listed(numbers: Sequence[int]) -> Any:
    """Return any number of numbers as a table of one parameter, for databases take only some ten thousand of them."""
    return Listed(cast(json.dumps(list(numbers)), String)).table_valued(
        column("key", Integer), column("value", Integer)
    )
