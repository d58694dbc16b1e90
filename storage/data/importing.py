"""Import samples and scores in short transactions. Nobody sees them before the last transaction.

Pictures are found, hashed and thumbnailed before the import begins. New rows go into a hidden data set
(storage.data.hidden_datasets), some hundred rows per transaction, so that raters' answers do not wait. Only the
stored data of some records are in memory at a time. Changes of an existing data set are stored in a file until the last
transaction writes them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sized
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, select

from core.datasets.base import OnProgress, Record, ignore_progress
from core.errors import BadRow, BadRows
from core.long_work.spool import batched
from core.types import ImageRef
from storage.data.conventions import keep_benchmark
from storage.data.hidden_datasets import delete_hidden, making
from storage.data.import_known import Identities, Known
from storage.data.import_plan import identity_digest
from storage.data.import_rules import Alike, add_record
from storage.data.import_writing import Waiting, Writer, finish
from storage.engine.database import Database
from storage.engine.disk_map import DiskMap
from storage.engine.short_transactions import Portions
from storage.tables import DatasetRow, ImageRow, SampleRow
from storage.types import ImportCounts

OnBad = Callable[[BadRow], None]
MOST_READINGS = 3  # number of attempts to import while others change the data; the last attempt excludes other writers
AT_A_TIME = 1_000  # number of records in one batch


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
) -> ImportCounts:
    """Add records to a data set, all or nothing. The data set is made if needed.

    `records` are iterated several times; a Spool keeps large numbers of them out of memory. folder: where waiting rows
    are stored; None: the system's temporary folder. on_progress gets the number of planned records and their total; it
    may raise to cancel the import.

    images maps every record's picture to its file and annotated regions. The sample of a record is found by the
    record's key. Without such a sample, it is found by image and caption. If this fails too, a new sample is made.
    Stored values are not changed; empty values are filled. on_bad gets each row that contradicts stored data, and may
    raise to stop the import. strict: True: on_bad is not used. All contradictory rows are raised together, as BadRow or
    BadRows, before anything more is written. known_only: True: records make no new samples, and a record without a
    stored sample counts as contradictory. benchmark: the benchmark of the records' files, which is stored with the data
    set; None: no benchmark.
    """
    delete_hidden(database)
    take = partial(
        _take_in,
        dataset=dataset,
        records=records,
        images=images,
        folder=folder,
        on_progress=on_progress,
        strict=strict,
        known_only=known_only,
        benchmark=benchmark,
    )
    for _ in range(MOST_READINGS - 1):
        try:
            return take(database, on_bad)
        except _Changed:
            continue
    with database.alone() as held:
        return take(held, on_bad)


def _take_in(
    database: Database,
    on_bad: OnBad,
    dataset: str,
    records: Iterable[Record],
    images: Mapping[str, ImageRef],
    folder: Path | None,
    on_progress: OnProgress,
    strict: bool,
    known_only: bool,
    benchmark: str | None,
) -> ImportCounts:
    """Plan and write all records. Raises _Changed if another writer changed the data set."""
    with database.read() as connection:
        state = _State.of(connection, dataset)
    with making(database) as made, ExitStack() as files:
        identities = files.enter_context(closing(Identities(folder)))
        renamed, samples, pictures = (files.enter_context(DiskMap[Any, Any](folder)) for _ in range(3))
        known = Known(state.dataset, made.id, identities, renamed, samples, pictures)
        waiting = files.enter_context(closing(Waiting.of(folder)))
        writer = Writer(Portions(database), made.id, known, waiting, database)
        repeated = files.enter_context(closing(_Repeated(records, folder)))
        problems = _plan(database, writer, records, images, Alike(repeated.count), on_progress, strict, known_only)
        with database.write() as connection:
            state.check(connection, dataset, len(waiting) > 0)
            for problem in problems:
                on_bad(problem)
            finish(connection, writer, made, dataset)
            counts = writer.tally.counts(len(waiting.scores))
            keep_benchmark(connection, dataset, benchmark, counts.samples, counts.samples_added)
        return counts


def _plan(
    database: Database,
    writer: Writer,
    records: Iterable[Record],
    images: Mapping[str, ImageRef],
    alike: Alike,
    on_progress: OnProgress,
    strict: bool,
    known_only: bool,
) -> list[BadRow]:
    """Plan records in batches, and write new rows.

    Return the rows that contradict stored data. If strict, raises BadRow or BadRows for these rows, and writes nothing
    after the first of them.
    """
    known, problems, done = writer.known, list[BadRow](), 0
    total = len(records) if isinstance(records, Sized) else 0

    def taken(start: str) -> set[str]:
        with database.read() as connection:
            return known.keys_from(connection, start)

    for batch in batched(records, AT_A_TIME):
        pictures = {name: images[name] for name in {record.picture for record in batch}}
        with database.read() as connection:
            ledger = known.around(connection, batch, pictures, len(writer.waiting.scores))
        problems_of_records = (
            add_record(ledger, record, pictures[record.picture], alike, taken, known_only) for record in batch
        )
        problems += [problem for problem in problems_of_records if problem is not None]
        if not (strict and problems):  # in strict mode, nothing is written after a problem; the rest is only checked
            writer.write(ledger)
        done += len(batch)
        on_progress(done, max(done, total))
    if strict and problems:
        raise problems[0] if len(problems) == 1 else BadRows(problems)
    return problems


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


class _Repeated:
    """Counts the records of a file that have no key and the same picture and caption.

    The counts are on disk.
    """

    def __init__(self, records: Iterable[Record], folder: Path | None) -> None:
        self._records, self._folder = records, folder
        self._counts: DiskMap[bytes, int] | None = None

    def count(self, record: Record) -> int:
        """Return the number of records with this record's picture and caption."""
        if self._counts is None:  # computed on first use, because few formats need these numbers
            self._counts = DiskMap(self._folder)
            for batch in batched(self._records, AT_A_TIME):
                new = Counter(_in_file(one) for one in batch if one.key is None and one.is_sample)
                stored = self._counts.found(new)
                self._counts.put({name: count + stored.get(name, 0) for name, count in new.items()})
        return self._counts.get(_in_file(record), 0)

    def close(self) -> None:
        """Delete the file of the counts."""
        if self._counts is not None:
            self._counts.close()


def _in_file(record: Record) -> bytes:
    return str(record.file).encode("utf-8", "surrogateescape") + b"\0" + identity_digest(record.image, record.candidate)
