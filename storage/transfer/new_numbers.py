"""Replace the numbers (ids) of a bundle's rows by those of another database."""

import secrets
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from sqlalchemy import Column
from sqlalchemy import Table as SqlTable

from storage import tables
from storage.transfer.bundle import Row, bundled_tables

_RATED = "item_scores.score_id"  # column with the id of a score, or with minus the id of a sample
_RATED_WITHIN = ("assignments.panels",)  # columns with lists of numbers: the id of a score, or minus the id of a sample

Numbers = dict[str, dict[Any, Any]]  # table -> old number -> new number


def own_key(table: SqlTable) -> Column[Any] | None:
    """Return the column that numbers a table's rows, or None.

    None: the table's key consists of references to other tables.
    """
    keys = list(table.primary_key.columns)
    return keys[0] if len(keys) == 1 and not keys[0].foreign_keys and keys[0].name == "id" else None


@cache
def referred_to() -> frozenset[str]:
    """Return the tables to whose rows other rows of a bundle refer.

    Only for these tables, an import looks up which new number each row got. This saves most of the look-ups.
    """
    aimed = (aim(column) for table in bundled_tables() for column in table.columns)
    return frozenset(column.table.name for column in aimed if column is not None) | {"scores", "samples"}


def moves_of(table: SqlTable, new: Numbers) -> dict[str, Callable[[Any], Any]]:
    """Return functions that convert old numbers of rows to new numbers.

    key: name of a column that refers to other rows. new: the new numbers by table and old number.
    """

    def rated(number: int) -> int:
        return int(new["scores"][number] if number > 0 else -new["samples"][-number])

    def of(column: Column[Any]) -> Callable[[Any], Any] | None:
        if str(column) in _RATED_WITHIN:
            return lambda numbers: [rated(one) for one in numbers]
        aimed = aim(column)
        if aimed is None:
            return None
        return rated if str(aimed) == _RATED else new[aimed.table.name].__getitem__

    changes = {column.name: of(column) for column in table.columns}
    return {name: move for name, move in changes.items() if move is not None}


def moved(row: Any, moves: Mapping[str, Callable[[Any], Any]]) -> Row:
    """Return a row in which references have the new numbers."""
    return dict(row) | {name: move(row[name]) for name, move in moves.items() if row[name] is not None}


def aim(column: Column[Any]) -> Column[Any] | None:
    """Return the `id` column to which a column refers, or None.

    The column may refer to it directly or through other tables.
    """
    if str(column) == _RATED:
        return column
    if column.name == "study_id":  # also a study_id without a foreign key refers to a study
        return tables.Table.metadata.tables["studies"].columns["id"]
    for key in column.foreign_keys:
        aimed = key.column
        if own_key(aimed.table) is aimed:
            return aimed
        further = aim(aimed)
        if further is not None:
            return further
    return None


def is_numbered(table: SqlTable) -> bool:
    """Return whether an import itself sets the numbers of a table's rows.

    It does so if rows of other tables refer to these numbers.
    """
    key = own_key(table)
    return key is not None and key.type.python_type is int and table.name in referred_to()


def fresh_rows(rows: list[Row], table: SqlTable) -> list[Row]:
    """Return rows with new random ids, without ids, or unchanged.

    Text ids are replaced by new random ids. Integer ids are removed, because the database sets new ones. Rows whose
    integer ids are used by other rows stay unchanged. Rows of a table without ids of its own also stay unchanged.
    """
    key = own_key(table)
    if key is None or is_numbered(table):
        return rows
    if key.type.python_type is int:
        return [{name: value for name, value in row.items() if name != key.name} for row in rows]
    return [row | {key.name: secrets.token_urlsafe(12)} for row in rows]
