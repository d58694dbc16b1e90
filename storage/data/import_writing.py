"""Write the data of an import.

New rows go into a hidden data set during the import. Changes that users can see are written when the import ends.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, literal, select, update

from core.long_work.spool import Spool
from storage.data.datasets import count_change
from storage.data.hidden_datasets import Hidden, show
from storage.data.import_known import Known
from storage.data.import_plan import FIRST_WAITING, MADE_KEY, NUMBERED, Ledger, Numbered
from storage.data.import_tally import Tally
from storage.engine.database import Database
from storage.engine.short_transactions import Portions
from storage.engine.sql import upsert
from storage.tables import AnnotationRow, DatasetCountRow, DatasetRow, ImageRow, SampleRow, ScoreRow

Row = dict[str, Any]


@dataclass(slots=True)
class Waiting:
    """Rows and changes that are written at the end of an import, in their order. They are kept on disk."""

    scores: Spool[Row]
    changes: Spool[tuple[str, int, Row]]  # changed rows: (table, id, columns)
    regions: Spool[Row]

    @classmethod
    def of(cls, folder: Path | None) -> "Waiting":
        """Make empty files for the waiting rows in a folder.

        folder None: the system's temporary folder.
        """
        return cls(Spool(folder), Spool(folder), Spool(folder))

    def __len__(self) -> int:
        return len(self.scores) + len(self.changes) + len(self.regions)

    def close(self) -> None:
        """Delete the files of the waiting rows."""
        for one in (self.scores, self.changes, self.regions):
            one.close()


@dataclass(slots=True)
class Writer:
    """Writes the ledgers of an import, one after the other."""

    portions: Portions
    hidden: int  # id of the hidden data set that gets the new rows
    known: Known
    waiting: Waiting
    database: Database
    tally: Tally = field(default_factory=Tally)
    # Next id of each table, valid unless another process writes to the table.
    _expected: dict[str, int] = field(default_factory=dict)

    def write(self, ledger: Ledger) -> None:
        """Write a ledger's new rows into the hidden data set. Raises StorageFull.

        Changes that users can see are kept on disk until the end of the import.
        """
        now, later = self._sorted_changes(ledger)
        numbers: dict[str, dict[int, int]] = {}
        for name in NUMBERED:
            numbers[name] = self._insert(name, ledger.new[name], numbers)
        for name, rows in now.items():
            self._update(name, rows)
        regions = [
            row | {"image_id": numbers["images"].get(row["image_id"], row["image_id"])} for row in ledger.regions
        ]
        visible = {id_ for id_, row in ledger.pictures.items() if id_ > 0 and row["dataset_id"] == self.known.visible}
        for part in _parts([row for row in regions if row["image_id"] not in visible], self.portions):
            with self.portions.write(len(part)) as connection:
                connection.execute(insert(AnnotationRow), part)
        self._keep(ledger, later, [row for row in regions if row["image_id"] in visible], visible)
        self._count(ledger, numbers)

    def _sorted_changes(self, ledger: Ledger) -> tuple[dict[str, dict[int, Row]], list[tuple[str, int, Row]]]:
        """Apply the ledger's changes that concern new rows.

        Each of them is merged into its new row. Return all other changes in two groups. The first group is written now
        (key: table). The second group is written at the end of the import.
        """
        now: dict[str, dict[int, Row]] = {name: {} for name in NUMBERED}
        later = []
        scores = {score.id: one.visible for one in ledger.samples.values() for score in one.scores.values()}
        for name, changed in ledger.changed.items():
            for row_id, columns in changed.items():
                if FIRST_WAITING < row_id < 0:
                    ledger.new[name][-1 - row_id].update(columns)
                elif self._is_visible(ledger, name, row_id, scores):
                    later.append((name, row_id, columns))
                else:
                    now[name][row_id] = columns
        return now, later

    def _is_visible(self, ledger: Ledger, name: str, row_id: int, scores: Mapping[int, bool]) -> bool:
        if row_id < 0:
            return True  # a negative id belongs to a new score of a visible sample, until the import ends
        if name == "images":
            return bool(ledger.pictures[row_id]["dataset_id"] == self.known.visible)
        if name == "samples":
            return ledger.samples[row_id].visible
        return scores[row_id]

    def _insert(self, name: str, rows: Sequence[Row], numbers: Mapping[str, Mapping[int, int]]) -> dict[int, int]:
        """Insert new rows. Return their ids; key: provisional (negative) number."""
        table, made = NUMBERED[name], dict[int, int]()
        for part in _parts(rows, self.portions):
            first = self._expected.get(name, 0)
            insert_all = self._inserting(name, part, first, numbers)
            with self.portions.write(len(part)) as connection:
                first_id = next_id(connection, table)
                if first_id != first:  # another process has written to the table
                    first, insert_all = first_id, self._inserting(name, part, first_id, numbers)
                insert_all(connection)
            self._expected[name] = first + len(part)
            made.update((row["id"], first + place) for place, row in enumerate(part))
        return made

    def _inserting(
        self, name: str, rows: Sequence[Row], first: int, numbers: Mapping[str, Mapping[int, int]]
    ) -> Callable[[Connection], object]:
        whole = [self._whole(name, row, first + place, numbers) for place, row in enumerate(rows)]
        return lambda connection: connection.execute(insert(NUMBERED[name]), whole)

    def _whole(self, name: str, row: Row, row_id: int, numbers: Mapping[str, Mapping[int, int]]) -> Row:
        whole = row | {"id": row_id}
        if name != "scores":
            whole["dataset_id"] = self.hidden
        if name == "samples":
            whole["image_id"] = numbers["images"].get(row["image_id"], row["image_id"])
        if name == "scores":
            whole["sample_id"] = numbers["samples"].get(row["sample_id"], row["sample_id"])
        return whole

    def _update(self, name: str, changed: Mapping[int, Row]) -> None:
        for ids in _parts(list(changed), self.portions):
            with self.portions.write(len(ids)) as connection:
                _change(connection, NUMBERED[name], [(row_id, changed[row_id]) for row_id in ids])

    def _keep(
        self, ledger: Ledger, later: Iterable[tuple[str, int, Row]], regions: Iterable[Row], visible: set[int]
    ) -> None:
        """Postpone changes that are visible to users until the import ends.

        Also remember the changed samples and pictures, because later records of the import need their new state.
        """
        for change in later:
            self.waiting.changes.append(change)
        for score in ledger.waiting_scores:
            self.waiting.scores.append(score)
        for region in regions:
            self.waiting.regions.append(region)
        touched = {id_: ledger.samples[id_] for id_ in ledger.touched if id_ > 0 and ledger.samples[id_].visible}
        self.known.samples.put(touched)
        changed = {id_ for id_ in ledger.changed["images"] if id_ in visible}
        kept = {id_: (ledger.pictures[id_], id_ in ledger.annotated) for id_ in changed}
        self.known.pictures.put(kept)

    def _count(self, ledger: Ledger, numbers: Mapping[str, Mapping[int, int]]) -> None:
        tally, images = self.tally, numbers["images"]
        has_path = {id_ for id_ in ledger.images_read if ledger.pictures[id_]["path"] is not None}
        tally.images.add(images.get(id_, id_) for id_ in ledger.images_read)
        tally.found.add(images.get(id_, id_) for id_ in has_path)
        tally.annotated.add(images.get(id_, id_) for id_ in ledger.images_read & ledger.annotated)
        tally.samples.add(numbers["samples"].get(id_, id_) for id_ in ledger.samples_read)
        tally.scores.add(numbers["scores"].get(id_, id_) for id_ in ledger.scores_read if id_ > FIRST_WAITING)
        for name in NUMBERED:
            tally.added[name] += len(ledger.new[name])
        tally.changed += sum(map(len, ledger.changed.values())) + len(ledger.waiting_scores)
        tally.annotated_added += len(ledger.newly_annotated)
        tally.regions_added += len(ledger.regions)
        if any(row["key"].startswith(MADE_KEY) for row in ledger.new["samples"]):
            self.known.has_made_keys = True
        samples, renamed = numbers["samples"], {id_ for id_, row in ledger.changed["samples"].items() if "key" in row}
        self.known.renamed.put({key: samples.get(id_, id_) for key, id_ in ledger.keys.items() if id_ in renamed})
        new = ((digest, ids) for digest, ids in ledger.identities.items() if ids[-1] < 0)
        self.known.identities.add((digest, samples[id_]) for digest, ids in new for id_ in ids if id_ < 0)


def finish(connection: Connection, writer: Writer, made: Hidden, name: str) -> None:
    """Show an import to everybody, in one transaction.

    If the import made a new data set, the transaction is short. Otherwise the transaction writes all waiting rows and
    changes into the existing data set.
    """
    visible, waiting = writer.known.visible, writer.waiting
    if visible is None:
        show(connection, made, name)
        count_change(connection, made.id)
        return
    first = next_id(connection, ScoreRow)
    for rows in waiting.scores.parts():
        connection.execute(insert(ScoreRow), [row | {"id": first + FIRST_WAITING - row["id"]} for row in rows])
    for changes in waiting.changes.parts():
        for table_name, changed in _by_table(changes):
            numbered = [(id_ if id_ > 0 else first + FIRST_WAITING - id_, columns) for id_, columns in changed]
            _change(connection, NUMBERED[table_name], numbered)
    for rows in waiting.regions.parts():
        connection.execute(insert(AnnotationRow), rows)
    added = [table for name, table in (("images", ImageRow), ("samples", SampleRow)) if writer.tally.added[name]]
    for table in added:
        connection.execute(update(table).where(table.dataset_id == made.id).values(dataset_id=visible))
    if added:
        _move_counts(connection, writer, made.id, visible)
    connection.execute(delete(DatasetRow).where(DatasetRow.id == made.id))
    if writer.tally.is_anything_new:
        count_change(connection, visible)


def _move_counts(connection: Connection, writer: Writer, hidden: int, visible: int) -> None:
    """Add a hidden data set's counts to the visible data set.

    The counts belong to rows that move to the visible data set. Triggers do not count scores again when their samples
    move to another data set.
    """
    count = DatasetCountRow
    rows = select(literal(visible), count.counted, count.metric, count.number).where(count.dataset_id == hidden)
    counted = upsert(connection, count).from_select(["dataset_id", "counted", "metric", "number"], rows)
    keys, both = ["dataset_id", "counted", "metric"], count.number + counted.excluded.number
    connection.execute(counted.on_conflict_do_update(index_elements=keys, set_={"number": both}))


def next_id(connection: Connection, table: type[Numbered]) -> int:
    """Return the next free id of a table.

    The connection must be in a writing transaction, so that the id stays free.
    """
    return (connection.scalar(select(table.id).order_by(table.id.desc()).limit(1)) or 0) + 1


def _by_table(changes: Iterable[tuple[str, int, Row]]) -> Iterator[tuple[str, list[tuple[int, Row]]]]:
    for name in NUMBERED:
        rows = [(row_id, columns) for table, row_id, columns in changes if table == name]
        if rows:
            yield name, rows


def _change(connection: Connection, table: type[Numbered], changes: Iterable[tuple[int, Row]]) -> None:
    """Write changes of stored rows.

    One statement changes all rows whose changes concern the same columns.
    """
    alike: dict[tuple[str, ...], list[tuple[int, Row]]] = {}
    for row_id, columns in changes:
        alike.setdefault(tuple(sorted(columns)), []).append((row_id, columns))
    for names, rows in alike.items():
        statement = update(table).where(table.id == bindparam("row"))
        statement = statement.values({name: bindparam(f"new_{name}") for name in names})
        values = [{"row": row_id} | {f"new_{name}": columns[name] for name in names} for row_id, columns in rows]
        connection.execute(statement, values)


def _parts(rows: Sequence[Any], portions: Portions) -> Iterator[Sequence[Any]]:
    """Yield rows in batches. A batch has the number of rows that `portions` currently allows."""
    start = 0
    while start < len(rows):
        size = portions.rows
        yield rows[start : start + size]
        start += size
