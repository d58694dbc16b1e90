"""Collect an import in a temporary SQLite file, and match its records with the samples of a data set.

The file starts with the samples and pictures of the data set. Each record finds its sample there, fills the sample's
gaps, or makes a new one. Nothing is written to the database, so an import with contradictions leaves no trace.
"""

import hashlib
import json
import math
import sqlite3
from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from core.datasets.base import Record
from core.errors import BadRow, NotFound
from core.picture_names import is_ending, parts_of
from core.types import ImageRef, Outcome, Score, one_line, sample_identity
from storage.data.annotations import annotation_rows
from storage.data.outcome_columns import outcome_columns
from storage.engine.disk_map import temporary_database
from storage.tables import ImageRow, SampleRow, ScoreRow
from storage.tables.base import as_text
from storage.types import ImportCounts

MADE_KEY = "~"  # first character of the keys that are generated for samples without a key
_AFTER_MADE = chr(ord(MADE_KEY) + 1)
AT_A_TIME = 2_000  # number of stored rows in memory
PICTURE = ("path", "sha256", "width", "height", "vocabulary")
FILLED = ("references", "human", "judgements", "system", "own")  # columns that a later record of a sample may fill
SAMPLE = ("key", "candidate", "pair", *FILLED)
EXPLAINED = ("rationales", "phrases", "regions", "cut", "encoder", "explained")
OUTCOME = (
    "metric", "value", "scale_low", "scale_high", "components", *EXPLAINED,
    "error_kind", "error_message", "usage", "seconds",
)  # fmt: skip
REGION = ("place", "rle", "height", "width", "label", "is_crowd")
Row = dict[str, Any]


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


# Columns of each row: stored is its id in the database, is_new tells whether the import made it, and changed and
# is_read whether a record changed it or named it. A changed score is 1 if only its explanation is new.
_STATE = "id INTEGER PRIMARY KEY, stored INTEGER, is_new DEFAULT 0, changed DEFAULT 0, is_read DEFAULT 0"
_TABLES = f"""
CREATE TABLE images ({_STATE}, name UNIQUE, {_quoted(PICTURE)}, has_regions DEFAULT 0, gets_regions DEFAULT 0);
CREATE TABLE samples ({_STATE}, image, identity, {_quoted(SAMPLE)}, renamed DEFAULT 0, UNIQUE (key));
CREATE INDEX by_identity ON samples (identity);
CREATE TABLE scores ({_STATE}, sample, signature, {_quoted(OUTCOME)}, UNIQUE (sample, signature));
CREATE TABLE regions (image, {_quoted(REGION)});
CREATE TABLE equal (file, identity, number, place DEFAULT 0, PRIMARY KEY (file, identity));
"""
_SAMPLES = "SELECT s.*, i.name, i.sha256, i.is_read AS is_shown FROM samples s JOIN images i ON i.id = s.image"


class Staging:
    """The samples, pictures and scores of a data set as they will be after an import."""

    def __init__(self, folder: Path | None, replaces: bool, known_only: bool) -> None:
        """Make an empty staging file in a folder. None: the system's temporary folder.

        replaces: True: a record's values replace contradictory stored values. known_only: True: a record without a
        stored sample is an error.
        """
        self.file = temporary_database(folder)
        self.file.executescript(_TABLES)
        self.file.execute("BEGIN")
        self._replaces, self._known_only = replaces, known_only
        self._has_made_keys = self._has_counted = False
        self._connection: Connection | None = None
        self._dataset: int | None = None
        self._block = AT_A_TIME  # number of successive samples whose scores are read together
        self._with_scores = set[int]()  # blocks of stored samples whose scores are in the file

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        """Return the result of a query."""
        return self.file.execute(query, values).fetchall()

    def number(self, query: str) -> int:
        """Return the number that a query returns; 0 for NULL."""
        return int(self.rows(query)[0][0] or 0)

    def load(self, connection: Connection, dataset: int | None, given: Sequence[tuple[Record, ImageRef]]) -> None:
        """Read the stored samples and pictures. The connection reads scores until the last record was added.

        given: the records of a small import with their pictures; empty for a large import. If their keys alone decide
        which samples they mean, only these are read.
        """
        self._connection, self._dataset = connection, dataset
        if dataset is None:
            return
        image, sample = ImageRow, SampleRow
        columns = [image.id, image.id, image.name, image.path, image.sha256, image.width, image.height]
        pictures = select(*columns, as_text(image.vocabulary), image.regions > 0).where(image.dataset_id == dataset)
        keys = [record.key for record, _ in given]
        made = select(sample.id).where(sample.dataset_id == dataset, sample.key >= MADE_KEY, sample.key < _AFTER_MADE)
        is_small = bool(keys) and None not in keys and connection.scalar(made.limit(1)) is None
        if is_small:
            meant = select(sample.image_id).where(sample.dataset_id == dataset, sample.key.in_(keys))
            named = {name for record, one in given for name in (record.image, _with_checksum(record.image, one))}
            pictures = pictures.where(image.id.in_(meant) | image.name.in_(named))
        names = f"id, stored, name, {_quoted(PICTURE)}, has_regions"
        for part in connection.execute(pictures, execution_options={"yield_per": AT_A_TIME}).partitions():
            self._insert_all("images", names, map(tuple, part))
        texts = [as_text(column) for column in (sample.pair, sample.references)]
        values = [*texts, sample.human, as_text(sample.judgements), sample.system, as_text(sample.own)]
        samples = select(sample.id, sample.id, sample.image_id, image.name, sample.key, sample.candidate, *values)
        samples = samples.join(image).where(sample.dataset_id == dataset).order_by(sample.id)
        if is_small:
            samples = samples.where(sample.key.in_(keys))
            self._block = 1  # because the file lacks the other samples
        names = f"id, stored, image, identity, {_quoted(SAMPLE)}"
        for part in connection.execute(samples, execution_options={"yield_per": AT_A_TIME}).partitions():
            rows = ((*row[:3], _identity(row[3], row[5]), *row[4:]) for row in part)
            self._insert_all("samples", names, rows)
            self._has_made_keys = self._has_made_keys or any(row[4].startswith(MADE_KEY) for row in part)

    def add(self, record: Record, image: ImageRef, records: Iterable[Record]) -> BadRow | None:
        """Add a record, or return how it contradicts other data. records: all records of the import."""
        try:
            samples = self._samples_of(record, image, records)
        except NotFound as unsure:
            return BadRow(record.file, record.row, "image", f"a path that names one picture ({unsure})", record.image)
        if self._known_only and not samples:
            caption = one_line(record.candidate)
            return BadRow(record.file, record.row, "caption", "a picture and caption of the data set", caption)
        scores = {row["id"]: self._scores_of(row) for row in samples}
        problem = self._contradiction(record, samples, scores)
        if problem is not None:
            return problem
        for row in samples:
            self._fill(record, row)
            if image.regions or image.path or not row["is_shown"]:
                self._show(row["image"], image)
            self._add_scores(row["id"], record.scores, scores[row["id"]])
        if not samples:
            self._add_scores(self._new_sample(record, image), record.scores, {})
        return None

    def counts(self) -> ImportCounts:
        """Return how many rows the import read, and how many of them are new."""
        of_images = "SELECT count(*) FROM images WHERE is_read AND "
        return ImportCounts(
            samples=self.number("SELECT sum(is_read) FROM samples"),
            scores=self.number("SELECT sum(is_read) FROM scores"),
            samples_added=self.number("SELECT sum(is_new) FROM samples"),
            scores_added=self.number("SELECT sum(is_new) FROM scores"),
            images_found=self.number(of_images + "path IS NOT NULL"),
            images_missing=self.number(of_images + "path IS NULL"),
            annotated=self.number(of_images + "has_regions"),
            annotated_added=self.number("SELECT sum(gets_regions) FROM images"),
            regions_added=self.number("SELECT count(*) FROM regions"),
        )

    def close(self) -> None:
        """Delete the file."""
        self.file.close()

    def _samples_of(self, record: Record, image: ImageRef, records: Iterable[Record]) -> list[sqlite3.Row]:
        if record.key is not None:
            found = self.rows(f"{_SAMPLES} WHERE s.key = ?", record.key)
            if found or not self._has_made_keys:
                return found
        identity = _identity(record.image, record.candidate)
        alike = self.rows(f"{_SAMPLES} WHERE s.identity = ? ORDER BY s.id", identity)
        alike = [row for row in alike if not _differs(row["sha256"], image)]
        alike = _by_captioner(_by_path(alike, record.image), record.system)
        if record.key is not None:
            return [row for row in alike if row["key"].startswith(MADE_KEY)][:1]
        return self._distinct(record, identity, alike, records) if record.is_sample else alike

    def _distinct(
        self, record: Record, identity: bytes, alike: list[sqlite3.Row], records: Iterable[Record]
    ) -> list[sqlite3.Row]:
        """Return the sample of a record whose file may have several samples with the same picture and caption.

        The first such record belongs to the first stored sample, and so on. When no stored sample is left, the
        remaining records belong to the last one. If no sample is stored, each record gets a new sample.
        """
        if not self._has_counted:
            self._has_counted = True
            add = "INSERT INTO equal (file, identity, number) VALUES (?, ?, 1)"
            add += " ON CONFLICT DO UPDATE SET number = number + 1"
            named = (one for one in records if one.key is None and one.is_sample)
            self.file.executemany(add, ((str(one.file), _identity(one.image, one.candidate)) for one in named))
        of_file = str(record.file), identity
        number, place = self.rows("SELECT number, place FROM equal WHERE (file, identity) = (?, ?)", *of_file)[0]
        if number < 2:
            return alike
        self.file.execute("UPDATE equal SET place = place + 1 WHERE (file, identity) = (?, ?)", of_file)
        before = [row for row in alike if not row["is_new"]]
        return [before[min(place, len(before) - 1)]] if before else alike[place : place + 1]

    def _contradiction(
        self, record: Record, samples: Sequence[sqlite3.Row], scores: dict[int, dict[str, Row]]
    ) -> BadRow | None:
        """Return how the record contradicts stored data or itself, or None."""
        values = _values(record)
        for row in samples:
            if row["candidate"] != record.candidate and one_line(row["candidate"]) != one_line(record.candidate):
                expected = f"the caption already stored for {row['key']}"
                return BadRow(record.file, record.row, "caption", expected, one_line(record.candidate))
            if record.system and row["system"] not in (None, record.system):
                expected = f"the captioner already stored for {row['key']}: {row['system']}"
                return BadRow(record.file, record.row, "system", expected, record.system)
            for name in _contradicted(record, values, row) if not self._replaces else ():
                stored = _value(row, name)
                expected = f"the value already stored for {row['key']}: {stored!r:.80}; {_TO_REPLACE}"
                return BadRow(record.file, record.row, name, expected, values[name])
        for of in scores.values() or ({},):  # a record without a sample may contradict itself
            earlier = {} if self._replaces else {signature: one["value"] for signature, one in of.items()}
            for outcome in record.scores:
                value = outcome.value if isinstance(outcome, Score) else None
                if earlier.setdefault(outcome.signature, value) != value:
                    expected = f"the same score as before ({earlier[outcome.signature]}), or a signature other than "
                    expected += f"{outcome.signature}; {_TO_REPLACE}"
                    return BadRow(record.file, record.row, f"score of {outcome.metric}", expected, value)
        return None

    def _fill(self, record: Record, row: sqlite3.Row) -> None:
        given = _values(record) | {"system": record.system}
        filled = {name: given[name] for name in FILLED if not _is_set(row[name]) and given[name] not in (None, [])}
        if self._replaces:
            filled |= {name: given[name] for name in _contradicted(record, given, row)}
        if record.key is not None and row["key"].startswith(MADE_KEY):
            filled |= {"key": record.key, "renamed": 1}
        if filled or not row["is_read"]:
            self._update("samples", row["id"], filled, changed=int(bool(filled)) or row["changed"], is_read=1)

    def _new_sample(self, record: Record, image: ImageRef) -> int:
        picture = self._image_id(record.image, image)
        self._show(picture, image)
        pair = record.pair
        columns = {
            "image": picture,
            "identity": _identity(record.image, record.candidate),
            "key": record.key or self._made_key(record, image),
            "candidate": record.candidate,
            "pair": None if pair is None else {name: getattr(pair, name) for name in pair.__slots__},
            "system": record.system,
            **_values(record),
        }
        return self._insert("samples", columns)

    def _made_key(self, record: Record, image: ImageRef) -> str:
        self._has_made_keys = True
        stem, caption = sample_identity(record.image, record.candidate)
        key = f"{MADE_KEY}{stem}#{hashlib.sha256(caption.encode()).hexdigest()[:12]}"
        names = (key, f"{key}#{str(image.sha256)[:12]}")
        for name in names:
            if not self.rows("SELECT 1 FROM samples WHERE key = ?", name):
                return name
        taken = {name for (name,) in self.rows("SELECT key FROM samples WHERE key > ? AND key < ?", key, f"{key}$")}
        return next(name for name in (f"{key}#{number}" for number in count(2)) if name not in taken)

    def _image_id(self, name: str, image: ImageRef) -> int:
        """Return the number of the picture with this name. If it is a different picture, its name gets a checksum."""
        named = "SELECT id, sha256 FROM images WHERE name = ?"
        found = self.rows(named, name)
        if found and _differs(found[0]["sha256"], image):
            name = _with_checksum(name, image)
            found = self.rows(named, name)
        return int(found[0]["id"]) if found else self._insert("images", {"name": name, "vocabulary": []})

    def _show(self, number: int, image: ImageRef) -> None:
        """Store a picture's file and regions if they are missing."""
        row = self.rows("SELECT * FROM images WHERE id = ?", number)[0]
        values: Row = {}
        if row["path"] is None and image.path is not None:
            size = {"width": image.width, "height": image.height}
            values = {"path": str(image.path), "sha256": image.sha256, **size}
        if image.regions and not row["has_regions"]:
            regions = annotation_rows({**dict(row), **values}, image.regions)
            marks = ", ".join("?" * (1 + len(REGION)))
            rows = [(number, *(region[name] for name in REGION)) for region in regions]
            self.file.executemany(f"INSERT INTO regions VALUES ({marks})", rows)
            if regions:
                values |= {"vocabulary": list(image.vocabulary), "has_regions": 1, "gets_regions": 1}
        if values or not row["is_read"]:
            self._update("images", number, values, changed=int(bool(values)) or row["changed"], is_read=1)

    def _scores_of(self, sample: sqlite3.Row) -> dict[str, Row]:
        block = None if sample["is_new"] else sample["stored"] // self._block
        if block is not None and block not in self._with_scores and self._connection is not None:
            self._with_scores.add(block)
            ids = ScoreRow.sample_id.between(block * self._block, (block + 1) * self._block - 1)
            columns = ScoreRow.id, ScoreRow.sample_id, ScoreRow.signature, ScoreRow.value
            scores = select(*columns, ScoreRow.explained).join(SampleRow)
            found = self._connection.execute(scores.where(ids, SampleRow.dataset_id == self._dataset))
            self._insert_all("scores", "stored, sample, signature, value, explained", map(tuple, found))
        query = "SELECT id, signature, value, explained, is_read, is_new FROM scores WHERE sample = ?"
        return {row["signature"]: dict(row) for row in self.rows(query, sample["id"])}

    def _add_scores(self, sample: int, outcomes: Iterable[Outcome], stored: dict[str, Row]) -> None:
        for outcome in outcomes:
            earlier = stored.get(outcome.signature)
            if earlier is None:
                columns = outcome_columns(outcome)
                number = self._insert("scores", {"sample": sample, **columns})
                stored[outcome.signature] = columns | {"id": number, "is_read": 1}
                continue
            texts = outcome.explanation.rationales.values() if isinstance(outcome, Score) else ()
            if (outcome.value if isinstance(outcome, Score) else None) != earlier["value"]:  # only with --replace
                self._update("scores", earlier["id"], outcome_columns(outcome), changed=2, is_read=1)
            elif not earlier["explained"] and any(text.strip() for text in texts):
                columns = outcome_columns(outcome)
                self._update("scores", earlier["id"], {name: columns[name] for name in EXPLAINED}, changed=1, is_read=1)
                earlier["explained"] = True
            elif not earlier["is_read"]:
                self.file.execute("UPDATE scores SET is_read = 1 WHERE id = ?", (earlier["id"],))

    def _insert(self, table: str, columns: Row) -> int:
        names, marks = _quoted(columns), ", ".join("?" * len(columns))
        statement = f"INSERT INTO {table} ({names}, is_new, is_read) VALUES ({marks}, 1, 1)"
        return int(self.file.execute(statement, [_plain(value) for value in columns.values()]).lastrowid or 0)

    def _insert_all(self, table: str, names: str, rows: Iterable[tuple[Any, ...]]) -> None:
        marks = ", ".join("?" * (names.count(",") + 1))
        self.file.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)

    def _update(self, table: str, number: int, columns: Row, **more: int) -> None:
        given = columns | more
        changes = ", ".join(f'"{name}" = ?' for name in given)
        values = [_plain(value) for value in given.values()]
        self.file.execute(f"UPDATE {table} SET {changes} WHERE id = ?", (*values, number))


_TO_REPLACE = "to store another value, use --replace or a new data set"


def _plain(value: object) -> Any:
    """Return a value as SQLite stores it. Lists and dictionaries become JSON."""
    return json.dumps(value) if isinstance(value, list | dict) else value


def _values(record: Record) -> Row:
    return {
        "references": list(record.references),
        "human": record.human,
        "judgements": list(record.judgements),
        "own": dict(record.own) or None,
    }


def _value(row: sqlite3.Row, name: str) -> Any:
    stored = row[name]
    return json.loads(stored) if isinstance(stored, str) else stored


def _is_set(stored: object) -> bool:
    return stored not in (None, "", "[]", "null")


def _contradicted(record: Record, values: Row, row: sqlite3.Row) -> list[str]:
    """Return the columns in which a record's own values differ from stored ones."""
    if not record.image_is_relative and record.key is None:
        return []
    given = [name for name in ("references", "human", "judgements", "own") if values[name] or values[name] == 0.0]
    named = [name for name in given if _is_set(row[name]) and row[name] != _plain(values[name])]
    return [name for name in named if not _equal(_value(row, name), values[name])]


def _equal(stored: Any, given: Any) -> bool:
    if isinstance(stored, float) and isinstance(given, float):
        return math.isclose(stored, given, abs_tol=1e-9)
    return bool(stored == given)


def _identity(image: str, candidate: str) -> bytes:
    """Return a digest that identifies samples without a key."""
    text = "\0".join(sample_identity(image, candidate))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _with_checksum(name: str, image: ImageRef) -> str:
    return f"{str(image.sha256)[:12]}/{name}"


def _differs(sha256: str | None, image: ImageRef) -> bool:
    """Return whether a stored and an imported picture are known to differ."""
    return sha256 not in (None, image.sha256) and image.sha256 is not None


def _by_path(alike: list[sqlite3.Row], path: str) -> list[sqlite3.Row]:
    """Return the samples whose picture has this path, or else a path of which one is the end of the other.

    Raises NotFound if these are several pictures.
    """
    exact = [row for row in alike if parts_of(row["name"]) == parts_of(path)]
    fitting = exact or [row for row in alike if is_ending(row["name"], path)]
    pictures = sorted({row["name"] for row in fitting})
    if len(pictures) > 1:
        raise NotFound(f"{path} names several pictures: {' and '.join(pictures[:3])}")
    return fitting


def _by_captioner(alike: list[sqlite3.Row], system: str | None) -> list[sqlite3.Row]:
    """Return the samples of a captioner, or else those without one: two captioners may write the same caption."""
    if system is None:
        return alike
    return [row for row in alike if row["system"] == system] or [row for row in alike if row["system"] is None]
