"""Keep the new and changed rows of an import in a temporary SQLite file, until all records are checked.

Nothing is written to the database meanwhile, so an import with contradictions leaves no trace. Only the rows that one
batch of records needs are in memory.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, literal, select

from storage.engine.temporary_database import temporary_database
from storage.tables import ImageRow, SampleRow, ScoreRow
from storage.tables.base import as_text
from storage.types import ImportCounts

NEW = 1 << 40  # ids from this number on belong to rows that the import makes; other ids are those of the database
KINDS = ("images", "samples", "scores")
PICTURE = ("path", "sha256", "width", "height", "vocabulary")
FILLED = ("references", "human", "judgements", "system", "own")  # columns that a later record of a sample may fill
SAMPLE = ("key", "candidate", "pair", *FILLED)
EXPLAINED = ("rationales", "phrases", "regions", "cut", "encoder", "explained")
OUTCOME = (
    "metric", "value", "scale_low", "scale_high", "components", *EXPLAINED,
    "error_kind", "error_message", "usage", "seconds",
)  # fmt: skip
REGION = ("place", "rle", "height", "width", "label", "is_crowd")
_COLUMNS = {
    "images": ("id", "name", *PICTURE),
    "samples": ("id", "image", "identity", *SAMPLE, "is_renamed"),
    "scores": ("id", "sample", "signature", *OUTCOME, "is_replaced"),
}
Row = dict[str, Any]


def quoted(names: Iterable[str], table: str = "") -> str:
    """Return column names for a query. table: the table's name with a dot, or nothing."""
    return ", ".join(f'{table}"{name}"' for name in names)


# stored: the database's id of a new row, after it is written. read_...: the rows that records name
_TABLES = f"""
CREATE TABLE images (id INTEGER PRIMARY KEY, {quoted(_COLUMNS["images"][1:])}, stored);
CREATE TABLE samples (id INTEGER PRIMARY KEY, {quoted(_COLUMNS["samples"][1:])}, stored);
CREATE TABLE scores (id INTEGER PRIMARY KEY, {quoted(_COLUMNS["scores"][1:])});
CREATE TABLE read_images (id INTEGER PRIMARY KEY, found, annotated);
CREATE TABLE read_samples (id INTEGER PRIMARY KEY, found, annotated);
CREATE TABLE read_scores (id INTEGER PRIMARY KEY, found, annotated);
CREATE TABLE regions (image, {quoted(REGION)});
CREATE TABLE identities (identity, id);
CREATE INDEX images_name ON images (name);
CREATE INDEX samples_key ON samples (key);
CREATE INDEX samples_identity ON samples (identity);
CREATE INDEX scores_sample ON scores (sample);
"""


class Staging:
    """The rows of an import: in memory those of one batch of records, and in a file the new and changed ones."""

    def __init__(self, connection: Connection, dataset: int | None, folder: Path | None) -> None:
        """Make an empty staging file in a folder. None: the system's temporary folder.

        connection: reads the stored data set until the last record is added. dataset: its id; None: there is none.
        """
        self.file = temporary_database(folder)
        self.file.executescript(_TABLES)
        self.file.execute("BEGIN")
        self.new_ids = count(NEW)
        self._connection, self._dataset = connection, dataset
        # The rows of a batch. Key: id; for scores: sample and signature.
        self.images: dict[int, Row] = {}
        self.samples: dict[int, Row] = {}
        self.scores: dict[int, dict[str, Row]] = {}
        self.annotated = set[int]()  # pictures that have regions
        self.changed: dict[str, dict[int, Row]] = {kind: {} for kind in KINDS}
        self.read: dict[str, set[int]] = {kind: set() for kind in KINDS}
        self.regions: list[Row] = []

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        """Return the result of a query."""
        return self.file.execute(query, values).fetchall()

    def number(self, query: str) -> int:
        """Return the number that a query returns; 0 for NULL."""
        return int(self.rows(query)[0][0] or 0)

    def counts(self) -> ImportCounts:
        """Return how many rows the import read, and how many of them are new."""
        read, added = ({kind: self.number(query.format(kind)) for kind in KINDS} for query in (_READ, _ADDED))
        query = "SELECT sum(found), sum(NOT found), sum(annotated) FROM read_images"
        found, missing, annotated = self.rows(query)[0]
        return ImportCounts(
            samples=read["samples"],
            scores=read["scores"],
            samples_added=added["samples"],
            scores_added=added["scores"],
            images_found=found or 0,
            images_missing=missing or 0,
            annotated=annotated or 0,
            annotated_added=self.number("SELECT count(DISTINCT image) FROM regions"),
            regions_added=self.number("SELECT count(*) FROM regions"),
        )

    def close(self) -> None:
        """Delete the file."""
        self.file.close()

    def load(self, keys: Collection[str], identities: Collection[str], names: Collection[str]) -> None:
        """Read the rows that a batch may need: those of the database, or newer ones of the file.

        keys, identities: of samples. names: of pictures.
        """
        ids = [row["id"] for row in self._kept("identities", {"identity": identities})]
        samples = self._stored_samples(keys, ids)
        chosen = {"key": keys, "identity": identities, "id": [row["id"] for row in samples]}
        samples += map(dict, self._kept("samples", chosen))
        self.samples = {row["id"]: row for row in sorted(samples, key=lambda row: int(row["id"]))}
        shown = {row["image"] for row in self.samples.values()}
        images = self._stored_images(names, shown)
        self.images = {row["id"]: row for row in images}
        self.images |= {row["id"]: dict(row) for row in self._kept("images", {"name": names, "id": shown})}
        self.annotated = {row["id"] for row in images if row["regions"]}
        self.annotated |= {row["image"] for row in self._kept("regions", {"image": self.images})}
        self.scores = {number: {} for number in self.samples}
        for row in (*self._stored_scores(), *map(dict, self._kept("scores", {"sample": self.samples}))):
            self.scores[row["sample"]][row["signature"]] = row

    def keep(self) -> None:
        """Write the new and changed rows of a batch to the file."""
        for kind, changed in self.changed.items():
            self._write(kind, _COLUMNS[kind], changed.values())
            facts = [(number, *self._facts(kind, number)) for number in self.read[kind]]
            self.file.executemany(f"INSERT OR REPLACE INTO read_{kind} VALUES (?, ?, ?)", facts)
            self.read[kind].clear()
            changed.clear()
        self._write("regions", ("image", *REGION), self.regions)
        self.regions.clear()

    def is_key(self, key: str) -> bool:
        """Return whether a sample has this key."""
        of_dataset = select(SampleRow.id).where(SampleRow.dataset_id == self._dataset, SampleRow.key == key)
        return bool(self._kept("samples", {"key": [key]})) or self._connection.scalar(of_dataset) is not None

    def has_keys_from(self, start: str) -> bool:
        """Return whether the key of a stored sample begins with a text."""
        query = select(SampleRow.id).where(SampleRow.dataset_id == self._dataset, SampleRow.key.startswith(start))
        return self._connection.scalar(query.limit(1)) is not None

    def add_identities(self, identities: Iterable[tuple[str, int]]) -> None:
        """Store the identities of stored samples, by which `load` finds them."""
        self.file.executemany("INSERT INTO identities VALUES (?, ?)", identities)
        self.file.execute("CREATE INDEX identities_identity ON identities (identity)")

    def stored_captions(self) -> Iterable[tuple[int, str, str]]:
        """Return the id, the picture's name and the caption of all stored samples."""
        query = select(SampleRow.id, ImageRow.name, SampleRow.candidate).join(ImageRow)
        query = query.where(SampleRow.dataset_id == self._dataset).execution_options(yield_per=2_000)
        return ((number, name, caption) for number, name, caption in self._connection.execute(query))

    def _kept(self, table: str, chosen: dict[str, Collection[Any]]) -> list[sqlite3.Row]:
        given = {name: json.dumps(list(values)) for name, values in chosen.items() if values}
        if not given:
            return []
        conditions = " OR ".join(f"{name} IN (SELECT value FROM json_each(?))" for name in given)
        return self.rows(f"SELECT * FROM {table} WHERE {conditions}", *given.values())

    def _stored_samples(self, keys: Collection[str], ids: Collection[int]) -> list[Row]:
        one = SampleRow
        texts = [as_text(cell).label(cell.key) for cell in (one.references, one.judgements, one.own, one.pair)]
        query = select(one.id, one.image_id.label("image"), one.key, one.candidate, one.human, one.system, *texts)
        return self._stored(query.add_columns(literal(0).label("is_renamed")), one, (one.key, keys), (one.id, ids))

    def _stored_images(self, names: Collection[str], ids: Collection[int]) -> list[Row]:
        one = ImageRow
        query = select(one.id, one.name, one.path, one.sha256, one.width, one.height, one.regions)
        query = query.add_columns(as_text(one.vocabulary).label("vocabulary"))
        return self._stored(query, one, (one.name, names), (one.id, ids))

    def _stored_scores(self) -> list[Row]:
        stored = [number for number in self.samples if number < NEW]
        columns = ScoreRow.id, ScoreRow.sample_id.label("sample"), ScoreRow.signature, ScoreRow.value
        query = select(*columns, ScoreRow.explained, literal(0).label("is_replaced"))
        return self._stored(query, None, (ScoreRow.sample_id, stored))

    def _stored(self, query: Any, table: Any, *chosen: tuple[Any, Collection[Any]]) -> list[Row]:
        """Return rows of the data set. Each of `chosen` is read by its own index: a column and its values."""
        found: list[Row] = []
        for column, values in chosen if self._dataset is not None else ():
            if values:
                within = [] if table is None else [table.dataset_id == self._dataset]
                result = self._connection.execute(query.where(column.in_(values), *within))
                names = list(result.keys())
                found += [dict(zip(names, row, strict=True)) for row in result.all()]
        return found

    def _facts(self, kind: str, number: int) -> tuple[bool, bool]:
        """Return whether a picture is found, and whether it has regions."""
        if kind != "images":
            return False, False
        return self.images[number]["path"] is not None, number in self.annotated

    def _write(self, table: str, names: Sequence[str], rows: Iterable[Row]) -> None:
        statement = f"INSERT OR REPLACE INTO {table} ({quoted(names)}) VALUES ({', '.join('?' * len(names))})"
        self.file.executemany(statement, ([row.get(name) for name in names] for row in rows))


_READ = "SELECT count(*) FROM read_{}"
_ADDED = f"SELECT count(*) FROM {{}} WHERE id >= {NEW}"
