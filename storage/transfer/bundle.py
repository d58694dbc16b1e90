"""Read a study's rows from a database, and write them into a new database, for study bundles.

A study bundle is a file with a study and all data that its results need. This module lists every table of the database.
For each table it states which rows belong to a study, or that a bundle contains none of its rows. A bundle is read into
a separate database. All rows keep their numbers there, so the study's results are the same as in the original database.
From there the study can be copied into another database, where rows get new numbers.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from itertools import islice
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

from core.errors import BadFile
from storage import tables
from storage.engine.database import utc_now
from storage.engine.migration import empty_database, empty_file, migrate, revisions
from storage.engine.sqlite import as_json, from_json
from storage.rating.assignment.item_holders import UNCOUNTED, count_takers
from storage.transfer.bundle_checks import check_bundle

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


# The whole data set is included, because a report compares metrics with people on all its samples.
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
    tables.CheckAnswerRow: lambda study: tables.CheckAnswerRow.study_id == study,
    tables.ItemRow: lambda study: tables.ItemRow.study_id == study,
    tables.ControlRow: lambda study: tables.ControlRow.study_id == study,
    tables.StudyQualityRow: lambda study: tables.StudyQualityRow.study_id == study,
    tables.ItemScoreRow: lambda study: tables.ItemScoreRow.item_id.in_(_items(study)),
    tables.RaterRow: lambda study: tables.RaterRow.id.in_(_raters(study)),
    tables.ParticipationRow: lambda study: tables.ParticipationRow.study_id == study,
    tables.ExclusionRow: lambda study: tables.ExclusionRow.study_id == study,
    tables.AssignmentRow: lambda study: tables.AssignmentRow.study_id == study,
    tables.ItemReportRow: lambda study: tables.ItemReportRow.study_id == study,
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
# Tables that are never exported. Accounts, sessions, identities and questionnaire answers are private. The counts of
# data sets are not needed, because triggers count again when rows are imported.
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
    tables.MessageRow,
    tables.MessageReadRow,
    tables.PlatformPersonRow,
    tables.EntryAnswerRow,
)
_BATCH = 5_000  # number of rows that are copied in one step
# columns with names of people; these names are not exported
_ACCOUNTS = ("controls.approved_by",)


def bundled_tables() -> list[SqlTable]:
    """Return the tables that a bundle contains.

    Each table comes after the tables to which it refers.
    """
    wanted = {kind.__tablename__ for kind in BELONGS}
    return [table for table in tables.Table.metadata.sorted_tables if table.name in wanted]


def study_rows(connection: Connection, study: int) -> Iterator[tuple[str, Iterator[Row]]]:
    """Yield each table's name with the study's rows in that table.

    The rows are in key order, and their values are plain JSON values.
    """
    conditions = {kind.__tablename__: belongs(study) for kind, belongs in BELONGS.items()}
    people: dict[str, str] = {}
    for table in bundled_tables():
        query = select(table).where(conditions[table.name]).order_by(*table.primary_key.columns)
        rows = connection.execution_options(yield_per=_BATCH).execute(query).mappings()
        yield table.name, (_told(row, table, people) for row in rows)


def present_revision() -> str:
    """Return the current revision of the tables."""
    return revisions()[-1]


def make_database(path: Path, revision: str, rows_by_table: Mapping[str, Iterable[Row]], source: Path) -> None:
    """Make a database from a bundle's rows, and update its tables.

    revision: the tables' revision when the bundle was exported. source: the bundle's file, which errors name. Raises
    BadFile if the rows do not fit the tables of that revision.
    """
    if revision not in revisions():
        raise BadFile(source, f"a later version of Capscope made this bundle (revision {revision}); use that version")
    engine = create_engine(f"sqlite:///{path}", json_serializer=as_json, json_deserializer=from_json)
    # Insert many rows per statement, because updating the search index row by row takes ten times as long.
    engine.dialect.use_insertmanyvalues_wo_returning = True
    event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA foreign_keys=ON"))
    try:
        path.write_bytes(empty_file(revision))
        _fill(engine, _tables_of(revision), rows_by_table, source)
        if revision != present_revision():
            migrate(engine)
        check_bundle(engine, bundled_tables(), source, utc_now())
    except (SQLAlchemyError, ValueError, TypeError, OverflowError) as error:
        why = str(getattr(error, "orig", error)).partition("\n")[0]
        raise BadFile(source, f"the rows of the bundle contradict each other ({why})") from error
    finally:
        engine.dispose()


@cache
def _tables_of(revision: str) -> MetaData:
    """Return a revision's tables as SQLite describes them."""
    there = MetaData()
    with empty_database(revision) as connection:
        there.reflect(connection)
    for column in (column for table in there.tables.values() for column in table.columns):
        if isinstance(column.type, JSON):
            column.type = JSON(none_as_null=True)  # so that missing values are stored as NULL and not as JSON's null
    return there


def _fill(engine: Engine, there: MetaData, rows_by_table: Mapping[str, Iterable[Row]], source: Path) -> None:
    wanted = {table.name for table in bundled_tables()}
    if unknown := set(rows_by_table) - wanted:
        raise BadFile(source, f"the bundle has a table {min(unknown)}, which bundles cannot have")
    with engine.begin() as connection:
        for table in there.sorted_tables:
            rows = (_stored(row, table, source) for row in rows_by_table.get(table.name, ()))
            if table.name == "items" and "takers" in table.columns:
                rows = (row | {"takers": UNCOUNTED} for row in rows)
            while some := list(islice(rows, _BATCH)):
                connection.execute(insert(table), some)
        if "takers" in there.tables["items"].columns:
            count_takers(connection)


def _told(row: Any, table: SqlTable, people: dict[str, str]) -> Row:
    """Return a row as plain values that JSON can store.

    Names of accounts become numbers, in order of first appearance.
    """
    values = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}
    for name in values:
        if f"{table.name}.{name}" in _ACCOUNTS and values[name] is not None:
            values[name] = people.setdefault(values[name], f"account {len(people) + 1}")
    return values


def _stored(row: Row, table: SqlTable, source: Path) -> Row:
    """Return a row of a bundle as values for the database.

    Times are parsed. Raises BadFile for wrong columns or values of a wrong type.
    """
    if set(row) != set(table.columns.keys()):
        raise BadFile(source, f"a row of {table.name} does not have the columns of that table")
    columns = table.columns
    return {name: None if value is None else _as_column(value, columns[name], source) for name, value in row.items()}


def _as_column(value: Any, column: Column[Any], source: Path) -> Any:
    if value is None or isinstance(column.type, JSON):
        return value
    kind = column.type.python_type
    if kind is datetime and isinstance(value, str):
        time = datetime.fromisoformat(value)
        if time.tzinfo is not None:
            raise BadFile(source, f"{column.table.name}.{column.name} must be a time in UTC, found {value:.60}")
        return time
    if kind is float and type(value) is int:
        return float(value)
    if isinstance(column.type, Boolean) and value in (0, 1):
        return bool(value)
    if type(value) is not kind:
        raise BadFile(source, f"{column.table.name}.{column.name}: expected {kind.__name__}, found {value!r:.60}")
    return value
