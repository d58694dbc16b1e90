"""Keep the rows of an import in a temporary SQLite file, until all records are checked.

The file has the stored rows that the records may name, and the import's new rows. Nothing is written to the database
meanwhile, so an import with contradictions leaves no trace.
"""

import hashlib
import sqlite3
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from core.types import sample_identity
from storage.engine.sql import listed
from storage.engine.temporary_database import temporary_database
from storage.tables import ImageRow, SampleRow, ScoreRow, as_text
from storage.types import ImportCounts

NEW = 1 << 40  # ids from this number on belong to rows that the import makes; other ids are those of the database
PICTURE = ("path", "sha256", "width", "height", "vocabulary")
FILLED = ("references", "human", "judgements", "system", "own")  # columns that a later record of a sample may fill
SAMPLE = ("key", "candidate", "pair", *FILLED)
EXPLAINED = ("rationales", "phrases", "regions", "cut", "encoder", "explained")
OUTCOME = (
    "metric", "value", "scale_low", "scale_high", "components", *EXPLAINED,
    "error_kind", "error_message", "usage", "seconds",
)  # fmt: skip
_FLAGS = ("is_read", "is_changed")  # whether a record names the row, and whether the row must be written
_COLUMNS = {
    "images": ("id", "name", *PICTURE, *_FLAGS),
    "samples": ("id", "image", *SAMPLE, "identity", *_FLAGS),
    "scores": ("id", "sample", "signature", *OUTCOME, "is_replaced", *_FLAGS),
}
_INDEXED = (("images", "name"), ("samples", "key"), ("samples", "identity"), ("scores", "sample"))
_AT_A_TIME = 10_000  # number of samples whose scores one query reads
Row = dict[str, Any]


def quoted(names: Iterable[str]) -> str:
    """Return column names for a query."""
    return ", ".join(f'"{name}"' for name in names)


def identity_of(image: str, candidate: str) -> bytes:
    """Return a digest that identifies samples without a key."""
    text = "\0".join(sample_identity(image, candidate))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Staging:
    """The rows of an import in a temporary file."""

    def __init__(self, folder: Path | None) -> None:
        """Make an empty staging file in a folder. None: the system's temporary folder."""
        self.file = temporary_database(folder)
        for kind, names in _COLUMNS.items():
            self.file.execute(f"CREATE TABLE {kind} (id INTEGER PRIMARY KEY, {quoted(names[1:])})")
        for kind, name in _INDEXED:
            self.file.execute(f"CREATE INDEX {kind}_{name} ON {kind} ({name})")
        self.file.execute("BEGIN")
        self._next = dict.fromkeys(_COLUMNS, NEW)

    def load(self, connection: Connection, dataset: int, keys: Container[str], identities: Container[bytes]) -> None:
        """Read a data set's pictures, its samples with one of these keys or identities, and their scores."""
        one, image = SampleRow, ImageRow
        pictures = select(image.id, image.name, image.path, image.sha256, image.width, image.height)
        pictures = pictures.add_columns(as_text(image.vocabulary)).where(image.dataset_id == dataset)
        self._add("images", ("id", "name", *PICTURE), _rows(connection, pictures))
        texts = [as_text(cell) for cell in (one.pair, one.references, one.judgements, one.own)]
        samples = select(one.id, one.image_id, one.key, one.candidate, one.human, one.system, *texts, image.name)
        stored = _rows(connection, samples.join(image).where(one.dataset_id == dataset))
        identified = ((*cells, identity_of(picture, cells[3])) for *cells, picture in stored)
        names = ("id", "image", "key", "candidate", "human", "system", "pair", "references", "judgements", "own")
        wanted = (row for row in identified if row[2] in keys or row[-1] in identities)
        self._add("samples", (*names, "identity"), wanted)
        ids = [row["id"] for row in self.file.execute("SELECT id FROM samples ORDER BY id")]
        for start in range(0, len(ids), _AT_A_TIME):
            some = select(listed(ids[start : start + _AT_A_TIME]).c.value)
            scores = select(ScoreRow.id, ScoreRow.sample_id, ScoreRow.signature, ScoreRow.value, ScoreRow.explained)
            chosen = _rows(connection, scores.where(ScoreRow.sample_id.in_(some)))
            self._add("scores", ("id", "sample", "signature", "value", "explained"), chosen)

    def find(self, kind: str, column: str, value: object) -> list[Row]:
        """Return the rows with this value in a column, in the order of their ids."""
        query = f"SELECT * FROM {kind} WHERE {column} = ? ORDER BY id"
        return [dict(row) for row in self.file.execute(query, (value,))]

    def put(self, kind: str, row: Row) -> None:
        """Write a row. It replaces the row with the same id."""
        self._add(kind, _COLUMNS[kind], [[row.get(name) for name in _COLUMNS[kind]]])

    def mark_read(self, kind: str, number: int) -> None:
        """Note that a record names a row, which does not change."""
        self.file.execute(f"UPDATE {kind} SET is_read = 1 WHERE id = ?", (number,))

    def new_id(self, kind: str) -> int:
        """Return an id for a new row."""
        self._next[kind] += 1
        return self._next[kind] - 1

    def made(self, kind: str) -> int:
        """Return the number of new rows."""
        return self._next[kind] - NEW

    def has(self, kind: str, condition: str) -> bool:
        """Return whether a row fulfils a condition in SQL."""
        return self.file.execute(f"SELECT 1 FROM {kind} WHERE {condition} LIMIT 1").fetchone() is not None

    def rows(self, kind: str, columns: Iterable[str], condition: str) -> sqlite3.Cursor:
        """Return the rows that fulfil a condition in SQL, in the order of their ids."""
        return self.file.execute(f"SELECT {quoted(columns)} FROM {kind} WHERE {condition} ORDER BY id")

    def counts(self) -> ImportCounts:
        """Return how many rows the import read, and how many of them are new."""
        query = "SELECT count(*), count({}) FROM {} WHERE is_read"
        images, found = self.file.execute(query.format("path", "images")).fetchone()
        samples, scores = (self.file.execute(query.format("id", kind)).fetchone()[0] for kind in ("samples", "scores"))
        return ImportCounts(samples, scores, self.made("samples"), self.made("scores"), found, images - found)

    def close(self) -> None:
        """Delete the file."""
        self.file.close()

    def _add(self, kind: str, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        statement = f"INSERT OR REPLACE INTO {kind} ({quoted(names)}) VALUES ({', '.join('?' * len(names))})"
        self.file.executemany(statement, rows)


def _rows(connection: Connection, query: Any) -> Iterator[tuple[Any, ...]]:
    return map(tuple, connection.execute(query.execution_options(yield_per=2_000)))
