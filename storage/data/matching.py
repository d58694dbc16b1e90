"""Match the records of an import with samples, and find contradictions before anything is written.

Each record finds its sample among the stored or new ones, fills the sample's gaps, or makes a new sample.
"""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

from core.datasets.base import Record
from core.errors import BadRow, NotFound
from core.picture_names import is_ending, parts_of
from core.types import ImageRef, Outcome, Score, one_line, sample_identity
from storage.data.outcome_columns import outcome_columns
from storage.data.staging import EXPLAINED, FILLED, NEW, PICTURE, Row, Staging, identity_of

MADE_KEY = "~"  # first character of the keys that are generated for samples without a key
_TO_REPLACE = "to store another value, use --replace or a new data set"


class Matcher:
    """Adds records to a staging file."""

    def __init__(self, staging: Staging, records: Iterable[Record], replaces: bool, known_only: bool) -> None:
        """Match all records of an import.

        replaces: True: a record's values replace contradictory stored values. known_only: True: a record without a
        stored sample is an error.
        """
        self._staging, self._records = staging, records
        self._replaces, self._known_only = replaces, known_only
        self._equal: set[tuple[Path, bytes]] | None = None  # captions that a file contains several times; see _distinct
        self._places = Counter[tuple[Path, bytes]]()

    def add(self, record: Record, image: ImageRef) -> BadRow | None:
        """Add a record with its picture, or return how it contradicts other data."""
        try:
            samples = self._samples_of(record, image)
        except NotFound as unsure:
            return BadRow(record.file, record.row, "image", f"a path that names one picture ({unsure})", record.image)
        if self._known_only and not samples:
            caption = one_line(record.candidate)
            return BadRow(record.file, record.row, "caption", "a picture and caption of the data set", caption)
        given = _values(record)
        scores = [self._scores_of(row) if record.scores else {} for row in samples]
        problem = self._contradiction(record, given, samples, scores)
        if problem is not None:
            return problem
        for row, stored in zip(samples or [self._new_sample(record, image, given)], scores or [{}], strict=True):
            self._fill(record, given, row)
            self._show(row["image"], image)
            self._add_scores(row["id"], record.scores, stored)
        return None

    def _scores_of(self, row: Row) -> dict[str, Row]:
        return {one["signature"]: one for one in self._staging.find("scores", "sample", row["id"])}

    def _samples_of(self, record: Record, image: ImageRef) -> list[Row]:
        if record.key is not None and (found := self._staging.find("samples", "key", record.key)):
            return found
        identity = identity_of(record.image, record.candidate)
        alike = []
        for row in self._staging.find("samples", "identity", identity):
            (picture,) = self._staging.find("images", "id", row["image"])
            if not _differs(picture["sha256"], image) and (record.key is None or row["key"].startswith(MADE_KEY)):
                alike.append((row, picture["name"]))
        same = _by_captioner(_by_path(alike, record.image), record.system)
        if record.key is not None:
            return same[:1]
        return self._distinct((record.file, identity), same) if record.is_sample else same

    def _distinct(self, caption: tuple[Path, bytes], alike: list[Row]) -> list[Row]:
        """Return the sample of a record whose file may have several samples with the same picture and caption.

        The first such record belongs to the first stored sample, and so on. When no stored sample is left, the
        remaining records belong to the last one. If no sample is stored, each record gets a new sample.
        """
        if self._equal is None:
            named = (one for one in self._records if one.key is None and one.is_sample)
            numbers = Counter((one.file, identity_of(one.image, one.candidate)) for one in named)
            self._equal = {one for one, number in numbers.items() if number > 1}
        if caption not in self._equal:
            return alike
        place = self._places[caption]
        self._places[caption] += 1
        before = [row for row in alike if row["id"] < NEW]
        return [before[min(place, len(before) - 1)]] if before else alike[place : place + 1]

    def _contradiction(
        self, record: Record, given: Row, samples: Sequence[Row], stored: Sequence[Mapping[str, Row]]
    ) -> BadRow | None:
        for row in samples:
            if row["candidate"] != record.candidate and one_line(row["candidate"]) != one_line(record.candidate):
                expected = f"the caption already stored for {row['key']}"
                return BadRow(record.file, record.row, "caption", expected, one_line(record.candidate))
            if record.system and row["system"] not in (None, record.system):
                expected = f"the captioner already stored for {row['key']}: {row['system']}"
                return BadRow(record.file, record.row, "system", expected, record.system)
            for name in _contradicted(record, given, row) if not self._replaces else ():
                expected = f"the value already stored for {row['key']}: {_value(row[name])!r:.80}; {_TO_REPLACE}"
                return BadRow(record.file, record.row, name, expected, _value(given[name]))
        for scores in stored or [{}]:  # a record may contradict itself
            earlier = {} if self._replaces else {signature: one["value"] for signature, one in scores.items()}
            for outcome in record.scores:
                value = outcome.value if isinstance(outcome, Score) else None
                if earlier.setdefault(outcome.signature, value) != value:
                    expected = f"the same score as before ({earlier[outcome.signature]}), or a signature other than "
                    expected += f"{outcome.signature}; {_TO_REPLACE}"
                    return BadRow(record.file, record.row, f"score of {outcome.metric}", expected, value)
        return None

    def _fill(self, record: Record, given: Row, row: Row) -> None:
        filled = {name: given[name] for name in FILLED if not _is_set(row[name]) and _is_set(given[name])}
        if self._replaces:
            filled |= {name: given[name] for name in _contradicted(record, given, row)}
        if record.key is not None and row["key"] != record.key:  # its key was made
            filled["key"] = record.key
        if filled:
            self._staging.put("samples", row | filled | {"is_read": 1, "is_changed": 1})
        elif not row["is_read"]:
            self._staging.mark_read("samples", row["id"])

    def _new_sample(self, record: Record, image: ImageRef, given: Row) -> Row:
        pair = record.pair
        row = {
            "id": self._staging.new_id("samples"),
            "image": self._picture(record.image, image)["id"],
            "identity": identity_of(record.image, record.candidate),
            "key": record.key or self._made_key(record, image),
            "candidate": record.candidate,
            "pair": None if pair is None else json.dumps({name: getattr(pair, name) for name in pair.__slots__}),
            "is_read": 1,
            "is_changed": 1,
            **given,
        }
        self._staging.put("samples", row)
        return row

    def _made_key(self, record: Record, image: ImageRef) -> str:
        stem, caption = sample_identity(record.image, record.candidate)
        key = f"{MADE_KEY}{stem}#{hashlib.sha256(caption.encode()).hexdigest()[:12]}"
        names = chain((key, f"{key}#{str(image.sha256)[:12]}"), (f"{key}#{number}" for number in count(2)))
        return next(one for one in names if not self._staging.find("samples", "key", one))

    def _picture(self, name: str, image: ImageRef) -> Row:
        """Return the picture with this name. If it is a different picture, its name gets a checksum."""
        found = self._staging.find("images", "name", name)
        if found and _differs(found[0]["sha256"], image):
            name = f"{str(image.sha256)[:12]}/{name}"
            found = self._staging.find("images", "name", name)
        if not found:
            number = self._staging.new_id("images")
            found = [{"id": number, "name": name, **dict.fromkeys(PICTURE), "vocabulary": "[]", "is_changed": 1}]
            self._staging.put("images", found[0])
        return found[0]

    def _show(self, number: int, image: ImageRef) -> None:
        """Store a picture's file if it is missing."""
        (row,) = self._staging.find("images", "id", number)
        is_filled = row["path"] is None and image.path is not None
        if is_filled:
            row |= {"path": str(image.path), "sha256": image.sha256, "width": image.width, "height": image.height}
        if is_filled:
            self._staging.put("images", row | {"is_read": 1, "is_changed": 1})
        elif not row["is_read"]:
            self._staging.mark_read("images", number)

    def _add_scores(self, sample: int, outcomes: Iterable[Outcome], stored: Mapping[str, Row]) -> None:
        scores = dict(stored)
        for outcome in outcomes:
            row, value = scores.get(outcome.signature), outcome.value if isinstance(outcome, Score) else None
            if row is not None and row["value"] == value and (row["explained"] or not _is_explained(outcome)):
                self._staging.mark_read("scores", row["id"])
                continue
            changed = _texts(outcome_columns(outcome))
            if row is None:
                row = {"id": self._staging.new_id("scores"), "sample": sample}
            elif row["value"] != value:  # a stored value differs only with --replace
                changed["is_replaced"] = 1
            else:
                changed = {name: changed[name] for name in EXPLAINED}
            scores[outcome.signature] = row | changed | {"is_read": 1, "is_changed": 1}
            self._staging.put("scores", scores[outcome.signature])


def _is_explained(outcome: Outcome) -> bool:
    return isinstance(outcome, Score) and any(text.strip() for text in outcome.explanation.rationales.values())


def _texts(columns: Row) -> Row:
    """Return columns as SQLite stores them. Lists and dictionaries become JSON."""
    return {name: json.dumps(one) if isinstance(one, list | dict) else one for name, one in columns.items()}


def _values(record: Record) -> Row:
    return {
        "references": json.dumps(record.references) if record.references else "[]",
        "human": record.human,
        "judgements": json.dumps(record.judgements) if record.judgements else "[]",
        "system": record.system,
        "own": json.dumps(dict(record.own)) if record.own else None,
    }


def _value(stored: Any) -> Any:
    return json.loads(stored) if isinstance(stored, str) else stored


def _is_set(stored: object) -> bool:
    return stored not in (None, "", "[]", "null")


def _contradicted(record: Record, given: Row, row: Row) -> list[str]:
    """Return the columns in which a record's own values differ from stored ones."""
    if not record.image_is_relative and record.key is None:
        return []
    different = [name for name in FILLED if row[name] != given[name] and name != "system"]
    both = [name for name in different if _is_set(given[name]) and _is_set(row[name])]
    return [name for name in both if not _equal(_value(row[name]), _value(given[name]))]


def _equal(stored: Any, given: Any) -> bool:
    if isinstance(stored, float) and isinstance(given, float):
        return math.isclose(stored, given, abs_tol=1e-9)
    return bool(stored == given)


def _differs(sha256: str | None, image: ImageRef) -> bool:
    """Return whether a stored and an imported picture are known to differ."""
    return sha256 not in (None, image.sha256) and image.sha256 is not None


def _by_path(alike: list[tuple[Row, str]], path: str) -> list[Row]:
    """Return the samples whose picture has this path, or else a path of which one is the end of the other.

    alike: samples with the names of their pictures. Raises NotFound if these are several pictures.
    """
    exact = [(row, name) for row, name in alike if parts_of(name) == parts_of(path)]
    fitting = exact or [(row, name) for row, name in alike if is_ending(name, path)]
    pictures = sorted({name for _, name in fitting})
    if len(pictures) > 1:
        raise NotFound(f"{path} names several pictures: {' and '.join(pictures[:3])}")
    return [row for row, _ in fitting]


def _by_captioner(alike: list[Row], system: str | None) -> list[Row]:
    """Return the samples of a captioner, or else those without one: two captioners may write the same caption."""
    if system is None:
        return alike
    return [row for row in alike if row["system"] == system] or [row for row in alike if row["system"] is None]
