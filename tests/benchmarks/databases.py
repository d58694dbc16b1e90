"""The databases on which a study is played: SQLite, and PostgreSQL where it is installed."""

from collections.abc import Callable

from tests import postgresql
from tests.benchmarks.rows import Row


def on_every_database(play: Callable[[str, str | None], list[Row]], name: str) -> list[Row]:
    """Return the rows of every database that is here. play: gets the database's name for people, and its URL."""
    rows = play("SQLite", None)
    programs = postgresql.programs()
    if programs is None:
        return [*rows, Row("on PostgreSQL", None, "", note="not installed here")]
    with postgresql.running(programs) as server:
        server.do(f"CREATE DATABASE {name}")
        return rows + play("PostgreSQL", server.url(name))
