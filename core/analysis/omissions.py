"""What captions leave out and make up, by a metric's own word: it needs no human judgement."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.score_table import Mask
from core.arrays import Floats, Ints

UNNAMED = "(no label)"


@dataclass(frozen=True, slots=True, eq=False)
class Mentions:
    """A metric's precision and recall, and which regions of its picture each caption mentions."""

    sample: Ints  # (samples,) ids, rising
    precision: Floats  # (samples,) is what is said there; NaN: not told
    recall: Floats  # (samples,) is what is there said; NaN: not told
    place: Ints  # (regions,) index into `sample`
    label: Sequence[str]  # (regions,) UNNAMED where nobody named it; without the region of the whole picture
    mentioned: Mask  # (regions,)

    def where(self, mask: Mask) -> "Mentions":
        """Return the captions for which the mask, (samples,), holds."""
        number = np.cumsum(mask) - 1
        kept = np.flatnonzero(mask[self.place])
        labels = [self.label[i] for i in kept.tolist()]
        columns = (self.sample[mask], self.precision[mask], self.recall[mask])
        return Mentions(*columns, number[self.place[kept]], labels, self.mentioned[kept])


@dataclass(frozen=True, slots=True)
class LabelCount:
    """How often the things of one label were left out."""

    label: str
    captions: int  # of pictures with such a region
    left_out: int  # of those captions, how many mention none of them
    regions: int
    regions_left_out: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What one caption leaves out."""

    place: int  # index into Mentions.sample
    labels: tuple[str, ...]  # of which it mentions none, the most regions first
    regions: int  # of its picture
    regions_left_out: int


def label_counts(mentions: Mentions) -> list[LabelCount]:
    """Count for every label how many captions leave it out, the most often left out first."""
    counts: dict[str, list[int]] = {}
    for labels in _by_caption(mentions).values():
        for label, said in labels.items():
            of = counts.setdefault(label, [0, 0, 0, 0])
            for number, more in enumerate((1, not any(said), len(said), said.count(False))):
                of[number] += more
    rows = [LabelCount(label, *of) for label, of in counts.items()]
    return sorted(rows, key=lambda row: (-row.left_out, -row.captions, row.label))


def most_left_out(mentions: Mentions) -> list[LeftOut]:
    """Return the captions that leave something out, those with the most labels first, then with the most regions."""
    found = [_left_out(place, labels) for place, labels in _by_caption(mentions).items()]
    some = (one for one in found if one.regions_left_out)
    return sorted(some, key=lambda one: (-len(one.labels), -one.regions_left_out, one.place))


def _by_caption(mentions: Mentions) -> dict[int, dict[str, list[bool]]]:
    """Return place of the caption -> label -> for each such region whether it is mentioned."""
    found: dict[int, dict[str, list[bool]]] = {}
    for place, label, said in zip(mentions.place.tolist(), mentions.label, mentions.mentioned.tolist(), strict=True):
        found.setdefault(place, {}).setdefault(label, []).append(said)
    return found


def _left_out(place: int, labels: dict[str, list[bool]]) -> LeftOut:
    silent = sorted(
        (label for label, said in labels.items() if not any(said)), key=lambda one: (-len(labels[one]), one)
    )
    every = [mentioned for said in labels.values() for mentioned in said]
    return LeftOut(place, tuple(silent), len(every), every.count(False))
