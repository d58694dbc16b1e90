"""Match an import's records with a data set's samples.

Find what contradicts stored data, and what must be added to it.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import chain, count
from typing import Any

from core.datasets.base import Record
from core.errors import BadRow, NotFound
from core.picture_names import is_ending, parts_of
from core.types import ImageRef, Outcome, Score, one_line
from storage.data.import_plan import (
    MADE_KEY,
    KnownScore,
    Ledger,
    caption_digest,
    identity_digest,
    key_with_picture,
    made_key,
    name_with_picture,
)
from storage.data.outcome_columns import outcome_columns

_EXPLAINED = ("rationales", "phrases", "regions", "cut", "encoder", "explained")


class Alike:
    """Distinguishes samples that have the same picture and caption in one file."""

    def __init__(self, counted: Callable[[Record], int]) -> None:
        """Set the function that counts equal records of a file.

        counted: gets a record without a key. Returns how many such records of the file have the same picture and
        caption.
        """
        self._counted = counted
        self._seen: Counter[Hashable] = Counter()

    def samples(self, ledger: Ledger, record: Record, alike: list[int]) -> list[int]:
        """Return the samples of a record without a key.

        alike: the known samples with the record's picture and caption. If no other record of the file has the same
        picture and caption, the result is all of `alike`. If several such records exist, the first record belongs to
        the first visible sample, and so on. When no visible sample is left, the remaining records belong to the last
        one. If no sample is visible yet, each record gets a new sample.
        """
        if not record.is_sample or self._counted(record) < 2:
            return alike
        name = record.file, identity_digest(record.image, record.candidate)
        place = self._seen[name]
        self._seen[name] += 1
        before = [sample for sample in alike if ledger.samples[sample].visible]
        return [before[min(place, len(before) - 1)]] if before else alike[place : place + 1]


def add_record(
    ledger: Ledger,
    record: Record,
    image: ImageRef,
    alike: Alike,
    taken: Callable[[str], set[str]],
    known_only: bool = False,
) -> BadRow | None:
    """Add a record to the import's ledger, or return how it contradicts other data.

    A record can contradict stored data or itself. taken: a function that returns all stored sample keys that begin with
    a given text. known_only: True: a record without a stored sample is also a contradiction.
    """
    try:
        samples = _samples_of(ledger, record, image, alike)
    except NotFound as unsure:
        return BadRow(record.file, record.row, "image", f"a path that names one picture ({unsure})", record.image)
    if known_only and not samples:
        caption = one_line(record.candidate)
        return BadRow(record.file, record.row, "caption", "a picture and caption of the data set", caption)
    problem = _contradiction(ledger, record, samples)
    if problem is not None:
        return problem
    for sample_id in samples:
        _fill_gaps(ledger, record, sample_id)
    for sample_id in samples or [_new_sample(ledger, record, image, taken)]:
        _show_picture(ledger, ledger.samples[sample_id].image_id, image)
        ledger.samples_read.add(sample_id)
        for outcome in record.scores:
            _score(ledger, sample_id, outcome)
    return None


def _image_id(ledger: Ledger, name: str, image: ImageRef) -> int:
    """Return the id of the picture with this name.

    A new picture is added to the ledger, at first without its file. If a different picture already has the name, the
    name is extended by the new picture's checksum.
    """
    if name in ledger.images and _differs(ledger, ledger.images[name], image):
        name = name_with_picture(name, image.sha256)
    if name not in ledger.images:
        missing: dict[str, Any] = {"path": None, "sha256": None, "width": None, "height": None, "vocabulary": []}
        number = ledger.add("images", {"name": name, **missing})
        ledger.images[name], ledger.pictures[number] = number, ledger.new["images"][-1]
    return ledger.images[name]


def _differs(ledger: Ledger, image_id: int, image: ImageRef) -> bool:
    """Return whether a stored and an imported picture are known to differ.

    Their checksums are compared. The result is False if a checksum is unknown.
    """
    return ledger.pictures[image_id]["sha256"] not in (None, image.sha256) and image.sha256 is not None


def _show_picture(ledger: Ledger, image_id: int, image: ImageRef) -> None:
    """Store a picture's file and regions if they are missing."""
    ledger.images_read.add(image_id)
    columns = ledger.pictures[image_id]
    if columns["path"] is None and image.path is not None:
        size = {"width": image.width, "height": image.height}
        values = {"path": str(image.path), "sha256": image.sha256, **size}
        columns.update(values)
        ledger.change("images", image_id, values)
    if image.regions:
        ledger.annotate(image_id, image.regions, image.vocabulary)


def _samples_of(ledger: Ledger, record: Record, image: ImageRef, of_import: Alike) -> list[int]:
    if record.key is not None and record.key in ledger.keys:
        return [ledger.keys[record.key]]
    same_text = ledger.identities.get(identity_digest(record.image, record.candidate), ()) if ledger.identities else ()
    alike = [sample for sample in same_text if not _differs(ledger, ledger.samples[sample].image_id, image)]
    alike = _by_path(ledger, alike, record.image)
    alike = _by_captioner(ledger, alike, record.system)
    if record.key is None:
        return of_import.samples(ledger, record, alike)
    return [sample_id for sample_id in alike if ledger.samples[sample_id].key.startswith(MADE_KEY)][:1]


def _by_path(ledger: Ledger, alike: list[int], path: str) -> list[int]:
    """Return the samples whose picture has this path, or else a path of which one is the end of the other.

    Raises NotFound if these are several pictures.
    """
    names = {sample: ledger.pictures[ledger.samples[sample].image_id]["name"] for sample in alike}
    exact = [sample for sample in alike if parts_of(names[sample]) == parts_of(path)]
    fitting = exact or [sample for sample in alike if is_ending(names[sample], path)]
    pictures = sorted({names[sample] for sample in fitting})
    if len(pictures) > 1:
        raise NotFound(f"{path} names several pictures: {' and '.join(pictures[:3])}")
    return fitting


def _by_captioner(ledger: Ledger, alike: list[int], system: str | None) -> list[int]:
    """Return the samples whose caption a certain captioner wrote.

    If there are none, return the samples without a captioner. The captioner must be compared, because two captioners
    may write the same caption. alike: samples with the same picture and caption. system: the captioner; None: return
    all samples.
    """
    if system is None:
        return alike
    of_captioner = [sample for sample in alike if ledger.samples[sample].system == system]
    return of_captioner or [sample for sample in alike if ledger.samples[sample].system is None]


def _new_sample(ledger: Ledger, record: Record, image: ImageRef, taken: Callable[[str], set[str]]) -> int:
    pair = record.pair
    columns = {
        "image_id": _image_id(ledger, record.image, image),
        "key": record.key or _made_key(ledger, record, image, taken),
        "candidate": record.candidate,
        "references": list(record.references),
        "human": record.human,
        "judgements": list(record.judgements),
        "pair": None if pair is None else {name: getattr(pair, name) for name in pair.__slots__},
        "system": record.system,
        "own": dict(record.own) or None,
    }
    number = ledger.add("samples", columns)
    ledger.enter(ledger.new["samples"][-1], identity_digest(record.image, record.candidate))
    return number


def _made_key(ledger: Ledger, record: Record, image: ImageRef, taken: Callable[[str], set[str]]) -> str:
    key = made_key(record.image, record.candidate)
    for name in (key, key_with_picture(key, image.sha256)):
        if name not in ledger.keys:
            return name
    stored = taken(f"{key}#")
    names = chain(f"{key}#{number}" for number in count(2))
    return next(name for name in names if name not in ledger.keys and name not in stored)


def _contradiction(ledger: Ledger, record: Record, samples: Sequence[int]) -> BadRow | None:
    """Return how the record contradicts stored data or itself, or None.

    A record contradicts itself if it has two values for one score.
    """
    digest = caption_digest(record.candidate) if samples else b""
    for sample_id in samples:
        sample_row = ledger.samples[sample_id]
        if sample_row.caption != digest:
            expected = f"the caption already stored for {sample_row.key}"
            return BadRow(record.file, record.row, "caption", expected, one_line(record.candidate))
        if record.system and sample_row.system not in (None, record.system):
            expected = f"the captioner already stored for {sample_row.key}: {sample_row.system}"
            return BadRow(record.file, record.row, "system", expected, record.system)
        for name, value in _values(record).items() if record.image_is_relative or record.key else ():
            if name in sample_row.values and (value or value == 0.0) and not _equal(sample_row.values[name], value):
                expected = f"the value already stored for {sample_row.key}: {sample_row.values[name]!r:.80}; to store"
                return BadRow(record.file, record.row, name, f"{expected} another value, use a new data set", value)
    stored = {signature: score.value for i in samples for signature, score in ledger.samples[i].scores.items()}
    for outcome in record.scores:
        value = outcome.value if isinstance(outcome, Score) else None
        earlier = stored.setdefault(outcome.signature, value)
        if earlier != value:
            expected = f"the same score as before ({earlier}), or a signature other than {outcome.signature}"
            return BadRow(record.file, record.row, f"score of {outcome.metric}", expected, value)
    return None


def _values(record: Record) -> dict[str, Any]:
    return {
        "references": list(record.references),
        "human": record.human,
        "judgements": list(record.judgements),
        "own": dict(record.own) or None,
    }


def _equal(stored: Any, given: Any) -> bool:
    if isinstance(stored, float) and isinstance(given, float):
        return math.isclose(stored, given, abs_tol=1e-9)
    return bool(stored == given)


def _fill_gaps(ledger: Ledger, record: Record, sample_id: int) -> None:
    stored = ledger.samples[sample_id]
    given = {**_values(record), "system": record.system}
    filled = {name: given[name] for name in stored.gaps if given[name] not in (None, [])}
    stored.gaps = tuple(name for name in stored.gaps if name not in filled)
    stored.system = stored.system or record.system
    if record.key is not None and stored.key.startswith(MADE_KEY):
        filled["key"] = stored.key = record.key
        ledger.keys[record.key] = sample_id
    if filled:
        ledger.touched.add(sample_id)
        ledger.change("samples", sample_id, filled)


def _score(ledger: Ledger, sample_id: int, outcome: Outcome) -> None:
    scores = ledger.samples[sample_id].scores
    stored = scores.get(outcome.signature)
    if stored is None:
        columns = outcome_columns(outcome)
        number = ledger.add_score(sample_id, columns)
        stored = KnownScore(number, columns["value"], columns["explained"])
    elif not stored.explained:
        columns = outcome_columns(outcome)
        if columns["explained"]:
            ledger.change("scores", stored.id, {name: columns[name] for name in _EXPLAINED})
            stored = stored._replace(explained=True)
    ledger.scores_read.add(stored.id)
    if scores.get(outcome.signature) != stored:
        scores[outcome.signature] = stored
        ledger.touched.add(sample_id)
