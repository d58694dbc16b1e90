"""What an import knows of its data set while it runs, and what it is going to write, in one go at its end."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from core.types import ImageRegion, sample_identity
from storage.data.annotations import annotated_images, annotation_rows
from storage.data.samples import count_change
from storage.database import new_id, utc_now
from storage.tables import AnnotationRow, DatasetRow, ImageRow, SampleRow, ScoreRow
from storage.types import ImportCounts

Numbered = ImageRow | SampleRow | ScoreRow
_NUMBERED: dict[str, type[Numbered]] = {"images": ImageRow, "samples": SampleRow, "scores": ScoreRow}
_TABLES = (*_NUMBERED, "annotations")
MADE_KEY = "~"  # starts the keys of samples whose source gave none


@dataclass(slots=True)
class Ledger:
    """What the data set holds, and what is to be added to it."""

    dataset: str
    state: tuple[Any, ...]  # id and changes of the data set, and the next id of every table, when it was read
    next_id: dict[str, int]
    images: dict[str, int]  # name -> id
    pictures: dict[int, dict[str, Any]]  # image id -> its columns
    keys: dict[str, int]  # sample key -> id
    identities: dict[tuple[str, str], list[int]]  # image and caption -> sample ids
    rows: dict[int, dict[str, Any]]  # sample id -> its columns
    values: dict[tuple[int, str], float | None]  # sample id, signature -> value; None for an error
    signatures: dict[int, list[str]]  # sample id -> signatures of its scores
    unexplained: dict[tuple[int, str], int]  # sample id, signature -> id of a score without an explanation
    annotated: set[int]  # ids of images with annotated regions
    new: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {name: [] for name in _TABLES})
    changed: dict[str, dict[int, dict[str, Any]]] = field(default_factory=lambda: {name: {} for name in _TABLES})
    read: dict[str, set[Any]] = field(default_factory=lambda: {name: set() for name in _TABLES})

    @classmethod
    def of(cls, connection: Connection, dataset: str) -> "Ledger":
        """Read what a data set holds; one that is not there yet holds nothing."""
        state = _state(connection, dataset)
        dataset_id, _, *next_ids = state
        images = connection.execute(select(*ImageRow.__table__.columns).where(ImageRow.dataset_id == dataset_id)).all()
        names = {row.id: row.name for row in images}
        ledger = cls(
            dataset=dataset,
            state=state,
            next_id=dict(zip(_NUMBERED, next_ids, strict=True)),
            images={row.name: row.id for row in images},
            pictures={row.id: dict(row._mapping) for row in images},
            keys={},
            identities={},
            rows={},
            values={},
            signatures={},
            unexplained={},
            annotated=annotated_images(connection, dataset_id),
        )
        for row in connection.execute(select(*SampleRow.__table__.columns).where(SampleRow.dataset_id == dataset_id)):
            ledger.enter(dict(row._mapping), names[row.image_id])
        columns = (ScoreRow.id, ScoreRow.sample_id, ScoreRow.signature, ScoreRow.value, ScoreRow.explained)
        for row in connection.execute(select(*columns).join(SampleRow).where(SampleRow.dataset_id == dataset_id)):
            ledger.enter_score(row.sample_id, row.signature, row.value)
            if not row.explained:
                ledger.unexplained[row.sample_id, row.signature] = row.id
        return ledger

    def enter(self, columns: dict[str, Any], image: str) -> None:
        """Take down a sample."""
        self.rows[columns["id"]] = columns
        self.keys[columns["key"]] = columns["id"]
        self.identities.setdefault(sample_identity(image, columns["candidate"]), []).append(columns["id"])

    def enter_score(self, sample_id: int, signature: str, value: float | None) -> None:
        """Take down a score, or an error without a value."""
        self.values[sample_id, signature] = value
        self.signatures.setdefault(sample_id, []).append(signature)

    def annotate(self, image_id: int, regions: Iterable[ImageRegion], vocabulary: Sequence[str]) -> None:
        """Give a picture its regions and what was looked for, unless it has some, is missing, or is of another size."""
        rows = annotation_rows(self.pictures[image_id], regions)
        if rows and image_id not in self.annotated:
            self.annotated.add(image_id)
            self.new["annotations"] += rows
            self.changed["images"].setdefault(image_id, {})["vocabulary"] = list(vocabulary)

    def take_id(self, table: str) -> int:
        """Return the next free id of a table."""
        self.next_id[table] += 1
        return self.next_id[table] - 1

    def is_current(self, connection: Connection) -> bool:
        """Return whether the data set is still as it was read, and the ids that were taken are still free."""
        return self.state == _state(connection, self.dataset)

    def flush(self, connection: Connection) -> None:
        """Write everything: new rows, then changes, and last the regions, which need their picture's size."""
        dataset_id = self.state[0] or _add_dataset(connection, self.dataset)
        for name, table in _NUMBERED.items():
            if self.new[name]:
                of_dataset = {} if table is ScoreRow else {"dataset_id": dataset_id}
                connection.execute(insert(table), [row | of_dataset for row in self.new[name]])
        for name, table in _NUMBERED.items():
            for row_id, columns in self.changed[name].items():
                connection.execute(update(table).where(table.id == bindparam("row")).values(columns), {"row": row_id})
        if self.new["annotations"]:
            connection.execute(insert(AnnotationRow), self.new["annotations"])
        if any((*self.new.values(), *self.changed.values())):
            count_change(connection, dataset_id)

    def counts(self) -> ImportCounts:
        """Return what was read, and what of it is new."""
        found = sum(1 for image_id in self.read["images"] if self.pictures[image_id]["path"] is not None)
        return ImportCounts(
            images_found=found,
            images_missing=len(self.read["images"]) - found,
            samples=len(self.read["samples"]),
            scores=len(self.read["scores"]),
            samples_added=len(self.new["samples"]),
            scores_added=len(self.new["scores"]),
            annotated=len(self.read["images"] & self.annotated),
            annotated_added=len({row["image_id"] for row in self.new["annotations"]}),
            regions_added=len(self.new["annotations"]),
        )


def _state(connection: Connection, dataset: str) -> tuple[Any, ...]:
    found = connection.execute(select(DatasetRow.id, DatasetRow.changes).where(DatasetRow.name == dataset)).first()
    return (*(found or (None, None)), *(_next_id(connection, table) for table in _NUMBERED.values()))


def _add_dataset(connection: Connection, name: str) -> int:
    return new_id(connection.execute(insert(DatasetRow).values(name=name, notice="", created_at=utc_now())))


def _next_id(connection: Connection, table: type[Numbered]) -> int:
    return (connection.scalar(select(table.id).order_by(table.id.desc()).limit(1)) or 0) + 1
