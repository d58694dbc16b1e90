"""Use PostgreSQL, for teams whose servers share one database (docs/decisions/230).

Only one transaction writes at a time, as in SQLite. Each writing transaction takes an advisory lock when it begins, but
readers never wait. This module is imported only if CAPSCOPE_DATABASE names a PostgreSQL database.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from sqlalchemy import URL, Connection, Engine, Integer, create_engine, event, text
from sqlalchemy import insert as sql_insert
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DatabaseError, InterfaceError, OperationalError
from sqlalchemy.ext.compiler import compiles

from core.errors import BadSetting, StorageBusy, StorageFull, StorageUnavailable
from storage.engine.dialect import Held, Holds, Listed

WAIT_MS = 15_000  # maximum ms for which a writer waits for another writer
LONGEST_PAUSE = "120s"  # after this pause between two statements, the server ends the connection and its lock
_TURN = int.from_bytes(b"capscope")  # number of the lock that the current writer holds
_CLAIM = 1  # first of the two numbers of a claim's advisory lock; the writer's lock (_TURN) has one number
_PREFIX = "capscope-"  # prefix of the names of our connections on the server
_CONNECTION = {  # settings that limit the wait for a lost server to half a minute
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
# This does nothing before PostgreSQL 14, which introduced idle_session_timeout.
_STAYS_IDLE = "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'"
_DISK_FULL, _OUT_OF_RANGE, _HELD = "53100", "22003", "55P03"
# Key: error code, or its first characters. Value: reason why PostgreSQL cannot read or write.
_UNAVAILABLE = {
    "08": "cannot be reached: check that PostgreSQL is running",
    "57P": "cannot be reached: check that PostgreSQL is running",
    "25P03": "closed the connection after a timeout",
    "25006": "is read-only: this PostgreSQL is a replica",
    "28": "refuses the connection: check the user name and password",
    "3D": "was deleted: restore it, and start Capscope again",
    "3F": "was replaced: restore it, and start Capscope again",
    "42501": "does not allow writing: check the user's rights",
    "42703": "was replaced, or was updated by a later version of Capscope: start Capscope again",
    "42P01": "was replaced: restore it, and start Capscope again",
    "53": "has reached a limit: check PostgreSQL's limits",
    "58": "cannot be read or written: check its disk",
    "XX": "is damaged: stop Capscope and restore a backup",
}


class Postgresql:
    """Implements storage.engine.dialect.Dialect for PostgreSQL."""

    reading: Mapping[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    way_back = "check CAPSCOPE_DATABASE, and that PostgreSQL is running"

    def insert(self, table: Any) -> Any:
        """Return an INSERT that offers on_conflict_do_update."""
        return insert(table)

    def inserting(self, engine: Engine, table: Any, rows: Sequence[Mapping[str, Any]]) -> Callable[[Connection], None]:
        """Return a function that inserts rows.

        One statement inserts many rows.
        """

        def insert_all(connection: Connection) -> None:
            connection.execute(sql_insert(table), rows)

        return insert_all

    def engine(self, url: URL) -> Engine:
        """Return an engine that configures its connections.

        It also tests each connection before it is used.
        """
        name = f"{_PREFIX}{secrets.token_hex(8)}"
        options = f"-c lock_timeout={WAIT_MS} -c timezone=UTC"
        arguments = {**_CONNECTION, "application_name": name, "options": options}
        pool = {"pool_pre_ping": True, "pool_size": 10, "max_overflow": 10}
        engine = create_engine(
            url, isolation_level="READ COMMITTED", connect_args=arguments, paramstyle="format", **pool
        )
        # Without a cast, a query for a number beyond the range of a column finds no row, as in SQLite. With a cast,
        # PostgreSQL reports an error.
        engine.dialect.colspecs = {**engine.dialect.colspecs, Integer: Integer}
        # Insert many rows per statement, because counting triggers run once per statement (migration 0030).
        engine.dialect.use_insertmanyvalues_wo_returning = True
        event.listen(engine, "connect", _set_up)
        event.listen(engine, "begin", _begin)
        return engine

    def check(self, engine: Engine) -> str | None:
        """Return why PostgreSQL cannot store texts as SQLite does, or None.

        For example, texts would be sorted differently, or some texts could not be stored.
        """
        with engine.connect() as connection:
            by_code, encoding = connection.execute(
                text("SELECT 'B' < 'a' AND 'z' < 'é', current_setting('server_encoding')")
            ).one()
        if by_code and encoding == "UTF8":
            return None
        name = engine.url.database
        return (
            "the database sorts text by the rules of a language, or is not in UTF-8; make another database with: "
            f"createdb --template=template0 --encoding=UTF8 --locale=C.UTF-8 {name}"
        )

    def refusal(self, engine: Engine, problem: str) -> BadSetting:
        """Return an error with the problem and the database's address, without its password."""
        return BadSetting(f"The database {engine.url.render_as_string(hide_password=True)}: {problem}.")

    def hold(self, engine: Engine) -> Held:
        """Return an object that satisfies `Held` but watches nothing.

        A lost PostgreSQL connection raises errors itself.
        """
        return _Unwatched()

    def told(self, error: DatabaseError) -> Exception | None:
        """Return an error that tells users why PostgreSQL fails, or None."""
        code = getattr(error.orig, "sqlstate", None) or ""
        if code == _DISK_FULL:
            return StorageFull()
        if code == _HELD:
            return StorageBusy("is locked by another program")
        if code == _OUT_OF_RANGE:
            return OverflowError("a number outside the range of its column")  # the same error as in sqlite3
        if not code and isinstance(error, OperationalError | InterfaceError):
            code = "08"
        problem = next((words for start, words in _UNAVAILABLE.items() if code.startswith(start)), None)
        return None if problem is None else StorageUnavailable(f"The server's database {problem}.")

    @contextmanager
    def claim(self, engine: Engine, name: str) -> Iterator[None]:
        """Hold an advisory lock for a name during the block.

        PostgreSQL releases the lock when its connection ends.
        """
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text(_STAYS_IDLE))
            connection.execute(text("SELECT pg_advisory_lock(:kind, hashtext(:name))"), {"kind": _CLAIM, "name": name})
            try:
                yield
            finally:
                connection.invalidate()  # close the connection in any state, to release the lock

    def is_claimed(self, engine: Engine, name: str) -> bool:
        """Return whether any connection holds the advisory lock for a name."""
        asked = {"kind": _CLAIM, "name": name}
        with engine.begin() as connection:  # the lock ends with this transaction
            return not connection.scalar(text("SELECT pg_try_advisory_xact_lock(:kind, hashtext(:name))"), asked)

    def forget_claims(self, engine: Engine) -> None:
        """Do nothing: PostgreSQL releases a lock when its connection ends."""

    def check_alone(self, connection: Connection) -> None:
        """Raise BadSetting if another connection's name shows that it belongs to Capscope."""
        others = text(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND starts_with(application_name, :prefix) AND application_name <> current_setting('application_name')"
        )
        if connection.scalar(others, {"prefix": _PREFIX}):
            raise BadSetting("Capscope or another command is using the database. Stop that program first.")

    def count_on(self, connection: Connection, table: str) -> None:
        """Make a table's next row number follow its last row.

        The sequence of an empty table stays as it is.
        """
        connection.execute(text(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"))


class _Unwatched:
    def check(self) -> None:
        """Do nothing: a lost PostgreSQL connection raises errors itself."""

    def written(self) -> None:
        """Do nothing: PostgreSQL maintains its log itself."""

    def copy_log(self) -> None:
        """Do nothing: PostgreSQL maintains its log itself."""

    def close(self) -> None:
        """Do nothing."""


def _set_up(connection: Any, _entry: object) -> None:
    connection.adapters.register_dumper(str, _dumper_without_nul())


@cache
def _dumper_without_nul() -> Any:
    """Return a class that writes texts to PostgreSQL without NUL characters.

    It replaces NUL characters, because PostgreSQL cannot store them in texts.
    """
    from psycopg.types.string import StrDumperUnknown

    class WithoutNul(StrDumperUnknown):
        def dump(self, obj: str) -> Any:
            return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}"))

    return WithoutNul


def _begin(connection: Connection) -> None:
    """Wait for the lock to write. The transaction then reads everything that the last writer stored."""
    options = connection.get_execution_options()
    if options.get("capscope_writes", False):
        pause = f"set_config('idle_in_transaction_session_timeout', '{LONGEST_PAUSE}', true)"
        wait = f"set_config('lock_timeout', '{options.get('capscope_patience_ms', WAIT_MS)}', true)"
        passing = "" if options.get("capscope_lasting", True) else "set_config('synchronous_commit', 'off', true), "
        connection.exec_driver_sql(f"SELECT {passing}{pause}, {wait}, pg_advisory_xact_lock({_TURN})")


@compiles(Listed, "postgresql")
def _listed(element: Listed, compiler: Any, **how: Any) -> str:
    numbers = f"json_array_elements_text(CAST({compiler.process(element.clauses, **how)} AS json))"
    return f"(SELECT ordinality - 1 AS key, CAST(value AS bigint) AS value FROM {numbers} WITH ORDINALITY)"


@compiles(Holds, "postgresql")
def _holds(element: Holds, compiler: Any, **how: Any) -> str:
    texts, pattern = (compiler.process(clause, **how) for clause in element.clauses)
    return f"(lower({texts}) LIKE lower({pattern}) ESCAPE '/')"
