"""What an import knows of its data set while it runs, and what it is going to write, in one go at its end.

Memory holds what tells samples and scores apart. Rows that are to be written wait on the disk.
"""

import hashlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from core.spool import AT_A_TIME, Spool
from core.types import ImageRegion, one_line, sample_identity
from storage.data.annotations import annotated_images, annotation_rows
from storage.data.samples import count_change
from storage.database import new_id, utc_now
from storage.tables import AnnotationRow, DatasetRow, ImageRow, SampleRow, ScoreRow
from storage.types import ImportCounts

Numbered = ImageRow | SampleRow | ScoreRow
_NUMBERED: dict[str, type[Numbered]] = {"images": ImageRow, "samples": SampleRow, "scores": ScoreRow}
_TABLES = (*_NUMBERED, "annotations")
MADE_KEY = "~"  # starts the keys of samples whose source gave none
_FILLED = ("references", "human", "judgements")  # columns that a later record may fill


class KnownScore(NamedTuple):
    """What an import must know of a score."""

    value: float | None  # None for an error
    unexplained: int | None  # its id while it has no explanation
    is_read: bool  # whether the import has come across it


@dataclass(slots=True)
class KnownSample:
    """What an import must know of a sample."""

    image_id: int
    key: str
    caption: bytes  # digest of the caption
    gaps: tuple[str, ...]  # columns that hold nothing yet
    scores: dict[str, KnownScore]  # by signature


@dataclass(slots=True)
class Ledger:
    """What the data set holds, and what is to be added to it."""

    dataset: str
    state: tuple[Any, ...]  # id and changes of the data set, and the next id of every table, when it was read
    next_id: dict[str, int]
    images: dict[str, int]  # name -> id
    pictures: dict[int, dict[str, Any]]  # image id -> its columns
    annotated: set[int]  # ids of images with annotated regions
    new: Mapping[str, Spool[dict[str, Any]]]  # rows by table; what changes afterwards is in changed
    keys: dict[str, int] = field(default_factory=dict)  # sample key -> id
    identities: dict[bytes, tuple[int, ...]] = field(default_factory=dict)  # digest of image and caption -> sample ids
    samples: dict[int, KnownSample] = field(default_factory=dict)  # by id
    changed: dict[str, dict[int, dict[str, Any]]] = field(default_factory=lambda: {name: {} for name in _NUMBERED})
    images_read: set[int] = field(default_factory=set)
    samples_read: set[int] = field(default_factory=set)
    scores_read: int = 0
    annotated_added: int = 0

    @classmethod
    def of(cls, connection: Connection, dataset: str, folder: Path | None = None) -> "Ledger":
        """Read what a data set holds; one that is not there yet holds nothing.

        folder: where new rows wait; None: in the system's folder for temporary files. Close the ledger afterwards.
        """
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
            annotated=annotated_images(connection, dataset_id),
            new={name: Spool(folder) for name in _TABLES},
        )
        for row in connection.execute(select(*SampleRow.__table__.columns).where(SampleRow.dataset_id == dataset_id)):
            ledger.enter(dict(row._mapping), names[row.image_id])
        columns = (ScoreRow.id, ScoreRow.sample_id, ScoreRow.signature, ScoreRow.value, ScoreRow.explained)
        for row in connection.execute(select(*columns).join(SampleRow).where(SampleRow.dataset_id == dataset_id)):
            ledger.enter_score(
                row.sample_id, row.signature, KnownScore(row.value, None if row.explained else row.id, False)
            )
        return ledger

    def close(self) -> None:
        """Delete the rows that wait on the disk."""
        for rows in self.new.values():
            rows.close()

    def enter(self, columns: Mapping[str, Any], image: str) -> None:
        """Take down a sample."""
        sample_id, key = columns["id"], columns["key"]
        gaps = tuple(name for name in _FILLED if not columns[name] and columns[name] != 0)
        digest = caption_digest(columns["candidate"])
        self.samples[sample_id] = KnownSample(columns["image_id"], key, digest, _GAPS.setdefault(gaps, gaps), {})
        self.keys[key] = sample_id
        identity = identity_digest(image, columns["candidate"])
        self.identities[identity] = (*self.identities.get(identity, ()), sample_id)

    def enter_score(self, sample_id: int, signature: str, score: KnownScore) -> None:
        """Take down a score, or an error without a value."""
        self.samples[sample_id].scores[sys.intern(signature)] = score

    def change(self, table: str, row_id: int, columns: Mapping[str, Any]) -> None:
        """Set columns of a row, a new or a stored one."""
        self.changed[table].setdefault(row_id, {}).update(columns)

    def annotate(self, image_id: int, regions: Iterable[ImageRegion], vocabulary: Sequence[str]) -> None:
        """Give a picture its regions and what was looked for, unless it has some, is missing, or is of another size."""
        rows = annotation_rows(self.pictures[image_id], regions)
        if rows and image_id not in self.annotated:
            self.annotated.add(image_id)
            self.annotated_added += 1
            for row in rows:
                self.new["annotations"].append(row)
            self.change("images", image_id, {"vocabulary": list(vocabulary)})

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
        counts = any((*map(len, self.new.values()), *map(len, self.changed.values())))
        for name, table in _NUMBERED.items():
            of_dataset = {} if table is ScoreRow else {"dataset_id": dataset_id}
            changed = self.changed[name]
            for rows in self.new[name].parts():
                whole = [row | of_dataset | changed.pop(row["id"], {}) for row in rows]
                connection.execute(insert(table), whole)
        for name, table in _NUMBERED.items():
            _update(connection, table, self.changed[name])
        for rows in self.new["annotations"].parts():
            connection.execute(insert(AnnotationRow), rows)
        if counts:
            count_change(connection, dataset_id)

    def counts(self) -> ImportCounts:
        """Return what was read, and what of it is new."""
        found = sum(1 for image_id in self.images_read if self.pictures[image_id]["path"] is not None)
        return ImportCounts(
            images_found=found,
            images_missing=len(self.images_read) - found,
            samples=len(self.samples_read),
            scores=self.scores_read,
            samples_added=len(self.new["samples"]),
            scores_added=len(self.new["scores"]),
            annotated=len(self.images_read & self.annotated),
            annotated_added=self.annotated_added,
            regions_added=len(self.new["annotations"]),
        )


_GAPS: dict[tuple[str, ...], tuple[str, ...]] = {}  # each combination of columns once in memory


def caption_digest(candidate: str) -> bytes:
    """Return 16 bytes that are equal for captions that differ in white space only."""
    return _digest(one_line(candidate))


def identity_digest(image: str, candidate: str) -> bytes:
    """Return 16 bytes for what tells samples without a key apart (core.types.sample_identity)."""
    return _digest("\0".join(sample_identity(image, candidate)))


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _update(connection: Connection, table: type[Numbered], changed: Mapping[int, Mapping[str, Any]]) -> None:
    """Write changes of stored rows, those of the same columns together."""
    alike: dict[tuple[str, ...], list[int]] = {}
    for row_id, columns in changed.items():
        alike.setdefault(tuple(sorted(columns)), []).append(row_id)
    for names, ids in alike.items():
        statement = update(table).where(table.id == bindparam("row"))
        statement = statement.values({name: bindparam(f"new_{name}") for name in names})
        for start in range(0, len(ids), AT_A_TIME):
            part = ids[start : start + AT_A_TIME]
            rows = [{"row": row_id} | {f"new_{name}": changed[row_id][name] for name in names} for row_id in part]
            connection.execute(statement, rows)


def _state(connection: Connection, dataset: str) -> tuple[Any, ...]:
    found = connection.execute(select(DatasetRow.id, DatasetRow.changes).where(DatasetRow.name == dataset)).first()
    return (*(found or (None, None)), *(_next_id(connection, table) for table in _NUMBERED.values()))


def _add_dataset(connection: Connection, name: str) -> int:
    return new_id(connection.execute(insert(DatasetRow).values(name=name, notice="", created_at=utc_now())))


def _next_id(connection: Connection, table: type[Numbered]) -> int:
    return (connection.scalar(select(table.id).order_by(table.id.desc()).limit(1)) or 0) + 1
