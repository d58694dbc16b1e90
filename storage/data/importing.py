"""Import samples and scores: collect and check them in a staging file, then write them in short transactions.

Pictures are found, hashed and thumbnailed before the import begins. New rows go into a hidden data set
(storage.data.hidden_datasets) in short transactions, so that raters' answers do not wait. The last transaction shows
them, and writes all changes of an existing data set.
"""

import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Boolean, Connection, bindparam, column, delete, func, insert, literal, select, table, update

from core.datasets.base import OnBad, OnProgress, Record, ignore_progress, raise_bad
from core.errors import BadRow, BadRows, BadSetting
from core.types import ImageRef
from storage.data.datasets import count_change, keep_benchmark
from storage.data.hidden_datasets import Hidden, delete_hidden, making, show
from storage.data.matching import Matcher
from storage.data.staging import EXPLAINED, FILLED, NEW, OUTCOME, PICTURE, SAMPLE, Staging, identity_of
from storage.engine.database import Database, Portions
from storage.engine.sql import upsert
from storage.engine.temporary_database import full_disk_named
from storage.tables import DatasetCountRow, DatasetRow, ImageRow, SampleRow, ScoreRow
from storage.types import ImportCounts

Tell = Callable[[float], None]  # takes the finished share of the work, from 0 to 1
MOST_READINGS = 5  # number of attempts to import while others change the data
AT_A_TIME = 1_000  # number of records in memory, and number of rows in a step of the last transaction
_COLUMNS: Mapping[Any, tuple[str, ...]] = {
    ImageRow: ("name", *PICTURE),
    SampleRow: ("image_id", *SAMPLE),
    ScoreRow: ("sample_id", "signature", *OUTCOME),
}
_STAGED = {"image_id": "image", "sample_id": "sample"}  # columns with other names in the staging file
_IS_NEW, _IS_OLD = f"id >= {NEW}", f"id < {NEW} AND is_changed"
_OF_OLD_SAMPLE = f"id >= {NEW} AND sample < {NEW}"


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

    The sample of a record is found by the record's key, or else by image and caption. If there is none, a new sample is
    made. Empty stored values are filled.

    images: the file of every record's picture; key: Record.picture. on_bad: gets each row that contradicts stored data,
    and the row is skipped; None: all these rows are raised together, as BadRow or BadRows, before anything is written.
    folder: for the staging file; None: the system's temporary folder. on_progress: gets the progress in records and
    their total; it may raise to cancel the import. known_only: a record without a stored sample counts as
    contradictory. benchmark: the benchmark of the records' files, which is stored with the data set. replaces: values
    that differ from stored ones replace them.

    Raises BadSetting if other programs change the data set again and again.
    """
    delete_hidden(database)
    for _ in range(MOST_READINGS):
        with suppress(_Changed), full_disk_named(), closing(Staging(folder)) as staging:

            def tell(share: float) -> None:
                on_progress(int(share * len(records)), len(records))

            with database.read() as connection:
                before = _state(connection, dataset)
                if before[0] is not None:
                    _load(staging, connection, before[0], records)
            problems = _match(Matcher(staging, records, replaces, known_only), records, images, tell)
            if problems and on_bad is None:
                raise problems[0] if len(problems) == 1 else BadRows(problems)
            with making(database) as made:
                writer = _Writer(staging, Portions(database), made, before[0])
                writer.write(tell)
                with database.write() as connection:
                    now = _state(connection, dataset)
                    # without waiting rows, scores that others added do not matter
                    if now != before and (writer.has_waiting or now[:2] != before[:2]):
                        raise _Changed
                    for problem in problems:
                        (on_bad or raise_bad)(problem)
                    writer.finish(connection, dataset)
                    counts = staging.counts()
                    keep_benchmark(connection, dataset, benchmark, counts.samples, counts.samples_added)
            return counts
    raise BadSetting(f"Nothing was imported, because other programs change the data set {dataset}. Import again later.")


def _state(connection: Connection, name: str) -> tuple[int | None, tuple[int, ...], int]:
    """Return a data set's id, its numbers of pictures and samples, and its number of changes."""
    row = connection.execute(select(DatasetRow.id, DatasetRow.changes).where(DatasetRow.name == name)).first()
    dataset, changes = row or (None, 0)
    held = (select(func.count()).where(table.dataset_id == dataset) for table in (ImageRow, SampleRow))
    return dataset, tuple(connection.scalar(query) or 0 for query in held), changes


def _load(staging: Staging, connection: Connection, dataset: int, records: Iterable[Record]) -> None:
    keys, identities = set[str](), set[bytes]()
    for record in records:
        identities.add(identity_of(record.image, record.candidate))
        if record.key is not None:
            keys.add(record.key)
    staging.load(connection, dataset, keys, identities)


def _match(matcher: Matcher, records: Records, images: Mapping[str, ImageRef], tell: Tell) -> list[BadRow]:
    """Collect the records, and return those that contradict other data. This is the first half of the progress."""
    problems = list[BadRow]()
    for done, record in enumerate(records, start=1):
        problem = matcher.add(record, images[record.picture])
        if problem is not None:
            problems.append(problem)
        if done % AT_A_TIME == 0 or done == len(records):
            tell(0.5 * done / len(records))
    return problems


@dataclass(slots=True)
class _Writer:
    """Writes the rows of a staging file."""

    staging: Staging
    portions: Portions
    made: Hidden  # the hidden data set that gets the new rows
    visible: int | None  # data set into which rows are imported; None: it does not exist yet
    _ids: dict[Any, "array[int]"] = field(default_factory=lambda: defaultdict(lambda: array("q")))  # of new rows

    @property
    def has_waiting(self) -> bool:
        """Return whether the last transaction changes existing samples or pictures."""
        changed = any(self.staging.has(kind.__tablename__, _IS_OLD) for kind in _COLUMNS)
        return changed or self.staging.has("scores", _OF_OLD_SAMPLE)

    def write(self, tell: Tell) -> None:
        """Write all new rows that nobody can see yet, in short transactions. The second half of the progress."""
        total, done = sum(self.staging.made(kind.__tablename__) for kind in _COLUMNS), 0
        for kind in _COLUMNS:
            rows = self._rows(kind, f"{_IS_NEW} AND sample >= {NEW}" if kind is ScoreRow else _IS_NEW)
            while part := rows.fetchmany(self.portions.rows):
                with self.portions.write(len(part)) as connection:
                    self._insert(connection, kind, part)
                done += len(part)
                tell(0.5 + 0.499 * done / total)
        tell(1.0)

    def finish(self, connection: Connection, name: str) -> None:
        """Show the import to everybody.

        For a new data set, this is short. Otherwise all changes of the existing data set are written.
        """
        if self.visible is None:
            show(connection, self.made, name)
            count_change(connection, self.made.id)
            return
        rows = self._rows(ScoreRow, _OF_OLD_SAMPLE)
        while part := rows.fetchmany(AT_A_TIME):
            self._insert(connection, ScoreRow, part)
        self._update(connection, ImageRow, PICTURE)
        self._update(connection, SampleRow, ("key", *FILLED))
        self._update(connection, ScoreRow, EXPLAINED, " AND is_replaced IS NULL")
        self._update(connection, ScoreRow, OUTCOME, " AND is_replaced")
        added = [kind for kind in (ImageRow, SampleRow) if self._ids[kind]]
        for moved in added:
            hidden = update(moved).where(moved.dataset_id == self.made.id)
            connection.execute(hidden.values(dataset_id=self.visible))
        if added:
            _move_counts(connection, self.made.id, self.visible)
        connection.execute(delete(DatasetRow).where(DatasetRow.id == self.made.id))
        if any(self.staging.has(kind.__tablename__, "is_changed") for kind in _COLUMNS):
            count_change(connection, self.visible)

    def _rows(self, kind: Any, condition: str) -> sqlite3.Cursor:
        return self.staging.rows(kind.__tablename__, [_STAGED.get(one, one) for one in _COLUMNS[kind]], condition)

    def _insert(self, connection: Connection, kind: Any, part: Sequence[Sequence[Any]]) -> None:
        """Insert rows of the staging file, and remember their ids in the database."""
        first = (connection.scalar(select(kind.id).order_by(kind.id.desc()).limit(1)) or 0) + 1
        rows = [dict(zip(_COLUMNS[kind], row, strict=True)) | {"id": first + n} for n, row in enumerate(part)]
        for row in rows:
            if kind is ScoreRow:
                row["sample_id"] = self._stored(SampleRow, row["sample_id"])
            else:
                row["dataset_id"] = self.made.id
            if kind is SampleRow:
                row["image_id"] = self._stored(ImageRow, row["image_id"])
        connection.execute(insert(_untyped(kind, rows[0])), rows)
        self._ids[kind].extend(range(first, first + len(rows)))

    def _stored(self, kind: Any, staged: int) -> int:
        return staged if staged < NEW else self._ids[kind][staged - NEW]

    def _update(self, connection: Connection, kind: Any, columns: tuple[str, ...], chosen: str = "") -> None:
        untyped = _untyped(kind, ("id", *columns))
        statement = update(untyped).where(untyped.c.id == bindparam("row"))
        statement = statement.values({one: bindparam(f"new_{one}") for one in columns})
        names = ["row", *(f"new_{one}" for one in columns)]
        rows = self.staging.rows(kind.__tablename__, ("id", *columns), _IS_OLD + chosen)
        while part := rows.fetchmany(AT_A_TIME):
            connection.execute(statement, [dict(zip(names, row, strict=True)) for row in part])


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
