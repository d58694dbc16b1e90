"""Adding samples and scores to a data set: one short transaction for a whole import.

Pictures are looked for, hashed and thumbnailed before it begins, so that raters' saves never wait for an import.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from core.datasets.base import Record
from core.errors import BadRow
from core.types import ImageRef, Outcome, Score
from storage.database import Database, new_id, utc_now
from storage.samples import outcome_columns
from storage.tables import DatasetRow, ImageRow, SampleRow, ScoreRow
from storage.values import ImportCounts

OnBad = Callable[[BadRow], None]
_MADE_KEY = "~"  # starts the keys of samples whose source gave none


def add_records(
    database: Database, dataset: str, records: Sequence[Record], images: Mapping[str, ImageRef], on_bad: OnBad
) -> ImportCounts:
    """Add records to a data set, which is made if need be; all or nothing.

    images maps every record's image to what was found of it. A record finds its sample by key, else by image
    and caption, else makes a new one. What is there already is left as it is; gaps are filled.
    on_bad gets a row that contradicts what is stored, and raises to stop the import.
    """
    with database.write() as connection:
        ledger = _Ledger.of(connection, _dataset_id(connection, dataset))
        for record in records:
            _add(ledger, record, images[record.image], on_bad)
        ledger.flush(connection)
        return ledger.counts()


def sample_identity(image: str, candidate: str) -> tuple[str, str]:
    """Return what tells samples without a key apart: the picture's bare name and the caption, spaces normalised."""
    return PurePosixPath(image).stem, " ".join(candidate.split())


@dataclass(slots=True)
class _Ledger:
    """What the data set holds, and what is to be added to it."""

    dataset_id: int
    next_id: dict[str, int]
    images: dict[str, int]  # name -> id
    pictures: dict[int, dict[str, Any]]  # image id -> its columns
    keys: dict[str, int]  # sample key -> id
    identities: dict[tuple[str, str], list[int]]  # image and caption -> sample ids
    rows: dict[int, dict[str, Any]]  # sample id -> its columns
    values: dict[tuple[int, str], float | None]  # sample id, signature -> value; None for an error
    signatures: dict[int, list[str]]  # sample id -> signatures of its scores
    unexplained: dict[tuple[int, str], int]  # sample id, signature -> id of a score without an explanation
    new: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {"images": [], "samples": [], "scores": []})
    changed: dict[str, dict[int, dict[str, Any]]] = field(
        default_factory=lambda: {"images": {}, "samples": {}, "scores": {}}
    )
    read: dict[str, set[Any]] = field(default_factory=lambda: {"images": set(), "samples": set(), "scores": set()})

    @classmethod
    def of(cls, connection: Connection, dataset_id: int) -> "_Ledger":
        images = connection.execute(select(*ImageRow.__table__.columns).where(ImageRow.dataset_id == dataset_id)).all()
        names = {row.id: row.name for row in images}
        ledger = cls(
            dataset_id=dataset_id,
            next_id={table.__tablename__: _next_id(connection, table) for table in (ImageRow, SampleRow, ScoreRow)},
            images={row.name: row.id for row in images},
            pictures={row.id: dict(row._mapping) for row in images},
            keys={},
            identities={},
            rows={},
            values={},
            signatures={},
            unexplained={},
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
        self.rows[columns["id"]] = columns
        self.keys[columns["key"]] = columns["id"]
        self.identities.setdefault(sample_identity(image, columns["candidate"]), []).append(columns["id"])

    def enter_score(self, sample_id: int, signature: str, value: float | None) -> None:
        self.values[sample_id, signature] = value
        self.signatures.setdefault(sample_id, []).append(signature)

    def take_id(self, table: str) -> int:
        self.next_id[table] += 1
        return self.next_id[table] - 1

    def flush(self, connection: Connection) -> None:
        for table in (ImageRow, SampleRow, ScoreRow):
            if self.new[table.__tablename__]:
                connection.execute(insert(table), self.new[table.__tablename__])
        for row_type in (ImageRow, SampleRow, ScoreRow):
            for row_id, columns in self.changed[row_type.__tablename__].items():
                connection.execute(
                    update(row_type).where(row_type.id == bindparam("row")).values(columns), {"row": row_id}
                )

    def counts(self) -> ImportCounts:
        found = sum(1 for image_id in self.read["images"] if self.pictures[image_id]["path"] is not None)
        return ImportCounts(
            images_found=found,
            images_missing=len(self.read["images"]) - found,
            samples=len(self.read["samples"]),
            scores=len(self.read["scores"]),
            samples_added=len(self.new["samples"]),
            scores_added=len(self.new["scores"]),
        )


def _dataset_id(connection: Connection, name: str) -> int:
    found = connection.scalar(select(DatasetRow.id).where(DatasetRow.name == name))
    if found is not None:
        return found
    return new_id(connection.execute(insert(DatasetRow).values(name=name, notice="", created_at=utc_now())))


def _next_id(connection: Connection, table: type[ImageRow] | type[SampleRow] | type[ScoreRow]) -> int:
    return (connection.scalar(select(table.id).order_by(table.id.desc()).limit(1)) or 0) + 1


def _add(ledger: _Ledger, record: Record, image: ImageRef, on_bad: OnBad) -> None:
    samples = _samples_of(ledger, record)
    problem = _contradiction(ledger, record, samples)
    if problem is not None:
        on_bad(problem)
        return
    for sample_id in samples or [_new_sample(ledger, record)]:
        _fill_gaps(ledger, record, sample_id)
        _show_picture(ledger, ledger.rows[sample_id]["image_id"], image)
        ledger.read["samples"].add(sample_id)
        for outcome in record.scores:
            _score(ledger, sample_id, outcome)


def _image_id(ledger: _Ledger, name: str) -> int:
    """Return the id of the picture of that name, entered as missing if it is new."""
    if name not in ledger.images:
        ledger.images[name] = ledger.take_id("images")
        missing = {"path": None, "sha256": None, "width": None, "height": None}
        columns = {"id": ledger.images[name], "dataset_id": ledger.dataset_id, "name": name, **missing}
        ledger.pictures[ledger.images[name]] = columns
        ledger.new["images"].append(columns)
    return ledger.images[name]


def _show_picture(ledger: _Ledger, image_id: int, image: ImageRef) -> None:
    """Fill in what was found of a picture that was missing until now."""
    ledger.read["images"].add(image_id)
    columns = ledger.pictures[image_id]
    if columns["path"] is None and image.path is not None:
        size = {"width": image.width, "height": image.height}
        found = {"path": str(image.path), "sha256": image.sha256, **size}
        columns.update(found)
        ledger.changed["images"][image_id] = found


def _samples_of(ledger: _Ledger, record: Record) -> list[int]:
    if record.key is not None and record.key in ledger.keys:
        return [ledger.keys[record.key]]
    alike = ledger.identities.get(sample_identity(record.image, record.candidate), [])
    if record.key is None:
        return list(alike)
    return [sample_id for sample_id in alike if ledger.rows[sample_id]["key"].startswith(_MADE_KEY)][:1]


def _new_sample(ledger: _Ledger, record: Record) -> int:
    sample_id = ledger.take_id("samples")
    pair = record.pair
    columns = {
        "id": sample_id,
        "dataset_id": ledger.dataset_id,
        "image_id": _image_id(ledger, record.image),
        "key": record.key or _made_key(record),
        "candidate": record.candidate,
        "references": list(record.references),
        "human": record.human,
        "judgements": list(record.judgements),
        "pair": None if pair is None else {name: getattr(pair, name) for name in pair.__slots__},
    }
    ledger.new["samples"].append(columns)
    ledger.enter(columns, record.image)
    return sample_id


def _made_key(record: Record) -> str:
    stem, candidate = sample_identity(record.image, record.candidate)
    return f"{_MADE_KEY}{stem}#{hashlib.sha256(candidate.encode()).hexdigest()[:12]}"


def _contradiction(ledger: _Ledger, record: Record, samples: Sequence[int]) -> BadRow | None:
    """Return what the record says otherwise than what is stored, or than itself."""
    found = " ".join(record.candidate.split())
    for sample_id in samples:
        row = ledger.rows[sample_id]
        if " ".join(row["candidate"].split()) != found:
            return BadRow(record.file, record.row, "caption", f"the caption already stored for {row['key']}", found)
    stored = {signature: ledger.values[i, signature] for i in samples for signature in ledger.signatures.get(i, ())}
    for outcome in record.scores:
        value = outcome.value if isinstance(outcome, Score) else None
        known = stored.setdefault(outcome.signature, value)
        if known != value:
            expected = f"{known} again, or a signature other than {outcome.signature}"
            return BadRow(record.file, record.row, f"score of {outcome.metric}", expected, value)
    return None


def _fill_gaps(ledger: _Ledger, record: Record, sample_id: int) -> None:
    row = ledger.rows[sample_id]
    given: dict[str, Any] = {
        "references": list(record.references),
        "human": record.human,
        "judgements": list(record.judgements),
    }
    gaps = {
        name: value for name, value in given.items() if not row[name] and row[name] != 0 and value not in (None, [])
    }
    if record.key is not None and row["key"].startswith(_MADE_KEY):
        gaps["key"] = record.key
        ledger.keys[record.key] = sample_id
    if gaps:
        row.update(gaps)
        ledger.changed["samples"].setdefault(sample_id, {}).update(gaps)


def _score(ledger: _Ledger, sample_id: int, outcome: Outcome) -> None:
    ledger.read["scores"].add((sample_id, outcome.signature))
    columns = outcome_columns(outcome)
    if (sample_id, outcome.signature) in ledger.values:
        _explain(ledger, (sample_id, outcome.signature), columns)
        return
    ledger.enter_score(sample_id, outcome.signature, outcome.value if isinstance(outcome, Score) else None)
    columns |= {"id": ledger.take_id("scores"), "sample_id": sample_id}
    if not columns["explained"]:
        ledger.unexplained[sample_id, outcome.signature] = columns["id"]
    ledger.new["scores"].append(columns)


def _explain(ledger: _Ledger, score: tuple[int, str], columns: dict[str, Any]) -> None:
    """Take in the explanation of a score that has had none until now."""
    if columns["explained"] and score in ledger.unexplained:
        given = {name: columns[name] for name in ("rationales", "phrases", "regions", "explained")}
        ledger.changed["scores"][ledger.unexplained.pop(score)] = given
