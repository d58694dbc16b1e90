"""An SQLite database's empty tables, kept as the statements that make them: hundreds of tests begin a data folder.

Alembic takes twenty times as long, and is asked for them once a process. No test lives here.
"""

import sqlite3
from functools import cache

from sqlalchemy import Engine, StaticPool, create_engine

from storage.engine import database
from storage.engine.migration import migrate

# The dump's own transaction, and what it writes of a virtual table. This table makes its parts itself. Some versions of
# Python dump it as a row of sqlite_master, others as a statement.
_OTHERS = ("BEGIN TRANSACTION;", "COMMIT;", "PRAGMA writable_schema", "INSERT INTO sqlite_master")
_OTHERS += ("CREATE VIRTUAL TABLE", "CREATE TABLE 'sample_texts_", 'INSERT INTO "sample_texts_')


def remember_tables() -> None:
    """Let new SQLite databases get their tables without Alembic; those with tables are brought up to date by it."""
    database.migrate = _migrate  # type: ignore[attr-defined]


def _migrate(engine: Engine) -> None:
    if engine.dialect.name == "sqlite":
        with engine.execution_options(capscope_writes=True).begin() as connection:
            if connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar() == 0:
                for statement in _statements():
                    connection.exec_driver_sql(statement)
                return
    migrate(engine)


@cache
def _statements() -> list[str]:
    engine = create_engine("sqlite://", poolclass=StaticPool)
    migrate(engine)
    with engine.connect() as connection:
        migrated = connection.connection.dbapi_connection
        assert isinstance(migrated, sqlite3.Connection)
        virtual = "SELECT sql FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'"
        statements = [sql for (sql,) in migrated.execute(virtual)]
        statements += [line for line in migrated.iterdump() if not line.startswith(_OTHERS)]
    engine.dispose()
    return statements
