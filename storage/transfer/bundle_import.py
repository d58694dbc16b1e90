"""Copy a study from a bundle's database into another one, where rows get new numbers.

The data set may be large, so it is imported as a hidden data set in short transactions (storage.data.hidden). One
transaction then adds the study and shows the data set. Nobody sees one of them without the other.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, func, insert, select, update
from sqlalchemy import Table as SqlTable

from core.errors import AlreadyExists
from core.long_work.progress import report
from core.studies.planning.life_cycle import GIVING
from storage import tables
from storage.data.hidden import making, show
from storage.engine.database import Database
from storage.engine.short_transactions import MOST, Portions
from storage.rating.assignment.item_holders import UNCOUNTED, count_takers
from storage.rating.studies.study_numbers import next_study
from storage.transfer.bundle import Row, bundled_tables

_RATED = "item_scores.score_id"  # id of a score, or minus the id of a sample
_RATED_WITHIN = ("assignments.panels",)  # columns with lists of such ids
_LONGEST_CODE = 24  # characters of a rater's code, including a suffix that makes it unique
_NAMED = {"datasets": "name", "studies": "name", "raters": "code"}  # columns that must be unique in the target
_OF_DATASET = ("images", "annotations", "samples", "scores")  # large tables, which are copied in batches

Numbers = dict[str, dict[Any, Any]]  # table -> old number -> new number


def take_over(source: Connection, target: Database, study: str, dataset: str, pictures: Path) -> int:
    """Copy the only study of a database into another one. Return its new number.

    A study that gave out items arrives paused. study, dataset: names in the target. pictures: the target's folder of
    pictures. Raters get new codes if theirs are taken, because the same code means another rater there. Raises
    AlreadyExists.
    """
    names = {"studies": study, "datasets": dataset}
    others = [table for table in bundled_tables() if table.name not in (*_OF_DATASET, "datasets")]
    stored = source.execute(select(*tables.DatasetRow.__table__.columns)).one()
    with making(target, stored.notice) as made:
        new: Numbers = {"datasets": {stored.id: made.id}}
        for name in _OF_DATASET:
            _take_many(source, target, tables.Table.metadata.tables[name], new, pictures)
        waiting = {table: [dict(row) for row in _read(source, table)] for table in others}
        with target.write() as connection:
            for table, rows in waiting.items():
                _take(connection, table, rows, new, names)
            count_takers(connection)
            settled = update(tables.DatasetRow).where(tables.DatasetRow.id == made.id)
            connection.execute(settled.values(created_at=stored.created_at, changes=stored.changes))
            show(connection, made, dataset)
    return int(next(iter(new["studies"].values())))


def check_names(source: Connection, target: Connection, study: str, dataset: str) -> None:
    """Raise AlreadyExists if the name of the study, data set or a different codebook is taken."""
    for name, table, wanted in (("datasets", tables.DatasetRow, dataset), ("studies", tables.StudyRow, study)):
        if target.scalar(select(table.id).where(table.name == wanted)) is not None:
            raise _taken(name, wanted)
    for book in source.execute(select(tables.CodebookRow.__table__)).mappings():
        _is_known(target, dict(book))


def _taken(table: str, name: str) -> AlreadyExists:
    return AlreadyExists(f"{name!r} is already the name of one of the {table} here. Choose another name.")


def _read(source: Connection, table: SqlTable) -> Iterator[Any]:
    query = select(table).order_by(*table.primary_key.columns)
    return iter(source.execution_options(yield_per=MOST).execute(query).mappings())


def _take_many(source: Connection, target: Database, table: SqlTable, new: Numbers, pictures: Path) -> None:
    """Copy the rows of one of the data set's tables in batches."""
    moves, numbers, key = _moves(table, new), new.setdefault(table.name, {}), _own_key(table)
    total = source.scalar(select(func.count()).select_from(table)) or 0
    portions, rows, done = Portions(target), _read(source, table), 0
    expected = None if key is None else 1  # the next number, unless another process writes to the table
    while some := [_settled(_moved(row, moves), table, pictures) for row in islice(rows, portions.rows)]:
        report(f"Taking in {table.name}", done, total)
        insert_all = _inserting(target, table, some, expected)
        with portions.write(len(some)) as connection:
            first = None if key is None else (connection.scalar(select(func.max(key))) or 0) + 1
            if first != expected:
                insert_all = _inserting(target, table, some, first)
            insert_all(connection)
        if first is not None:
            numbers.update((row["id"], number) for number, row in enumerate(some, first))
            expected = first + len(some)
        done += len(some)


def _inserting(
    target: Database, table: SqlTable, rows: Sequence[Row], first: int | None
) -> Callable[[Connection], None]:
    """Return a function that inserts rows, numbered from `first` on, unless it is None."""
    numbered = rows if first is None else [row | {"id": number} for number, row in enumerate(rows, first)]
    return target.dialect.inserting(target.engine, table, numbered)


def _take(target: Connection, table: SqlTable, rows: Sequence[Row], new: Numbers, names: Mapping[str, str]) -> None:
    """Copy the rows of one of the study's tables."""
    moves, numbers, key = _moves(table, new), new.setdefault(table.name, {}), _own_key(table)
    copied = [_settled(_moved(row, moves), table) for row in rows]
    _rename(target, table, copied, names.get(table.name))
    if table.name == "codebooks":
        copied = [book for book in copied if not _is_known(target, book)]
    if not copied:
        return
    if key is None:
        target.execute(insert(table), copied)
    elif table.name == "studies":
        numbers.update({row["id"]: next_study(target) for row in rows})  # a bundle has one study
        target.execute(insert(table), [row | {"id": numbers[row["id"]]} for row in copied])
    elif key.type.python_type is int:  # the target database numbers the rows
        fresh = [{name: value for name, value in row.items() if name != key.name} for row in copied]
        if table.name not in _referred_to():
            target.execute(insert(table), fresh)
            return
        made = target.scalars(insert(table).returning(key, sort_by_parameter_order=True), fresh)
        numbers.update(zip((row[key.name] for row in rows), made, strict=True))
    else:
        numbers.update({row[key.name]: secrets.token_urlsafe(12) for row in rows})
        target.execute(insert(table), [row | {key.name: numbers[row[key.name]]} for row in copied])


def _settled(row: Row, table: SqlTable, pictures: Path | None = None) -> Row:
    """Return a row with values of the target: its folder of pictures, and no items given out yet."""
    if table.name == "images" and pictures is not None and row["path"] is not None:
        return row | {"path": str(pictures / Path(row["path"]).name)}
    if table.name == "study_courses" and row["state"] in GIVING:
        return row | {"state": "paused"}
    if table.name == "items":  # raters who hold an item are counted at the end
        return row | {"takers": UNCOUNTED, "reopened": False}
    if table.name == "participations":
        return row | {"reached": 0}
    return row


def _own_key(table: SqlTable) -> Column[Any] | None:
    """Return the column that numbers a table's rows, or None if the key consists of references."""
    keys = list(table.primary_key.columns)
    return keys[0] if len(keys) == 1 and not keys[0].foreign_keys and keys[0].name == "id" else None


@cache
def _referred_to() -> frozenset[str]:
    """Return the tables to which other rows of a bundle refer. Only their new numbers are read, which saves most
    time.
    """
    aimed = (aim(column) for table in bundled_tables() for column in table.columns)
    return frozenset(column.table.name for column in aimed if column is not None) | {"scores", "samples"}


def _moves(table: SqlTable, new: Numbers) -> dict[str, Callable[[Any], Any]]:
    """Return, for each column that refers to other rows, a function from old to new numbers."""

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


def _moved(row: Any, moves: Mapping[str, Callable[[Any], Any]]) -> Row:
    """Return a row with the new numbers of the rows it refers to."""
    return dict(row) | {name: move(row[name]) for name, move in moves.items() if row[name] is not None}


def aim(column: Column[Any]) -> Column[Any] | None:
    """Return the `id` column to which a column refers, directly or through other tables, or None."""
    if str(column) == _RATED:
        return column
    if column.name == "study_id":  # also without a foreign key
        return tables.Table.metadata.tables["studies"].columns["id"]
    for key in column.foreign_keys:
        aimed = key.column
        if _own_key(aimed.table) is aimed:
            return aimed
        further = aim(aimed)
        if further is not None:
            return further
    return None


def _rename(target: Connection, table: SqlTable, rows: Sequence[Row], name: str | None) -> None:
    """Rename rows whose names must be unique: use `name`, or add a suffix to a taken rater code."""
    if table.name not in _NAMED:
        return
    column = table.columns[_NAMED[table.name]]
    taken = set(target.scalars(select(column)))
    for row in rows:
        wanted = name or row[column.name]
        if wanted in taken and table.name != "raters":
            raise _taken(table.name, wanted)
        ends = (f"-{number}" for number in range(2, len(taken) + 3))
        others = (f"{wanted[: _LONGEST_CODE - len(end)]}{end}" for end in ends)
        row[column.name] = wanted if wanted not in taken else next(other for other in others if other not in taken)
        taken.add(row[column.name])


def _is_known(target: Connection, book: Row) -> bool:
    same = tables.CodebookRow.name == book["name"]
    there = target.execute(select(tables.CodebookRow.codes).where(same)).first()
    if there is not None and there.codes != book["codes"]:
        raise AlreadyExists(f"There is another codebook called {book['name']!r} here already.")
    return there is not None
