"""Match the records of an import with samples, and find contradictions before anything is written.

Each record finds its sample among the stored or new ones, fills the sample's gaps, or makes a new sample.
"""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

from core.datasets.base import Record
from core.errors import BadRow, NotFound
from core.picture_names import is_ending, parts_of
from core.types import ImageRef, Outcome, Score, one_line, sample_identity
from storage.data.annotations import annotation_rows
from storage.data.outcome_columns import outcome_columns
from storage.data.staging import EXPLAINED, FILLED, NEW, PICTURE, Row, Staging

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
        self._has_made_keys = staging.has_keys_from(MADE_KEY)
        self._has_identities = False
        self._equal: set[tuple[Path, str]] | None = None  # captions that a file contains several times; see _distinct
        self._places = Counter[tuple[Path, str]]()
        # The samples and pictures of a batch
        self._keys: dict[str, Row] = {}
        self._identities: dict[str, list[Row]] = {}
        self._names: dict[str, Row] = {}

    def add(self, batch: Sequence[tuple[Record, ImageRef]]) -> list[BadRow]:
        """Add records with their pictures. Return how some of them contradict other data."""
        staging = self._staging
        keys = {one.key for one, _ in batch if one.key is not None}
        alike = {_identity(one.image, one.candidate) for one, _ in batch if one.key is None or self._has_made_keys}
        if alike and not self._has_identities:
            self._has_identities = True
            captions = staging.stored_captions()
            staging.add_identities((_identity(name, caption), number) for number, name, caption in captions)
        names = {one.image for one, _ in batch}
        staging.load(keys, alike, names | {_with_checksum(one.image, image) for one, image in batch if image.sha256})
        self._names = {row["name"]: row for row in staging.images.values()}
        self._keys = {row["key"]: row for row in staging.samples.values()}
        self._identities = {}
        for row in staging.samples.values() if alike else ():
            identity = _identity(staging.images[row["image"]]["name"], row["candidate"])
            self._identities.setdefault(identity, []).append(row)
        problems = [self._add(record, image) for record, image in batch]
        staging.keep()
        return [problem for problem in problems if problem is not None]

    def _add(self, record: Record, image: ImageRef) -> BadRow | None:
        """Add a record, or return how it contradicts other data."""
        try:
            samples = self._samples_of(record, image)
        except NotFound as unsure:
            return BadRow(record.file, record.row, "image", f"a path that names one picture ({unsure})", record.image)
        if self._known_only and not samples:
            caption = one_line(record.candidate)
            return BadRow(record.file, record.row, "caption", "a picture and caption of the data set", caption)
        given = _values(record)
        problem = self._contradiction(record, given, samples)
        if problem is not None:
            return problem
        for row in samples or [self._new_sample(record, image, given)]:
            self._fill(record, given, row)
            self._show(row["image"], image)
            self._add_scores(row["id"], record.scores)
        return None

    def _samples_of(self, record: Record, image: ImageRef) -> list[Row]:
        if record.key is not None:
            found = self._keys.get(record.key)
            if found or not self._has_made_keys:
                return [found] if found else []
        identity, images = _identity(record.image, record.candidate), self._staging.images
        alike = [(row, images[row["image"]]) for row in self._identities.get(identity, ())]
        alike = [(row, picture) for row, picture in alike if not _differs(picture["sha256"], image)]
        same = _by_captioner(_by_path([(row, picture["name"]) for row, picture in alike], record.image), record.system)
        if record.key is not None:
            return [row for row in same if row["key"].startswith(MADE_KEY)][:1]
        return self._distinct((record.file, identity), same) if record.is_sample else same

    def _distinct(self, caption: tuple[Path, str], alike: list[Row]) -> list[Row]:
        """Return the sample of a record whose file may have several samples with the same picture and caption.

        The first such record belongs to the first stored sample, and so on. When no stored sample is left, the
        remaining records belong to the last one. If no sample is stored, each record gets a new sample.
        """
        if self._equal is None:
            named = (one for one in self._records if one.key is None and one.is_sample)
            numbers = Counter((one.file, _identity(one.image, one.candidate)) for one in named)
            self._equal = {one for one, number in numbers.items() if number > 1}
        if caption not in self._equal:
            return alike
        place = self._places[caption]
        self._places[caption] += 1
        before = [row for row in alike if row["id"] < NEW]
        return [before[min(place, len(before) - 1)]] if before else alike[place : place + 1]

    def _contradiction(self, record: Record, given: Row, samples: Sequence[Row]) -> BadRow | None:
        """Return how the record contradicts stored data or itself, or None."""
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
        for scores in [self._staging.scores[row["id"]] for row in samples] or [{}]:  # a record may contradict itself
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
            del self._keys[row["key"]]
            filled |= {"key": record.key, "is_renamed": 1}
            self._keys[record.key] = row
        if filled:
            row |= filled
            self._staging.changed["samples"][row["id"]] = row
        self._staging.read["samples"].add(row["id"])

    def _new_sample(self, record: Record, image: ImageRef, given: Row) -> Row:
        pair, number = record.pair, next(self._staging.new_ids)
        row = {
            "id": number,
            "image": self._picture(record.image, image)["id"],
            "identity": _identity(record.image, record.candidate),
            "key": record.key or self._made_key(record, image),
            "candidate": record.candidate,
            "pair": None if pair is None else json.dumps({name: getattr(pair, name) for name in pair.__slots__}),
            **given,
        }
        self._staging.samples[number] = self._staging.changed["samples"][number] = self._keys[row["key"]] = row
        self._staging.scores[number] = {}
        self._identities.setdefault(row["identity"], []).append(row)
        return row

    def _made_key(self, record: Record, image: ImageRef) -> str:
        self._has_made_keys = True
        stem, caption = sample_identity(record.image, record.candidate)
        key = f"{MADE_KEY}{stem}#{hashlib.sha256(caption.encode()).hexdigest()[:12]}"
        names = chain((key, f"{key}#{str(image.sha256)[:12]}"), (f"{key}#{number}" for number in count(2)))
        return next(one for one in names if one not in self._keys and not self._staging.is_key(one))

    def _picture(self, name: str, image: ImageRef) -> Row:
        """Return the picture with this name. If it is a different picture, its name gets a checksum."""
        found = self._names.get(name)
        if found is not None and _differs(found["sha256"], image):
            name = _with_checksum(name, image)
            found = self._names.get(name)
        if found is None:
            number = next(self._staging.new_ids)
            found = {"id": number, "name": name, **dict.fromkeys(PICTURE), "vocabulary": "[]"}
            self._staging.images[number] = self._staging.changed["images"][number] = self._names[name] = found
        return found

    def _show(self, number: int, image: ImageRef) -> None:
        """Store a picture's file and regions if they are missing."""
        row, filled = self._staging.images[number], Row()
        if row["path"] is None and image.path is not None:
            size = {"width": image.width, "height": image.height}
            filled = {"path": str(image.path), "sha256": image.sha256, **size}
        if image.regions and number not in self._staging.annotated:
            regions = annotation_rows(row | filled, image.regions)
            if regions:
                self._staging.regions += [region | {"image": number} for region in regions]
                self._staging.annotated.add(number)
                filled["vocabulary"] = json.dumps(list(image.vocabulary))
        if filled:
            row |= filled
            self._staging.changed["images"][number] = row
        self._staging.read["images"].add(number)

    def _add_scores(self, sample: int, outcomes: Iterable[Outcome]) -> None:
        scores = self._staging.scores[sample]
        for outcome in outcomes:
            value, row = outcome.value if isinstance(outcome, Score) else None, scores.get(outcome.signature)
            is_explained = isinstance(outcome, Score) and any(map(str.strip, outcome.explanation.rationales.values()))
            is_changed = row is None or value != row["value"]  # a stored value differs only with --replace
            if row is None or is_changed or (is_explained and not row["explained"]):
                columns = _texts(outcome_columns(outcome))
                row = row or {"id": next(self._staging.new_ids), "sample": sample, "is_replaced": 0}
                row |= columns | {"is_replaced": 1} if is_changed else {name: columns[name] for name in EXPLAINED}
                scores[outcome.signature] = self._staging.changed["scores"][row["id"]] = row
            self._staging.read["scores"].add(row["id"])


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


def _identity(image: str, candidate: str) -> str:
    """Return a digest that identifies samples without a key."""
    text = "\0".join(sample_identity(image, candidate))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _with_checksum(name: str, image: ImageRef) -> str:
    return f"{str(image.sha256)[:12]}/{name}"


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
