"""Copy a study from a bundle's database into another one, where rows get new numbers.

A study and its data set may be large, so both are imported in short transactions. Both stay hidden until the last
transaction, so that they appear together. Until then, storage.data.hidden_datasets hides the data set. The study has no
row in study_courses, and queries omit such studies (storage.rating.studies.deleting). The study has a temporary name
and its raters have temporary codes, which nobody can type. The last transaction adds the row in study_courses, sets the
final name and codes, and shows the data set.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy import Table as SqlTable

from core.errors import AlreadyExists
from core.long_work.progress import report
from core.studies.planning.life_cycle import GIVING
from storage import tables
from storage.data.hidden_datasets import Hidden, making, show
from storage.engine.database import Database
from storage.engine.short_transactions import MOST, Portions
from storage.rating.assignment.item_holders import UNCOUNTED, count_takers_of
from storage.rating.studies.deleting import hidden_code
from storage.rating.studies.erasure import deleted_unless_complete
from storage.rating.studies.study_numbers import next_study
from storage.transfer.bundle import Row, bundled_tables
from storage.transfer.new_numbers import Numbers, fresh_rows, is_numbered, moved, moves_of, own_key

_LONGEST_CODE = 24  # maximum characters of a rater's code, with a suffix that makes it unique
# Small tables: those in _FIRST are written in the first transaction, and those in _LAST in the last transaction.
# The other tables are copied in batches.
_FIRST = (
    *("raters", "studies", "participations", "visits", "exclusions"),
    *("study_criteria", "study_entries", "study_forms", "study_quality"),
)
_SETTLED = ("created_at", "changes", "benchmark")  # columns of DatasetRow whose values the import copies unchanged
_LAST = ("codebooks", "erasures", "slices", "study_courses")


def take_over(source: Connection, target: Database, study: str, dataset: str, pictures: Path) -> int:
    """Copy the only study of a bundle's database into another database.

    Return the study's new number. If the study was giving items to raters, it is paused in the target database. study,
    dataset: their names in the target. pictures: the target's folder of pictures. If another rater in the
    target already has a copied rater's code, the copied rater gets a new code. Raises AlreadyExists.
    """
    stored = source.execute(select(*tables.DatasetRow.__table__.columns)).one()
    small = {table: [dict(row) for row in _read(source, table)] for table in bundled_tables() if _is_small(table)}
    with making(target, stored.notice) as made, deleted_unless_complete(target, made.id):
        new: Numbers = {"datasets": {stored.id: made.id}}
        with target.write() as connection:
            for table, rows in small.items():
                if table.name in _FIRST:
                    _take(connection, table, rows, new, made)
        many = [table for table in bundled_tables() if table.name != "datasets" and not _is_small(table)]
        for table in sorted(many, key=lambda table: table.name == "events"):  # last: every deletion of events is logged
            _take_many(source, target, table, new, pictures)
        _count_takers(target, new)
        with target.write() as connection:
            for table, rows in small.items():
                if table.name in _LAST:
                    _take(connection, table, rows, new, made)
            _show(connection, {table.name: rows for table, rows in small.items()}, new, study)
            settled = update(tables.DatasetRow).where(tables.DatasetRow.id == made.id)
            connection.execute(settled.values(**{name: getattr(stored, name) for name in _SETTLED}))
            show(connection, made, dataset)
    return int(next(iter(new["studies"].values())))


def _is_small(table: SqlTable) -> bool:
    return table.name in (*_FIRST, *_LAST)


def check_names(source: Connection, target: Connection, study: str, dataset: str) -> None:
    """Raise AlreadyExists if the target already has one of the names.

    The names are those of the study, of the data set, and of codebooks. A codebook with the same content is accepted.
    """
    for name, table, wanted in (("datasets", tables.DatasetRow, dataset), ("studies", tables.StudyRow, study)):
        if target.scalar(select(table.id).where(table.name == wanted)) is not None:
            raise _taken(name, wanted)
    for book in source.execute(select(tables.CodebookRow.__table__)).mappings():
        _is_known(target, dict(book))


def _taken(table: str, name: str) -> AlreadyExists:
    return AlreadyExists(f"The name {name!r} is already used by one of the {table} here. Choose another name.")


def _read(source: Connection, table: SqlTable) -> Iterator[Any]:
    query = select(table).order_by(*table.primary_key.columns)
    return iter(source.execution_options(yield_per=MOST).execute(query).mappings())


def _take_many(source: Connection, target: Database, table: SqlTable, new: Numbers, pictures: Path) -> None:
    """Copy the rows of a table in batches."""
    moves, numbers, key = moves_of(table, new), new.setdefault(table.name, {}), own_key(table)
    total = source.scalar(select(func.count()).select_from(table)) or 0
    portions, rows, done = Portions(target), _read(source, table), 0
    expected = None if key is None or not is_numbered(table) else 1  # id of the next row if no other process adds rows
    while read := list(islice(rows, portions.rows)):
        report(f"Taking in {table.name}", done, total)
        some = fresh_rows([_settled(moved(row, moves), table, pictures) for row in read], table)
        insert_all = _inserting(target, table, some, expected)
        with portions.write(len(some)) as connection:
            first = None if expected is None else (connection.scalar(select(func.max(key))) or 0) + 1
            if first != expected:
                insert_all = _inserting(target, table, some, first)
            insert_all(connection)
        if first is not None:
            numbers.update((row["id"], number) for number, row in enumerate(read, first))
            expected = first + len(some)
        elif key is not None and key.name in some[0]:
            numbers.update((old["id"], row["id"]) for old, row in zip(read, some, strict=True))
        done += len(some)


def _inserting(
    target: Database, table: SqlTable, rows: Sequence[Row], first: int | None
) -> Callable[[Connection], None]:
    """Return a function that inserts rows.

    first: the first row's number; None: the database numbers the rows.
    """
    numbered = rows if first is None else [row | {"id": number} for number, row in enumerate(rows, first)]
    return target.dialect.inserting(target.engine, table, numbered)


def _count_takers(target: Database, new: Numbers) -> None:
    """Store how many raters each of the study's items has.

    The items are processed in batches.
    """
    items, portions, done = sorted(new["items"].values()), Portions(target), 0
    (study,) = new["studies"].values()
    while some := items[done : done + portions.rows]:
        with portions.write(len(some)) as connection:
            count_takers_of(connection, study, some[0], some[-1])
        done += len(some)


def _take(target: Connection, table: SqlTable, rows: Sequence[Row], new: Numbers, made: Hidden) -> None:
    """Copy all rows of a small table.

    Studies get temporary names, and raters get temporary codes, which nobody can type. `_show` replaces them.
    """
    moves, numbers, key = moves_of(table, new), new.setdefault(table.name, {}), own_key(table)
    copied = [_settled(moved(row, moves), table) for row in rows]
    if table.name == "codebooks":
        copied = [book for book in copied if not _is_known(target, book)]
    if not copied:
        return
    if table.name == "studies":
        numbers.update({row["id"]: next_study(target) for row in rows})  # rows has one entry, as a bundle has one study
        named = {"name": hidden_code(made.maker)}
        target.execute(insert(table), [row | named | {"id": numbers[row["id"]]} for row in copied])
    elif key is not None and is_numbered(table):  # only the table of raters; raters get new numbers in the target
        hidden = ({"code": hidden_code(made.maker, place)} for place, _ in enumerate(rows))
        fresh = [{name: value for name, value in row.items() if name != "id"} | next(hidden) for row in copied]
        ids = target.scalars(insert(table).returning(key, sort_by_parameter_order=True), fresh)
        numbers.update(zip((row["id"] for row in rows), ids, strict=True))
    else:
        target.execute(insert(table), fresh_rows(copied, table))


def _show(target: Connection, rows: Mapping[str, Sequence[Row]], new: Numbers, name: str) -> None:
    """Give the study its final name, and its raters their codes.

    If the target already has a rater with the same code, the new code has a suffix.
    """
    for table, column, wanted in ((tables.StudyRow, "name", name), (tables.RaterRow, "code", None)):
        taken = set(target.scalars(select(getattr(table, column))))
        for row in rows[table.__tablename__]:
            if wanted is not None and wanted in taken:
                raise _taken("studies", wanted)
            free = wanted or _free_code(row[column], taken)
            named = update(table).where(table.id == new[table.__tablename__][row["id"]])
            target.execute(named.values({column: free}))
            taken.add(free)


def _free_code(wanted: str, taken: set[str]) -> str:
    """Return a rater's code, with a suffix if it is taken."""
    ends = ("", *(f"-{number}" for number in range(2, len(taken) + 3)))
    codes = (f"{wanted[: _LONGEST_CODE - len(end)]}{end}" for end in ends)
    return next(code for code in codes if code not in taken)


def _settled(row: Row, table: SqlTable, pictures: Path | None = None) -> Row:
    """Return a row with the values that the target database needs.

    Paths of pictures are changed to the target's folder. A study that was giving items to raters is paused. Each item's
    number of raters is marked as not yet counted. The search for a rater's next item starts at the first item again.
    """
    if table.name == "images" and pictures is not None and row["path"] is not None:
        return row | {"path": str(pictures / Path(row["path"]).name)}
    if table.name == "study_courses" and row["state"] in GIVING:
        return row | {"state": "paused"}
    if table.name == "items":  # UNCOUNTED until _count_takers has counted each item's raters
        return row | {"takers": UNCOUNTED, "reopened": False}
    if table.name == "participations":
        return row | {"reached": 0}
    return row


def _is_known(target: Connection, book: Row) -> bool:
    same = tables.CodebookRow.name == book["name"]
    there = target.execute(select(tables.CodebookRow.codes).where(same)).first()
    if there is not None and there.codes != book["codes"]:
        raise AlreadyExists(f"Another codebook is already named {book['name']!r}.")
    return there is not None
