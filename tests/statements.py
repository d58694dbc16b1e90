"""Watching what a database is asked. No test lives here."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import event

from storage.engine.database import Database


@contextmanager
def statements(database: Database, on_each: Callable[[str], None] = lambda sql: None) -> Iterator[list[str]]:
    """Within the block, list every statement but BEGIN and waiting for one's turn, and hand it on before it is run."""
    seen: list[str] = []

    def watch(_connection: object, _cursor: object, sql: str, *_more: object) -> None:
        if not sql.startswith("BEGIN") and "pg_advisory_xact_lock" not in sql:
            seen.append(sql)
            on_each(sql)

    event.listen(database.engine, "before_cursor_execute", watch)
    try:
        yield seen
    finally:
        event.remove(database.engine, "before_cursor_execute", watch)
