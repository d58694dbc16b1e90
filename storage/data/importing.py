"""Adding samples and scores to a data set: one short transaction for a whole import.

Pictures are looked for, hashed and thumbnailed before it begins, and what the data set holds is read before it, too:
it only checks that nobody has written meanwhile, and writes. So raters' saves never wait for an import.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import closing
from itertools import chain, count
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from core.datasets.base import Record
from core.errors import BadRow
from core.types import ImageRef, Outcome, Score, one_line, sample_identity
from storage.data.import_plan import MADE_KEY, KnownScore, Ledger, caption_digest, identity_digest
from storage.data.outcome_columns import outcome_columns
from storage.database import Database
from storage.types import ImportCounts

OnBad = Callable[[BadRow], None]
MOST_READINGS = 3  # beside a writer that changes the data all the time, the last one is done while nobody else writes


def add_records(
    database: Database,
    dataset: str,
    records: Iterable[Record],
    images: Mapping[str, ImageRef],
    on_bad: OnBad,
    folder: Path | None = None,
) -> ImportCounts:
    """Add records to a data set, which is made if need be; all or nothing.

    records are iterated several times; a Spool keeps many of them out of memory. folder: where rows wait until they
    are written; None: in the system's folder for temporary files.

    images maps every record's picture to what was found of it, with its annotated regions. A record finds its sample
    by key, else by image and caption, else makes a new one. What is there already is left as it is; gaps are filled.
    on_bad gets a row that contradicts what is stored, and raises to stop the import.
    """
    for _ in range(MOST_READINGS - 1):
        with database.read() as connection:
            ledger = Ledger.of(connection, dataset, folder)
        with closing(ledger):
            problems = _add_all(ledger, records, images)
            with database.write() as connection:
                if ledger.is_current(connection):
                    return _write(connection, ledger, problems, on_bad)
    with database.write() as connection, closing(Ledger.of(connection, dataset, folder)) as ledger:
        return _write(connection, ledger, _add_all(ledger, records, images), on_bad)


def _add_all(ledger: Ledger, records: Iterable[Record], images: Mapping[str, ImageRef]) -> list[BadRow]:
    """Enter records into the ledger; returns those that contradict what is there and are left out."""
    alike = _Alike(ledger, records)
    problems = (_add(ledger, record, images[record.picture], alike) for record in records)
    return [problem for problem in problems if problem is not None]


def _write(connection: Connection, ledger: Ledger, problems: Sequence[BadRow], on_bad: OnBad) -> ImportCounts:
    for problem in problems:
        on_bad(problem)
    ledger.flush(connection)
    return ledger.counts()


class _Alike:
    """Tells apart the records of one file that are a sample each, although picture and caption are the same."""

    def __init__(self, ledger: Ledger, records: Iterable[Record]) -> None:
        self._first_new, self._records = ledger.next_id["samples"], records
        self._counts: Counter[Hashable] | None = None
        self._seen: Counter[Hashable] = Counter()

    def samples(self, record: Record, alike: list[int]) -> list[int]:
        """Return which of the samples alike a record without a key means: all, unless it is one of several records.

        Then the first record means the first sample, and so on; the last one again where fewer were known before,
        and none, so that one is made, where none was.
        """
        if not record.is_sample or self._count(name := _in_file(record)) < 2:
            return alike
        place = self._seen[name]
        self._seen[name] += 1
        before = sorted(sample for sample in alike if sample < self._first_new)
        return [before[min(place, len(before) - 1)]] if before else alike[place : place + 1]

    def _count(self, name: Hashable) -> int:
        if self._counts is None:  # few formats need it
            self._counts = Counter(_in_file(one) for one in self._records if one.key is None and one.is_sample)
        return self._counts[name]


def _in_file(record: Record) -> Hashable:
    return record.file, identity_digest(record.image, record.candidate)


def _add(ledger: Ledger, record: Record, image: ImageRef, alike: _Alike) -> BadRow | None:
    samples = _samples_of(ledger, record, image, alike)
    problem = _contradiction(ledger, record, samples)
    if problem is not None:
        return problem
    for sample_id in samples:
        _fill_gaps(ledger, record, sample_id)
    for sample_id in samples or [_new_sample(ledger, record, image)]:
        _show_picture(ledger, ledger.samples[sample_id].image_id, image)
        ledger.samples_read.add(sample_id)
        for outcome in record.scores:
            _score(ledger, sample_id, outcome)
    return None


def _image_id(ledger: Ledger, name: str, image: ImageRef) -> int:
    """Return the id of the picture of that name, entered as missing if it is new.

    Another picture of a name that is taken goes by its checksum and its name.
    """
    if name in ledger.images and _differs(ledger, ledger.images[name], image):
        name = f"{str(image.sha256)[:12]}/{name}"
    if name not in ledger.images:
        ledger.images[name] = ledger.take_id("images")
        missing: dict[str, Any] = {"path": None, "sha256": None, "width": None, "height": None, "vocabulary": []}
        columns = {"id": ledger.images[name], "name": name, **missing}
        ledger.pictures[ledger.images[name]] = columns
        ledger.new["images"].append(columns)
    return ledger.images[name]


def _differs(ledger: Ledger, image_id: int, image: ImageRef) -> bool:
    """Return whether a stored picture and one that was found are known to be two."""
    return ledger.pictures[image_id]["sha256"] not in (None, image.sha256) and image.sha256 is not None


def _show_picture(ledger: Ledger, image_id: int, image: ImageRef) -> None:
    """Fill in what was found of a picture that was missing until now, and the regions of one that had none."""
    ledger.images_read.add(image_id)
    columns = ledger.pictures[image_id]
    if columns["path"] is None and image.path is not None:
        size = {"width": image.width, "height": image.height}
        found = {"path": str(image.path), "sha256": image.sha256, **size}
        columns.update(found)
        ledger.change("images", image_id, found)
    ledger.annotate(image_id, image.regions, image.vocabulary)


def _samples_of(ledger: Ledger, record: Record, image: ImageRef, of_import: _Alike) -> list[int]:
    if record.key is not None and record.key in ledger.keys:
        return [ledger.keys[record.key]]
    same_text = ledger.identities.get(identity_digest(record.image, record.candidate), ())
    alike = [sample for sample in same_text if not _differs(ledger, ledger.samples[sample].image_id, image)]
    if record.key is None:
        return of_import.samples(record, alike)
    return [sample_id for sample_id in alike if ledger.samples[sample_id].key.startswith(MADE_KEY)][:1]


def _new_sample(ledger: Ledger, record: Record, image: ImageRef) -> int:
    sample_id = ledger.take_id("samples")
    pair = record.pair
    columns = {
        "id": sample_id,
        "image_id": _image_id(ledger, record.image, image),
        "key": record.key or _made_key(ledger, record, image),
        "candidate": record.candidate,
        "references": list(record.references),
        "human": record.human,
        "judgements": list(record.judgements),
        "pair": None if pair is None else {name: getattr(pair, name) for name in pair.__slots__},
    }
    ledger.new["samples"].append(columns)
    ledger.enter(columns, record.image)
    return sample_id


def _made_key(ledger: Ledger, record: Record, image: ImageRef) -> str:
    stem, candidate = sample_identity(record.image, record.candidate)
    key = f"{MADE_KEY}{stem}#{hashlib.sha256(candidate.encode()).hexdigest()[:12]}"
    names = [key, f"{key}#{str(image.sha256)[:12]}"]
    return next(name for name in chain(names, (f"{key}#{n}" for n in count(2))) if name not in ledger.keys)


def _contradiction(ledger: Ledger, record: Record, samples: Sequence[int]) -> BadRow | None:
    """Return what the record says otherwise than what is stored, or than itself."""
    digest = caption_digest(record.candidate) if samples else b""
    for sample_id in samples:
        known = ledger.samples[sample_id]
        if known.caption != digest:
            expected = f"the caption already stored for {known.key}"
            return BadRow(record.file, record.row, "caption", expected, one_line(record.candidate))
    stored = {signature: score.value for i in samples for signature, score in ledger.samples[i].scores.items()}
    for outcome in record.scores:
        value = outcome.value if isinstance(outcome, Score) else None
        earlier = stored.setdefault(outcome.signature, value)
        if earlier != value:
            expected = f"{earlier} again, or a signature other than {outcome.signature}"
            return BadRow(record.file, record.row, f"score of {outcome.metric}", expected, value)
    return None


def _fill_gaps(ledger: Ledger, record: Record, sample_id: int) -> None:
    known = ledger.samples[sample_id]
    given: dict[str, Any] = {
        "references": list(record.references),
        "human": record.human,
        "judgements": list(record.judgements),
    }
    filled = {name: given[name] for name in known.gaps if given[name] not in (None, [])}
    known.gaps = tuple(name for name in known.gaps if name not in filled)
    if record.key is not None and known.key.startswith(MADE_KEY):
        filled["key"] = known.key = record.key
        ledger.keys[record.key] = sample_id
    if filled:
        ledger.change("samples", sample_id, filled)


def _score(ledger: Ledger, sample_id: int, outcome: Outcome) -> None:
    columns = outcome_columns(outcome)
    known = ledger.samples[sample_id].scores.get(outcome.signature)
    if known is None:
        columns |= {"id": ledger.take_id("scores"), "sample_id": sample_id}
        ledger.new["scores"].append(columns)
        known = KnownScore(columns["value"], None if columns["explained"] else columns["id"], False)
    elif columns["explained"] and known.unexplained is not None:
        given = {name: columns[name] for name in ("rationales", "phrases", "regions", "cut", "encoder", "explained")}
        ledger.change("scores", known.unexplained, given)
        known = known._replace(unexplained=None)
    ledger.scores_read += not known.is_read
    ledger.enter_score(sample_id, outcome.signature, known._replace(is_read=True))
