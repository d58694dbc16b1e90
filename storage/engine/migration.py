"""Migrate the database's tables to another revision with the scripts in migrations/versions."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from sqlalchemy import Connection, Engine, StaticPool, create_engine, text

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parents[1] / "migrations"


def revisions() -> list[str]:
    """Return the revisions of the tables, the current one last."""
    return sorted(path.stem.partition("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def foreign_code(path: Path, revision: str) -> list[str]:
    """Return the names of triggers and views that Capscope did not make.

    These are the triggers and views of an SQLite database that its tables' revision does not define. Their code would
    run whenever an answer is stored. path: a database that nobody uses.
    """
    query = text("SELECT name, sql FROM sqlite_master WHERE type IN ('trigger', 'view')")
    with empty_database(revision) as connection:
        ours = {(row.name, row.sql) for row in connection.execute(query)}
    other = create_engine(f"sqlite:///file:{quote(str(path))}?mode=ro&immutable=1&uri=true")
    with other.connect() as connection:
        objects = {(row.name, row.sql) for row in connection.execute(query)}
    other.dispose()
    return sorted(name for name, _ in objects - ours)


@contextmanager
def empty_database(revision: str) -> Iterator[Connection]:
    """Connect to an empty SQLite database in memory.

    It has the tables of a revision, without rows.
    """
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.connect() as connection:
        sqlite_connection(connection).deserialize(empty_file(revision))
        yield connection
    engine.dispose()


@cache
def empty_file(revision: str) -> bytes:
    """Return the content of an SQLite file with a revision's empty tables."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    migrate(engine, revision)
    with engine.connect() as connection:
        content = sqlite_connection(connection).serialize()
    engine.dispose()
    return content


def sqlite_connection(connection: Connection) -> sqlite3.Connection:
    """Return the sqlite3 connection behind an SQLAlchemy connection."""
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    return raw


def migrate(engine: Engine, revision: str = "head") -> None:
    """Upgrade the tables to a revision."""
    from alembic import command  # imported late: alembic loads as slowly as SQLAlchemy, and most starts migrate nothing

    with engine.execution_options(capscope_writes=True).begin() as connection:
        command.upgrade(_config(connection), revision)


def downgrade(engine: Engine, revision: str) -> None:
    """Downgrade the tables to an earlier revision. Newer tables and columns are dropped."""
    from alembic import command

    with engine.execution_options(capscope_writes=True).begin() as connection:
        command.downgrade(_config(connection), revision)


def _config(connection: Connection) -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
