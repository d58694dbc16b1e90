"""Import samples and scores: collect and check them in a staging file, then write them in short transactions.

Pictures are found, hashed and thumbnailed before the import begins. New rows go into a hidden data set
(storage.data.hidden_datasets) in short transactions, so that raters' answers do not wait. The last transaction shows
them, and writes all changes of an existing data set.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

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
from core.errors import BadRow, BadRows, BadSetting
from core.long_work.spool import batched
from core.types import ImageRef
from storage.data.datasets import count_change, keep_benchmark
from storage.data.hidden_datasets import Hidden, delete_hidden, making, show
from storage.data.matching import MADE_KEY, Matcher
from storage.data.staging import EXPLAINED, FILLED, KINDS, NEW, OUTCOME, PICTURE, REGION, SAMPLE, Row, Staging, quoted
from storage.engine.database import Database, Portions
from storage.engine.sql import upsert
from storage.engine.temporary_database import full_disk_named
from storage.tables import AnnotationRow, DatasetCountRow, DatasetRow, ImageRow, SampleRow, ScoreRow
from storage.types import ImportCounts

OnBad = Callable[[BadRow], None]
MOST_READINGS = 5  # number of attempts to import while others change the data
AT_A_TIME = 1_000  # number of records in memory, and number of rows in a step of the last transaction
_SCORES = ("signature", *OUTCOME)
_OF_SCORES = f"""SELECT c.id, coalesce(s.stored, c.sample), {quoted(_SCORES, "c.")}
FROM scores c LEFT JOIN samples s ON s.id = c.sample WHERE c.id >= {NEW}"""
_OF_REGIONS = f"""SELECT 0, coalesce(i.stored, r.image), {quoted(REGION, "r.")}
FROM regions r LEFT JOIN images i ON i.id = r.image WHERE r.image"""


class Records(Protocol):
    """The records of an import. They can be read several times."""

    def __iter__(self) -> Iterator[Record]: ...

    def __len__(self) -> int: ...


class _Changed(Exception):
    """Raised if another process has changed the data set since the import began."""


def add_records(
    database: Database,
    dataset: str,
    records: Records,
    images: Mapping[str, ImageRef],
    on_bad: OnBad | None = None,
    folder: Path | None = None,
    on_progress: OnProgress = ignore_progress,
    known_only: bool = False,
    benchmark: str | None = None,
    replaces: bool = False,
) -> ImportCounts:
    """Add records to a data set, all or nothing. The data set is made if needed.

    folder: for the staging file; None: the system's temporary folder. on_progress gets the progress in records and
    their total; it may raise to cancel the import.

    images maps every record's picture to its file and annotated regions. The sample of a record is found by the
    record's key. Without such a sample, it is found by image and caption. If this fails too, a new sample is made.
    Empty stored values are filled. Other stored values change only if replaces is True. on_bad gets each row that
    contradicts stored data, and the row is skipped. None: all these rows are raised together, as BadRow or BadRows,
    before anything is written. Raises BadSetting if other programs change the data set again and again. known_only:
    True: records make no new samples, and a record without a stored sample
    counts as contradictory. benchmark: the benchmark of the records' files, which is stored with the data set.
    """
    delete_hidden(database)

    def take() -> ImportCounts:
        with full_disk_named(), ExitStack() as opened:
            with database.read() as connection:
                state = _State.of(connection, dataset)
                staging = opened.enter_context(closing(Staging(connection, state.dataset, folder)))
                matcher = Matcher(staging, records, replaces, known_only)
                problems = _match(matcher, records, images, on_progress)
            if problems and on_bad is None:
                raise problems[0] if len(problems) == 1 else BadRows(problems)
            made = opened.enter_context(making(database))
            writer = _Writer(staging, Portions(database), made, state.dataset)
            writer.write(_second_half(on_progress, len(records)))
            with database.write() as connection:
                state.check(connection, dataset, writer.has_waiting)
                if on_bad is not None:
                    for problem in problems:
                        on_bad(problem)
                writer.finish(connection, dataset)
                counts = staging.counts()
                keep_benchmark(connection, dataset, benchmark, counts.samples, counts.samples_added)
            return counts

    for _ in range(MOST_READINGS):
        with suppress(_Changed):
            return take()
    raise BadSetting(f"Nothing was imported, because other programs change the data set {dataset}. Import again later.")


def _match(matcher: Matcher, records: Records, images: Mapping[str, ImageRef], on_progress: OnProgress) -> list[BadRow]:
    """Collect the records, and return those that contradict other data. This is the first half of the progress."""
    problems, done = list[BadRow](), 0
    for batch in batched(records, AT_A_TIME):
        problems += matcher.add([(record, images[record.picture]) for record in batch])
        done += len(batch)
        on_progress(done // 2, len(records))
    return problems


def _second_half(on_progress: OnProgress, total: int) -> OnProgress:
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
        changed = (f"SELECT 1 FROM {name} WHERE id < {NEW} LIMIT 1" for name in KINDS)
        queries = (*changed, f"{_OF_SCORES} AND c.sample < {NEW} LIMIT 1")
        return any(self.staging.rows(query) for query in queries)

    def write(self, on_progress: OnProgress) -> None:
        """Write all new rows that nobody can see yet, in short transactions."""
        names = ("name", *PICTURE)
        samples = f"SELECT s.id, coalesce(i.stored, s.image), {quoted(SAMPLE, 's.')} FROM samples s"
        steps = (
            (ImageRow, names, f"SELECT id, {quoted(names)} FROM images WHERE id >= {NEW} ORDER BY id"),
            (
                SampleRow,
                ("image_id", *SAMPLE),
                f"{samples} LEFT JOIN images i ON i.id = s.image WHERE s.id >= {NEW} ORDER BY s.id",
            ),
            (ScoreRow, ("sample_id", *_SCORES), f"{_OF_SCORES} AND c.sample >= {NEW} ORDER BY c.id"),
            (AnnotationRow, ("image_id", *REGION), f"{_OF_REGIONS} >= {NEW}"),
        )
        total, done = sum(self._new(kind) for kind in KINDS), 0
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
        new_scores = f"{_OF_SCORES} AND c.sample < {NEW} ORDER BY c.id"
        self._insert_all(connection, ScoreRow, ("sample_id", *_SCORES), new_scores)
        # A sample may get the key that another one gives up, so all of these first give up theirs.
        renamed = self.staging.rows(f"SELECT id FROM samples WHERE is_renamed AND id < {NEW}")
        given_up = [{"row": row["id"]} for row in renamed]
        if given_up:
            free = MADE_KEY + " renamed " + cast(SampleRow.id, String)
            connection.execute(update(SampleRow).where(SampleRow.id == bindparam("row")).values(key=free), given_up)
        for kind, columns, changed in (
            (ImageRow, PICTURE, ""),
            (SampleRow, ("key", *FILLED), ""),
            (ScoreRow, EXPLAINED, "AND NOT is_replaced"),
            (ScoreRow, OUTCOME, "AND is_replaced"),
        ):
            self._update(connection, kind, columns, changed)
        self._insert_all(connection, AnnotationRow, ("image_id", *REGION), f"{_OF_REGIONS} < {NEW}")
        added = [one for one in (ImageRow, SampleRow) if self._new(one.__tablename__)]
        for moved in added:
            hidden = update(moved).where(moved.dataset_id == self.made.id)
            connection.execute(hidden.values(dataset_id=self.visible))
        if added:
            _move_counts(connection, self.made.id, self.visible)
        connection.execute(delete(DatasetRow).where(DatasetRow.id == self.made.id))
        if any(self.staging.rows(f"SELECT 1 FROM {name} LIMIT 1") for name in KINDS):
            count_change(connection, self.visible)

    def _new(self, kind: str) -> int:
        return self.staging.number(f"SELECT count(*) FROM {kind} WHERE id >= {NEW}")

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
        query = f"SELECT id, {quoted(columns)} FROM {name} WHERE id < {NEW} {changed} ORDER BY id"
        untyped = _untyped(kind, ("id", *columns))
        statement = update(untyped).where(untyped.c.id == bindparam("row"))
        statement = statement.values({one: bindparam(f"new_{one}") for one in columns})
        rows, names = self.staging.file.execute(query), ["row", *(f"new_{one}" for one in columns)]
        while part := rows.fetchmany(AT_A_TIME):
            connection.execute(statement, [dict(zip(names, tuple(row), strict=True)) for row in part])


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
