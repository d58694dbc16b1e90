"""Import samples and scores: collect and check them in a staging file, then write them in short transactions.

Pictures are found, hashed and thumbnailed before the import begins. New rows go into a hidden data set
(storage.data.hidden_datasets) in short transactions, so that raters' answers do not wait. The last transaction shows
them, and writes all changes of an existing data set.
"""

from collections.abc import Callable, Iterable, Mapping, Sized
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Boolean,
    Connection,
    String,
    bindparam,
    cast,
    column,
    delete,
    func,
    insert,
    literal,
    select,
    table,
    update,
)

from core.datasets.base import OnProgress, Record, ignore_progress
from core.errors import BadRow, BadRows
from core.long_work.spool import batched
from core.types import ImageRef
from storage.data.datasets import count_change, keep_benchmark
from storage.data.hidden_datasets import Hidden, delete_hidden, making, show
from storage.data.staging import EXPLAINED, FILLED, MADE_KEY, OUTCOME, PICTURE, REGION, SAMPLE, Row, Staging
from storage.engine.database import Database
from storage.engine.disk_map import full_disk_named
from storage.engine.short_transactions import Portions
from storage.engine.sql import upsert
from storage.tables import AnnotationRow, DatasetCountRow, DatasetRow, ImageRow, SampleRow, ScoreRow
from storage.types import ImportCounts

OnBad = Callable[[BadRow], None]
MOST_READINGS = 3  # number of attempts to import while others change the data; the last attempt excludes other writers
MOST_SMALL = 100  # maximum number of records for which an import does not read the whole data set
AT_A_TIME = 1_000  # number of records in memory, and number of rows in a step of the last transaction
_TABLES = ("images", "samples", "scores")
_NEW_SCORES = "FROM scores c JOIN samples s ON s.id = c.sample WHERE c.is_new AND "


class _Changed(Exception):
    """Raised if another process has changed the data set since the import began."""


def add_records(
    database: Database,
    dataset: str,
    records: Iterable[Record],
    images: Mapping[str, ImageRef],
    on_bad: OnBad,
    folder: Path | None = None,
    on_progress: OnProgress = ignore_progress,
    strict: bool = False,
    known_only: bool = False,
    benchmark: str | None = None,
    replaces: bool = False,
) -> ImportCounts:
    """Add records to a data set, all or nothing. The data set is made if needed.

    `records` may be iterated several times; a Spool keeps large numbers of them out of memory. folder: for the staging
    file; None: the system's temporary folder. on_progress gets the progress in records and their total; it may raise to
    cancel the import.

    images maps every record's picture to its file and annotated regions. The sample of a record is found by the
    record's key. Without such a sample, it is found by image and caption. If this fails too, a new sample is made.
    Empty stored values are filled. Other stored values change only if replaces is True. on_bad gets each row that
    contradicts stored data, and may raise to stop the import. strict: True: on_bad is not used. All contradictory rows
    are raised together, as BadRow or BadRows, before anything is written. known_only: True: records make no new
    samples, and a record without a stored sample counts as contradictory. benchmark: the benchmark of the records'
    files, which is stored with the data set; None: no benchmark.
    """
    delete_hidden(database)
    is_small = isinstance(records, Sized) and len(records) <= MOST_SMALL
    small = [(record, images[record.picture]) for record in records] if is_small else []

    def take(database: Database) -> ImportCounts:
        with full_disk_named(), closing(Staging(folder, replaces, known_only)) as staging:
            with database.read() as connection:
                state = _State.of(connection, dataset)
                staging.load(connection, state.dataset, small)
                problems = _stage(staging, records, images, on_progress)
            if strict and problems:
                raise problems[0] if len(problems) == 1 else BadRows(problems)
            with making(database) as made:
                writer = _Writer(staging, Portions(database), made, state.dataset)
                writer.write(_second_half(on_progress, records))
                with database.write() as connection:
                    state.check(connection, dataset, writer.has_waiting)
                    for problem in problems:
                        on_bad(problem)
                    writer.finish(connection, dataset)
                    counts = staging.counts()
                    keep_benchmark(connection, dataset, benchmark, counts.samples, counts.samples_added)
                return counts

    for _ in range(MOST_READINGS - 1):
        try:
            return take(database)
        except _Changed:
            continue
    with database.alone() as held:
        return take(held)


def _stage(
    staging: Staging, records: Iterable[Record], images: Mapping[str, ImageRef], on_progress: OnProgress
) -> list[BadRow]:
    """Collect the records, and return those that contradict other data. This is the first half of the progress."""
    problems, done, total = list[BadRow](), 0, len(records) if isinstance(records, Sized) else 0
    for batch in batched(records, AT_A_TIME):
        pictures = {name: images[name] for name in {record.picture for record in batch}}
        found = (staging.add(record, pictures[record.picture], records) for record in batch)
        problems += [problem for problem in found if problem is not None]
        done += len(batch)
        on_progress(done // 2, max(done, total))
    return problems


def _second_half(on_progress: OnProgress, records: Iterable[Record]) -> OnProgress:
    total = len(records) if isinstance(records, Sized) else 1

    def progress(done: int, of: int) -> None:
        first = total // 2
        on_progress(total if done >= of else first + (total - first) * done // of, total)

    return progress


@dataclass(slots=True)
class _Writer:
    """Writes the rows of a staging file."""

    staging: Staging
    portions: Portions
    made: Hidden  # the hidden data set that gets the new rows
    visible: int | None  # data set into which rows are imported; None: it does not exist yet

    @property
    def has_waiting(self) -> bool:
        """Return whether the last transaction changes existing samples or pictures."""
        changed = (
            f"SELECT 1 FROM {name} WHERE changed AND NOT is_new LIMIT 1" for name in ("images", "samples", "scores")
        )
        queries = (*changed, f"SELECT 1 {_NEW_SCORES} NOT s.is_new LIMIT 1")
        return any(self.staging.rows(query) for query in queries)

    def write(self, on_progress: OnProgress) -> None:
        """Write all new rows that nobody can see yet, in short transactions."""
        names = ("name", *PICTURE)
        images = f"SELECT id, {_of('', names)} FROM images WHERE is_new ORDER BY id"
        samples = f"SELECT s.id, i.stored, {_of('s.', SAMPLE)} FROM samples s JOIN images i ON i.id = s.image"
        scores = ("signature", *OUTCOME)
        of_scores = f"SELECT c.id, s.stored, {_of('c.', scores)} {_NEW_SCORES} s.is_new ORDER BY c.id"
        regions = f"SELECT 0, i.stored, {_of('r.', REGION)} FROM regions r JOIN images i ON i.id = r.image"
        total = sum(self._sum("is_new", name) for name in _TABLES)
        steps = (
            (ImageRow, names, images),
            (SampleRow, ("image_id", *SAMPLE), f"{samples} WHERE s.is_new ORDER BY s.id"),
            (ScoreRow, ("sample_id", *scores), of_scores),
            (AnnotationRow, ("image_id", *REGION), f"{regions} WHERE i.is_new"),
        )
        done = 0
        for kind, columns, query in steps:
            rows = self.staging.file.execute(query)
            while part := rows.fetchmany(self.portions.rows):
                with self.portions.write(len(part)) as connection:
                    ids = self._insert(connection, kind, columns, part)
                if kind in (ImageRow, SampleRow):
                    stored = zip(ids, (row[0] for row in part), strict=True)
                    self.staging.file.executemany(f"UPDATE {kind.__tablename__} SET stored = ? WHERE id = ?", stored)
                done += len(part)
                on_progress(min(done, total - 1), total)
        on_progress(1, 1)

    def finish(self, connection: Connection, name: str) -> None:
        """Show the import to everybody.

        For a new data set, this is short. Otherwise all changes of the existing data set are written.
        """
        if self.visible is None:
            show(connection, self.made, name)
            count_change(connection, self.made.id)
            return
        scores = ("signature", *OUTCOME)
        self._insert_all(
            connection,
            ScoreRow,
            ("sample_id", *scores),
            f"SELECT c.id, s.stored, {_of('c.', scores)} {_NEW_SCORES} NOT s.is_new ORDER BY c.id",
        )
        # A sample may get the key that another one gives up, so all of these first give up theirs.
        renamed = "SELECT stored FROM samples WHERE renamed AND NOT is_new"
        given_up = [{"row": row["stored"]} for row in self.staging.rows(renamed)]
        if given_up:
            free = MADE_KEY + " renamed " + cast(SampleRow.id, String)
            connection.execute(update(SampleRow).where(SampleRow.id == bindparam("row")).values(key=free), given_up)
        for kind, columns, changed in (
            (ImageRow, PICTURE, "changed"),
            (SampleRow, ("key", *FILLED), "changed"),
            (ScoreRow, EXPLAINED, "changed = 1"),
            (ScoreRow, OUTCOME, "changed = 2"),
        ):
            self._update(connection, kind, columns, changed)
        regions = f"SELECT 0, i.stored, {_of('r.', REGION)} FROM regions r JOIN images i ON i.id = r.image"
        self._insert_all(connection, AnnotationRow, ("image_id", *REGION), f"{regions} WHERE NOT i.is_new")
        added = [one for one in (ImageRow, SampleRow) if self._sum("is_new", one.__tablename__)]
        for moved in added:
            hidden = update(moved).where(moved.dataset_id == self.made.id)
            connection.execute(hidden.values(dataset_id=self.visible))
        if added:
            _move_counts(connection, self.made.id, self.visible)
        connection.execute(delete(DatasetRow).where(DatasetRow.id == self.made.id))
        if any(self._sum(column, name) for column in ("is_new", "changed") for name in _TABLES):
            count_change(connection, self.visible)

    def _sum(self, column: str, name: str) -> int:
        return self.staging.number(f"SELECT sum({column}) FROM {name}")

    def _insert_all(self, connection: Connection, kind: Any, columns: tuple[str, ...], query: str) -> None:
        rows = self.staging.file.execute(query)
        while part := rows.fetchmany(AT_A_TIME):
            self._insert(connection, kind, columns, part)

    def _insert(self, connection: Connection, kind: Any, columns: tuple[str, ...], part: Iterable[Any]) -> list[int]:
        """Insert rows of the staging file, without the first column of each. Return their ids in the database."""
        more: Row = {"dataset_id": self.made.id} if kind in (ImageRow, SampleRow) else {}
        rows = [dict(zip(columns, tuple(row)[1:], strict=True)) | more for row in part]
        ids = list[int]()
        if kind is not AnnotationRow:
            first = (connection.scalar(select(kind.id).order_by(kind.id.desc()).limit(1)) or 0) + 1
            ids = list(range(first, first + len(rows)))
            rows = [row | {"id": id_} for row, id_ in zip(rows, ids, strict=True)]
        connection.execute(insert(_untyped(kind, rows[0])), rows)
        return ids

    def _update(self, connection: Connection, kind: Any, columns: tuple[str, ...], changed: str) -> None:
        name = kind.__tablename__
        query = f"SELECT stored, {_of('', columns)} FROM {name} WHERE {changed} AND NOT is_new ORDER BY id"
        untyped = _untyped(kind, ("id", *columns))
        statement = update(untyped).where(untyped.c.id == bindparam("row"))
        statement = statement.values({one: bindparam(f"new_{one}") for one in columns})
        rows, names = self.staging.file.execute(query), ["row", *(f"new_{one}" for one in columns)]
        while part := rows.fetchmany(AT_A_TIME):
            connection.execute(statement, [dict(zip(names, tuple(row), strict=True)) for row in part])


def _of(table_name: str, names: Iterable[str]) -> str:
    return ", ".join(f'{table_name}"{name}"' for name in names)


def _untyped(kind: Any, names: Iterable[str]) -> Any:
    """Return a table without JSON columns, because the staging file contains JSON as text."""
    types = {one.name: one.type for one in kind.__table__.columns}
    booleans = {name: Boolean() for name in names if isinstance(types[name], Boolean)}
    return table(kind.__tablename__, *(column(name, booleans.get(name)) for name in names))


def _move_counts(connection: Connection, hidden: int, visible: int) -> None:
    """Add a hidden data set's counts to the visible data set, because its rows move there.

    Triggers do not count scores again when their samples move to another data set.
    """
    count = DatasetCountRow
    rows = select(literal(visible), count.counted, count.metric, count.number).where(count.dataset_id == hidden)
    counted = upsert(connection, count).from_select(["dataset_id", "counted", "metric", "number"], rows)
    keys, both = ["dataset_id", "counted", "metric"], count.number + counted.excluded.number
    connection.execute(counted.on_conflict_do_update(index_elements=keys, set_={"number": both}))


@dataclass(frozen=True, slots=True)
class _State:
    """The state of a data set before an import."""

    dataset: int | None  # id of the data set; None: it does not exist
    changes: int
    pictures: int  # number of pictures
    samples: int

    @classmethod
    def of(cls, connection: Connection, name: str) -> "_State":
        row = connection.execute(select(DatasetRow.id, DatasetRow.changes).where(DatasetRow.name == name)).first()
        dataset, changes = row or (None, 0)
        held = (select(func.count()).where(table.dataset_id == dataset) for table in (ImageRow, SampleRow))
        return cls(dataset, changes, *(connection.scalar(query) or 0 for query in held))

    def check(self, connection: Connection, name: str, are_rows_waiting: bool) -> None:
        """Raise _Changed if another writer changed data on which the import depends."""
        now = _State.of(connection, name)
        if now.dataset == self.dataset and now.changes == self.changes:
            return
        if are_rows_waiting or replace(now, changes=self.changes) != self:  # scores added by others do not matter here
            raise _Changed
