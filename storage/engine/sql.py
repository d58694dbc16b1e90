"""Define SQL expressions that SQLite and PostgreSQL write differently."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Integer, String, cast, column
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class Listed(FunctionElement[Any]):
    """An SQL table made of a list of numbers. Its columns are key (position from 0) and value (the number)."""

    name = "listed"
    inherit_cache = True


def listed(numbers: Sequence[int]) -> Any:
    """Return numbers as a table that needs only one SQL parameter.

    Databases limit how many parameters a statement may have.
    """
    return Listed(cast(json.dumps(list(numbers)), String)).table_valued(
        column("key", Integer), column("value", Integer)
    )


def upsert(connection: Connection, table: Any) -> Any:
    """Return an INSERT that offers on_conflict_do_update and on_conflict_do_nothing."""
    return sqlite_insert(table) if connection.dialect.name == "sqlite" else postgresql_insert(table)


@compiles(Listed, "sqlite")
def _listed(element: Listed, compiler: Any, **how: Any) -> str:
    return f"json_each({compiler.process(element.clauses, **how)})"


@compiles(Listed, "postgresql")
def _listed_there(element: Listed, compiler: Any, **how: Any) -> str:
    numbers = f"json_array_elements_text(CAST({compiler.process(element.clauses, **how)} AS json))"
    return f"(SELECT ordinality - 1 AS key, CAST(value AS bigint) AS value FROM {numbers} WITH ORDINALITY)"
