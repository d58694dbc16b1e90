"""PostgreSQL: for teams whose colleagues and servers share one database (docs/decisions/230).

One transaction writes at a time here as well: it takes a lock of the database's own at its beginning. Reading waits for
nobody. Imported only where CAPSCOPE_DATABASE names such a database.
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
from storage.engine.dialect import Held, Holds, Listed, Spelt

WAIT_MS = 15_000  # how long a writer waits for another one
LONGEST_PAUSE = "120s"  # of a writer between two statements: then it has lost its connection, and gives up its turn
_TURN = int.from_bytes(b"capscope")  # number of the lock that whoever writes holds
_CLAIM = 1  # the first of two numbers of locks that say who works at a data set; the turn's has one number
_PREFIX = "capscope-"  # of the names under which the server knows our connections
_CONNECTION = {  # of a server that is no longer there, nobody waits for more than half a minute
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
_STAYS_IDLE = "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'"  # from 14 on
_DISK_FULL, _OUT_OF_RANGE, _HELD = "53100", "22003", "55P03"
# what keeps PostgreSQL from reading or writing: its error codes, or how they begin
_UNAVAILABLE = {
    "08": "cannot be reached: look whether PostgreSQL runs",
    "57P": "cannot be reached: look whether PostgreSQL runs",
    "25P03": "has waited too long for this server, and gave up",
    "25006": "can only be read: this PostgreSQL is a copy of another one",
    "28": "does not let this server in: look at its name and password",
    "3D": "has been taken away: put it back, and start Capscope again",
    "3F": "has been replaced: put it back, and start Capscope again",
    "42501": "does not let this server write: look at its rights",
    "42703": "has been replaced, or brought up to date by a later Capscope: start Capscope again",
    "42P01": "has been replaced: put it back, and start Capscope again",
    "53": "has no room for what is asked: look at PostgreSQL's limits",
    "58": "cannot be read or written: look at its disk",
    "XX": "is damaged: stop Capscope and restore a backup",
}


class Postgresql:
    """PostgreSQL as storage.engine.dialect.Dialect asks."""

    reading: Mapping[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    way_back = "look at CAPSCOPE_DATABASE, and whether PostgreSQL runs"

    def insert(self, table: Any) -> Any:
        """Return an INSERT that knows on_conflict_do_update."""
        return insert(table)

    def inserting(self, engine: Engine, table: Any, rows: Sequence[Mapping[str, Any]]) -> Callable[[Connection], None]:
        """Return what inserts rows, many in a statement."""

        def insert_all(connection: Connection) -> None:
            connection.execute(sql_insert(table), rows)

        return insert_all

    def engine(self, url: URL) -> Engine:
        """Return an engine whose connections are set up and looked at before they are used again."""
        name = f"{_PREFIX}{secrets.token_hex(8)}"
        options = f"-c lock_timeout={WAIT_MS} -c timezone=UTC"
        arguments = {**_CONNECTION, "application_name": name, "options": options}
        pool = {"pool_pre_ping": True, "pool_size": 10, "max_overflow": 10}
        engine = create_engine(
            url, isolation_level="READ COMMITTED", connect_args=arguments, paramstyle="format", **pool
        )
        # Without a cast to the column's type, a number beyond it is like no row's, as in SQLite, and not an error.
        engine.dialect.colspecs = {**engine.dialect.colspecs, Integer: Integer}
        # Many rows in one INSERT: triggers that count run once for each statement (migration 0030).
        engine.dialect.use_insertmanyvalues_wo_returning = True
        event.listen(engine, "connect", _set_up)
        event.listen(engine, "begin", _begin)
        return engine

    def check(self, engine: Engine) -> str | None:
        """Return what is wrong where texts would be sorted otherwise than in SQLite, or could not all be stored."""
        with engine.connect() as connection:
            by_code, encoding = connection.execute(
                text("SELECT 'B' < 'a' AND 'z' < 'é', current_setting('server_encoding')")
            ).one()
        if by_code and encoding == "UTF8":
            return None
        name = engine.url.database
        return (
            "it sorts text by the rules of a language, or is not in UTF-8; make one that does not: "
            f"createdb --template=template0 --encoding=UTF8 --locale=C.UTF-8 {name}"
        )

    def refusal(self, engine: Engine, problem: str) -> BadSetting:
        """Return the database's address, without its password, with what is wrong."""
        return BadSetting(f"The database {engine.url.render_as_string(hide_password=True)}: {problem}.")

    def before_change(self, engine: Engine, revision: str) -> str:
        """Return how to go back: PostgreSQL's own copies are whoever looks after it's to make."""
        return "restore the copy that pg_dump made before the upgrade"

    def hold(self, engine: Engine) -> Held:
        """Return what watches nothing: a PostgreSQL that goes away says so itself."""
        return _Unwatched()

    def told(self, error: DatabaseError) -> Exception | None:
        """Return what keeps PostgreSQL from reading or writing, in words."""
        code = getattr(error.orig, "sqlstate", None) or ""
        if code == _DISK_FULL:
            return StorageFull()
        if code == _HELD:
            return StorageBusy("is held by another program")
        if code == _OUT_OF_RANGE:
            return OverflowError("a number beyond the range of its column")  # as Python says of SQLite's
        if not code and isinstance(error, OperationalError | InterfaceError):
            code = "08"
        told = next((words for start, words in _UNAVAILABLE.items() if code.startswith(start)), None)
        return None if told is None else StorageUnavailable(f"The server's database {told}.")

    @contextmanager
    def claim(self, engine: Engine, name: str) -> Iterator[None]:
        """Hold a lock of a connection's own, which the server gives up when the connection ends."""
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text(_STAYS_IDLE))
            connection.execute(text("SELECT pg_advisory_lock(:kind, hashtext(:name))"), {"kind": _CLAIM, "name": name})
            try:
                yield
            finally:
                connection.invalidate()  # whatever state it is in, the lock must go

    def is_claimed(self, engine: Engine, name: str) -> bool:
        """Return whether a connection holds the name's lock."""
        asked = {"kind": _CLAIM, "name": name}
        with engine.begin() as connection:  # a lock of the transaction's own, which is gone at its end
            return not connection.scalar(text("SELECT pg_try_advisory_xact_lock(:kind, hashtext(:name))"), asked)

    def forget_claims(self, engine: Engine) -> None:
        """Do nothing: a lock goes with its connection."""

    def check_alone(self, connection: Connection) -> None:
        """Raise BadSetting where others have connections that have our kind of name."""
        others = text(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND starts_with(application_name, :prefix) AND application_name <> current_setting('application_name')"
        )
        if connection.scalar(others, {"prefix": _PREFIX}):
            raise BadSetting("Capscope is running on the database, or another command: stop that first.")

    def count_on(self, connection: Connection, table: str) -> None:
        """Let the sequence of a table's numbers go on after the last; one without rows stays as it is."""
        connection.execute(text(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"))


class _Unwatched:
    def check(self) -> None:
        """Find nothing."""

    def written(self) -> None:
        """Do nothing: PostgreSQL looks after its log itself."""

    def copy_log(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def _set_up(connection: Any, _entry: object) -> None:
    connection.adapters.register_dumper(str, _dumper_without_nul())


@cache
def _dumper_without_nul() -> Any:
    """Return what sends texts, a sign in the place of NUL, which PostgreSQL stores in no text."""
    from psycopg.types.string import StrDumperUnknown

    class WithoutNul(StrDumperUnknown):
        def dump(self, obj: str) -> Any:
            return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}"))

    return WithoutNul


def _begin(connection: Connection) -> None:
    """Wait for one's turn to write; what is read from then on is what the writer before has left."""
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


@compiles(Spelt, "postgresql")
def _spelt(element: Spelt, compiler: Any, **how: Any) -> str:
    return f"({compiler.process(list(element.clauses)[2], **how)})"


@compiles(Holds, "postgresql")
def _holds(element: Holds, compiler: Any, **how: Any) -> str:
    texts, pattern = (compiler.process(clause, **how) for clause in element.clauses)
    return f"(lower({texts}) LIKE lower({pattern}) ESCAPE '/')"
