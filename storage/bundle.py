"""A study's rows, taken out of one database and into another: what a study bundle is made of.

Every table is named here once: which of its rows belong to a study, or that none ever leave. A bundle is read into a
database of its own, with the numbers that rows had, so that all that is computed there is computed from the same; from
there the study can be taken over into another one, where rows get new numbers.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Engine,
    MetaData,
    create_engine,
    event,
    insert,
    select,
)
from sqlalchemy import Table as SqlTable
from sqlalchemy.exc import SQLAlchemyError

from core.errors import AlreadyExists, BadFile
from core.studies.life_cycle import GIVING
from storage import tables
from storage.bundle_checks import check_bundle
from storage.database import utc_now
from storage.migration import migrate, revisions
from storage.study_numbers import next_study
from storage.takers import UNCOUNTED, count_takers

Row = dict[str, Any]
Belongs = Callable[[int], ColumnElement[bool]]


def _dataset(study: int) -> Any:
    return select(tables.StudyRow.dataset_id).where(tables.StudyRow.id == study).scalar_subquery()


def _samples(study: int) -> Any:
    return select(tables.SampleRow.id).where(tables.SampleRow.dataset_id == _dataset(study))


def _images(study: int) -> Any:
    return select(tables.ImageRow.id).where(tables.ImageRow.dataset_id == _dataset(study))


def _raters(study: int) -> Any:
    rated = select(tables.ParticipationRow.rater_id).where(tables.ParticipationRow.study_id == study)
    return rated.union(select(tables.VisitRow.rater_id).where(tables.VisitRow.study_id == study))


def _items(study: int) -> Any:
    return select(tables.ItemRow.id).where(tables.ItemRow.study_id == study)


def _assignments(study: int) -> Any:
    return select(tables.AssignmentRow.id).where(tables.AssignmentRow.study_id == study)


# The whole data set comes along, since a report compares metrics with people on all of it.
BELONGS: dict[type[tables.Table], Belongs] = {
    tables.DatasetRow: lambda study: tables.DatasetRow.id == _dataset(study),
    tables.ImageRow: lambda study: tables.ImageRow.dataset_id == _dataset(study),
    tables.AnnotationRow: lambda study: tables.AnnotationRow.image_id.in_(_images(study)),
    tables.SampleRow: lambda study: tables.SampleRow.dataset_id == _dataset(study),
    tables.ScoreRow: lambda study: tables.ScoreRow.sample_id.in_(_samples(study)),
    tables.StudyRow: lambda study: tables.StudyRow.id == study,
    tables.StudyCourseRow: lambda study: tables.StudyCourseRow.study_id == study,
    tables.StudyFormRow: lambda study: tables.StudyFormRow.study_id == study,
    tables.StudyCriterionRow: lambda study: tables.StudyCriterionRow.study_id == study,
    tables.StudyEntryRow: lambda study: tables.StudyEntryRow.study_id == study,
    tables.VisitRow: lambda study: tables.VisitRow.study_id == study,
    tables.ItemRow: lambda study: tables.ItemRow.study_id == study,
    tables.ControlRow: lambda study: tables.ControlRow.study_id == study,
    tables.AdjudicationRow: lambda study: tables.AdjudicationRow.study_id == study,
    tables.StudyQualityRow: lambda study: tables.StudyQualityRow.study_id == study,
    tables.ItemScoreRow: lambda study: tables.ItemScoreRow.item_id.in_(_items(study)),
    tables.RaterRow: lambda study: tables.RaterRow.id.in_(_raters(study)),
    tables.ParticipationRow: lambda study: tables.ParticipationRow.study_id == study,
    tables.ExclusionRow: lambda study: tables.ExclusionRow.study_id == study,
    tables.AssignmentRow: lambda study: tables.AssignmentRow.study_id == study,
    tables.ItemSentenceRow: lambda study: tables.ItemSentenceRow.item_id.in_(_items(study)),
    tables.SentenceAdjudicationRow: lambda study: tables.SentenceAdjudicationRow.study_id == study,
    tables.SentenceJudgementRow: lambda study: tables.SentenceJudgementRow.study_id == study,
    tables.ExplanationRemarkRow: lambda study: tables.ExplanationRemarkRow.study_id == study,
    tables.RatingRow: lambda study: tables.RatingRow.study_id == study,
    tables.EventRow: lambda study: tables.EventRow.assignment_id.in_(_assignments(study)),
    tables.ReleaseRow: lambda study: tables.ReleaseRow.study_id == study,
    tables.ErasureRow: lambda study: tables.ErasureRow.rater_id.in_(_raters(study)),
    tables.CodebookRow: lambda study: tables.CodebookRow.name.in_(
        select(tables.CodingRow.codebook).where(tables.CodingRow.sample_id.in_(_samples(study)))
    ),
    tables.CodingRow: lambda study: tables.CodingRow.sample_id.in_(_samples(study)),
    tables.SliceRow: lambda study: tables.SliceRow.dataset_id == _dataset(study),
}
# Who may come in, who did, who raters are elsewhere, and what they say of themselves: of nobody else's concern.
# Counts of data sets: triggers count again where rows come in.
STAYS = (
    tables.DatasetCountRow,
    tables.AccountRow,
    tables.AccountChangeRow,
    tables.StudyChangeRow,
    tables.EpochRow,
    tables.PasswordLinkRow,
    tables.StudyLinkRow,
    tables.SessionRow,
    tables.AuditRow,
    tables.LinkPanelRow,
    tables.PlatformPersonRow,
    tables.EntryAnswerRow,
)
_BATCH = 5_000  # rows that are copied at once
_RATED = "item_scores.score_id"  # what is rated: a score's number, or minus a sample's
_RATED_WITHIN = ("assignments.panels",)  # lists of them
# names of people, who stay unnamed
_ACCOUNTS = ("adjudications.adjudicator", "sentence_adjudications.adjudicator", "controls.approved_by")
_LONGEST_CODE = 24  # characters of a rater's code, with what tells it from another's
_NAMED = {"datasets": "name", "studies": "name", "raters": "code"}  # what has to be unique where it is taken in


def bundled_tables() -> list[SqlTable]:
    """Return the tables that a bundle holds, each after those that it refers to."""
    wanted = {kind.__tablename__ for kind in BELONGS}
    return [table for table in tables.Table.metadata.sorted_tables if table.name in wanted]


def study_rows(connection: Connection, study: int) -> Iterator[tuple[str, Iterator[Row]]]:
    """Yield each table's name and the rows that belong to a study, in the order of their keys, as plain values."""
    conditions = {kind.__tablename__: belongs(study) for kind, belongs in BELONGS.items()}
    people: dict[str, str] = {}
    for table in bundled_tables():
        query = select(table).where(conditions[table.name]).order_by(*table.primary_key.columns)
        rows = connection.execution_options(yield_per=_BATCH).execute(query).mappings()
        yield table.name, (_told(row, table, people) for row in rows)


def present_revision() -> str:
    """Return the revision of the tables here."""
    return revisions()[-1]


def make_database(path: Path, revision: str, found: Mapping[str, Iterable[Row]], source: Path) -> None:
    """Make a database of rows that left one at some revision, and bring it up to date.

    source: the file that the rows are from. Raises BadFile where they are not what that revision's tables hold.
    """
    if revision not in revisions():
        raise BadFile(source, f"it was made by a later version of Capscope (revision {revision}); use that one")
    engine = create_engine(f"sqlite:///{path}")
    event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA foreign_keys=ON"))
    try:
        migrate(engine, revision)
        _fill(engine, found, source)
        migrate(engine)
        check_bundle(engine, bundled_tables(), source, utc_now())
    except (SQLAlchemyError, ValueError, TypeError, OverflowError) as error:
        why = str(getattr(error, "orig", error)).partition("\n")[0]
        raise BadFile(source, f"its rows do not fit together ({why})") from error
    finally:
        engine.dispose()


def _fill(engine: Engine, found: Mapping[str, Iterable[Row]], source: Path) -> None:
    there = MetaData()
    there.reflect(engine)
    wanted = {table.name for table in bundled_tables()}
    if unknown := set(found) - wanted:
        raise BadFile(source, f"it holds a table that no bundle has: {min(unknown)}")
    with engine.begin() as connection:
        for table in there.sorted_tables:
            for column in table.columns:
                if isinstance(column.type, JSON):
                    column.type = JSON(none_as_null=True)  # what is missing is NULL, not JSON's null
            rows = [_stored(row, table, source) for row in found.get(table.name, ())]
            if table.name == "items" and "takers" in table.columns:
                rows = [row | {"takers": UNCOUNTED} for row in rows]
            if rows:
                connection.execute(insert(table), rows)
        if "takers" in there.tables["items"].columns:
            count_takers(connection)


def _told(row: Any, table: SqlTable, people: dict[str, str]) -> Row:
    """Return a row as plain values, accounts by numbers in the order in which they are met."""
    told = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}
    for name in told:
        if f"{table.name}.{name}" in _ACCOUNTS and told[name] is not None:
            told[name] = people.setdefault(told[name], f"account {len(people) + 1}")
    return told


def _stored(row: Row, table: SqlTable, source: Path) -> Row:
    """Return a row with its times as times. Raises BadFile for other columns, or values of another kind."""
    if set(row) != set(table.columns.keys()):
        raise BadFile(source, f"a row of {table.name} has other columns than that table")
    return {name: _as_column(value, table.columns[name], source) for name, value in row.items()}


def _as_column(value: Any, column: Column[Any], source: Path) -> Any:
    if value is None or isinstance(column.type, JSON):
        return value
    kind = column.type.python_type
    if kind is datetime and isinstance(value, str):
        time = datetime.fromisoformat(value)
        if time.tzinfo is not None:
            raise BadFile(source, f"{column.table.name}.{column.name}: expected a time in UTC, found {value:.60}")
        return time
    if kind is float and type(value) is int:
        return float(value)
    if isinstance(column.type, Boolean) and value in (0, 1):
        return bool(value)
    if type(value) is not kind:
        raise BadFile(source, f"{column.table.name}.{column.name}: expected {kind.__name__}, found {value!r:.60}")
    return value


def take_over(source: Connection, target: Connection, study: str, dataset: str, pictures: Path) -> int:
    """Copy the one study of a database into another one, paused if it gave out items; returns its number there.

    study, dataset: their names there; pictures: the folder where pictures are kept there. Raters get other codes where
    theirs are taken: a code is somebody else elsewhere. Raises AlreadyExists.
    """
    names = {"studies": study, "datasets": dataset}
    new: dict[str, dict[Any, Any]] = {}  # by table: its rows' numbers here -> there
    for table in bundled_tables():
        key = _own_key(table)
        numbers = new[table.name] = {}
        query = select(table).order_by(*table.primary_key.columns)
        for rows in source.execution_options(yield_per=_BATCH).execute(query).mappings().partitions():
            copied = [{name: _moved(row[name], table.columns[name], new) for name in row} for row in rows]
            _rename(target, table, copied, names.get(table.name))
            for row in copied:
                _settle(row, table, pictures)
            if table.name == "codebooks":
                copied = [book for book in copied if not _is_known(target, book)]
            if key is None:
                target.execute(insert(table), copied) if copied else None
            elif table.name == "studies":
                numbers.update({row["id"]: next_study(target) for row in rows})  # a bundle holds one study
                target.execute(insert(table), [row | {"id": numbers[row["id"]]} for row in copied])
            elif _is_counted(key):  # the database there counts
                fresh = [{name: value for name, value in row.items() if name != key.name} for row in copied]
                made = target.scalars(insert(table).returning(key, sort_by_parameter_order=True), fresh)
                numbers.update(zip((row[key.name] for row in rows), made, strict=True))
            else:
                numbers.update({row[key.name]: secrets.token_urlsafe(12) for row in rows})
                target.execute(insert(table), [row | {key.name: numbers[row[key.name]]} for row in copied])
    count_takers(target)
    return int(next(iter(new["studies"].values())))


def _settle(row: Row, table: SqlTable, pictures: Path) -> None:
    """Change what a row says that is otherwise here: where its picture is, and that nothing is given out yet.

    Who holds an item is counted in the end.
    """
    if table.name == "datasets":
        row["hidden"] = None
    if table.name == "images":
        row["path"] = None if row["path"] is None else str(pictures / Path(row["path"]).name)
    if table.name == "study_courses" and row["state"] in GIVING:
        row["state"] = "paused"
    if table.name == "items":
        row |= {"takers": UNCOUNTED, "reopened": False}
    if table.name == "participations":
        row["reached"] = 0


def _own_key(table: SqlTable) -> Column[Any] | None:
    """Return the column that numbers a table's rows; None where rows are known by what they belong to."""
    keys = list(table.primary_key.columns)
    return keys[0] if len(keys) == 1 and not keys[0].foreign_keys and keys[0].name == "id" else None


def _is_counted(key: Column[Any]) -> bool:
    return key.type.python_type is int


def _moved(value: Any, column: Column[Any], new: Mapping[str, Mapping[Any, Any]]) -> Any:
    """Return a value with the number that the row has there to which it refers."""
    if value is None:
        return None
    if str(column) in _RATED_WITHIN:
        return [_rated(one, new) for one in value]
    aimed = aim(column)
    if aimed is None:
        return value
    return _rated(value, new) if str(aimed) == _RATED else new[aimed.table.name][value]


def _rated(number: int, new: Mapping[str, Mapping[Any, Any]]) -> int:
    return int(new["scores"][number] if number > 0 else -new["samples"][-number])


def aim(column: Column[Any]) -> Column[Any] | None:
    """Return the column of numbers that a column holds, of its own table not among them; None where it holds none."""
    if str(column) == _RATED:
        return column
    if column.name == "study_id":  # whether or not the database checks it
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
    """Give rows that need a name of their own there the one that is wanted, or raters one that nobody has."""
    if table.name not in _NAMED:
        return
    column = table.columns[_NAMED[table.name]]
    taken = set(target.scalars(select(column)))
    for row in rows:
        wanted = name or row[column.name]
        if wanted in taken and table.name != "raters":
            raise AlreadyExists(f"{wanted!r} is one of the {table.name} here already: give another name.")
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
