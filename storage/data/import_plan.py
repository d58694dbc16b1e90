"""Collect the stored rows to which some records of an import refer, and the rows to write.

New rows have negative numbers until they are written: -1 is the first new row of its table. Nobody may see an
incomplete import, so a new score for a visible sample waits until the end. Waiting scores have numbers from
FIRST_WAITING downwards.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.types import ImageRegion, one_line, sample_identity
from storage.data.annotations import annotation_rows
from storage.tables import ImageRow, SampleRow, ScoreRow

Numbered = ImageRow | SampleRow | ScoreRow
NUMBERED: dict[str, type[Numbered]] = {"images": ImageRow, "samples": SampleRow, "scores": ScoreRow}
MADE_KEY = "~"  # first character of the keys that are generated for samples without a key
FIRST_WAITING = -(10**12)
_FILLED = (
    "references",
    "human",
    "judgements",
    "system",
    "own",
)  # columns that are filled from a later record of the same sample if they are still empty


class KnownScore(NamedTuple):
    """The columns of a stored score that an import needs."""

    id: int
    value: float | None  # value of the score; None: an error instead of a score
    explained: bool


@dataclass(slots=True)
class KnownSample:
    """The columns of a stored sample that an import needs."""

    image_id: int
    key: str
    caption: bytes  # digest of the caption
    gaps: tuple[str, ...]  # empty columns
    visible: bool  # True: the sample's data set is not hidden
    system: str | None = None
    values: dict[str, Any] = field(default_factory=dict)  # values that a later import may not contradict
    scores: dict[str, KnownScore] = field(default_factory=dict)  # by signature


@dataclass(slots=True)
class Ledger:
    """The stored rows to which some records of an import refer, and the rows to add."""

    waiting: int  # number of scores that wait for the end of the import
    images: dict[str, int] = field(default_factory=dict)  # key: image name; value: image id
    pictures: dict[int, dict[str, Any]] = field(default_factory=dict)  # key: image id; value: columns of the image
    annotated: set[int] = field(default_factory=set)  # ids of images with annotated regions
    keys: dict[str, int] = field(default_factory=dict)  # key: sample key; value: sample id
    identities: dict[bytes, tuple[int, ...]] = field(default_factory=dict)  # digest of image and caption -> sample ids
    samples: dict[int, KnownSample] = field(default_factory=dict)  # by id
    new: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {name: [] for name in NUMBERED})
    waiting_scores: list[dict[str, Any]] = field(default_factory=list)
    regions: list[dict[str, Any]] = field(default_factory=list)  # new rows of the table of annotations
    changed: dict[str, dict[int, dict[str, Any]]] = field(default_factory=lambda: {name: {} for name in NUMBERED})
    touched: set[int] = field(default_factory=set)  # samples with new data that are not stored yet
    images_read: set[int] = field(default_factory=set)
    samples_read: set[int] = field(default_factory=set)
    scores_read: set[int] = field(default_factory=set)
    newly_annotated: set[int] = field(default_factory=set)

    def enter(self, columns: Mapping[str, Any], identity: bytes | None = None, visible: bool = False) -> None:
        """Add a stored sample to the import's ledger."""
        sample_id, key = columns["id"], columns["key"]
        gaps = tuple(name for name in _FILLED if not columns[name] and columns[name] != 0)
        digest = caption_digest(columns["candidate"])
        values = {name: columns[name] for name in _FILLED if name not in gaps and name != "system"}
        known = KnownSample(columns["image_id"], key, digest, gaps, visible, columns["system"], values)
        self.samples[sample_id] = known
        self.keys[key] = sample_id
        if identity is not None:
            self.identities[identity] = (*self.identities.get(identity, ()), sample_id)

    def change(self, table: str, row_id: int, columns: Mapping[str, Any]) -> None:
        """Set columns of a new or stored row of a table."""
        self.changed[table].setdefault(row_id, {}).update(columns)

    def annotate(self, image_id: int, regions: Iterable[ImageRegion], vocabulary: Sequence[str]) -> None:
        """Add regions and vocabulary to a picture.

        Does nothing if the picture already has regions or its file is missing. Also does nothing if the regions were
        made for a picture of another size.
        """
        rows = annotation_rows(self.pictures[image_id], regions)
        if rows and image_id not in self.annotated:
            self.annotated.add(image_id)
            self.newly_annotated.add(image_id)
            self.regions += rows
            self.change("images", image_id, {"vocabulary": list(vocabulary)})

    def add(self, table: str, columns: Mapping[str, Any]) -> int:
        """Add a new row to the import's ledger. Return the row's number."""
        rows = self.new[table]
        number = -1 - len(rows)
        rows.append({"id": number, **columns})
        return number

    def add_score(self, sample_id: int, columns: Mapping[str, Any]) -> int:
        """Add a new score to the import's ledger. Return the score's number."""
        if not self.samples[sample_id].visible:
            return self.add("scores", {"sample_id": sample_id, **columns})
        number = FIRST_WAITING - self.waiting
        self.waiting += 1
        self.waiting_scores.append({"id": number, "sample_id": sample_id, **columns})
        return number


def caption_digest(candidate: str) -> bytes:
    """Return a 16-byte digest of a caption, ignoring differences in white space."""
    return _digest(one_line(candidate))


def identity_digest(image: str, candidate: str) -> bytes:
    """Return a 16-byte digest that identifies samples without a key (core.types.sample_identity)."""
    return _digest("\0".join(sample_identity(image, candidate)))


def made_key(image: str, candidate: str) -> str:
    """Return the generated key of the first sample with this picture and caption."""
    stem, caption = sample_identity(image, candidate)
    return f"{MADE_KEY}{stem}#{hashlib.sha256(caption.encode()).hexdigest()[:12]}"


def key_with_picture(key: str, sha256: str | None) -> str:
    """Return a sample's key, extended by a part of its picture's checksum.

    The extended key distinguishes samples of different pictures.
    """
    return f"{key}#{str(sha256)[:12]}"


def name_with_picture(name: str, sha256: str | None) -> str:
    """Return a picture's name, extended by a part of its checksum.

    The name is extended because another picture has the same name.
    """
    return f"{str(sha256)[:12]}/{name}"


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
