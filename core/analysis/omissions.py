"""Objects that captions omit or invent, according to a metric.

No human judgements are needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.score_table import Mask
from core.arrays import Floats, Ints

UNNAMED = "(no label)"


@dataclass(frozen=True, slots=True, eq=False)
class Mentions:
    """A metric's precision and recall of each caption, and whether the caption mentions each region of its picture."""

    sample: Ints  # (samples,) sample ids in rising order
    precision: Floats  # (samples,) share of the caption's content that the picture shows; NaN: unknown
    recall: Floats  # (samples,) share of the picture's content that the caption mentions; NaN: unknown
    place: Ints  # (regions,) index of each region's sample in `sample`
    label: Sequence[str]  # (regions,) each region's label, or UNNAMED; a region that is the whole picture has no entry
    mentioned: Mask  # (regions,)

    def where(self, mask: Mask) -> "Mentions":
        """Return only the samples for which a mask is true.

        A sample is a caption with its picture. mask: (samples,). The regions of the other samples' pictures are also
        omitted.
        """
        number = np.cumsum(mask) - 1
        kept = np.flatnonzero(mask[self.place])
        labels = [self.label[i] for i in kept.tolist()]
        columns = (self.sample[mask], self.precision[mask], self.recall[mask])
        return Mentions(*columns, number[self.place[kept]], labels, self.mentioned[kept])


@dataclass(frozen=True, slots=True)
class LabelCount:
    """How often captions omit the objects with one label, such as "dog"."""

    label: str
    captions: int  # captions whose picture has a region with this label
    left_out: int  # number of `captions` that mention no region with this label
    regions: int
    regions_left_out: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The objects that one caption omits."""

    place: int  # index into Mentions.sample
    labels: tuple[str, ...]  # omitted labels; the label with the most regions in the picture comes first
    regions: int  # number of regions in the picture with these labels
    regions_left_out: int


def label_counts(mentions: Mentions) -> list[LabelCount]:
    """For each label, count the captions that omit it. The most often omitted label comes first."""
    counts: dict[str, list[int]] = {}
    for labels in _by_caption(mentions).values():
        for label, mentioned in labels.items():
            of = counts.setdefault(label, [0, 0, 0, 0])
            for number, more in enumerate((1, not any(mentioned), len(mentioned), mentioned.count(False))):
                of[number] += more
    rows = [LabelCount(label, *of) for label, of in counts.items()]
    return sorted(rows, key=lambda row: (-row.left_out, -row.captions, row.label))


def most_left_out(mentions: Mentions) -> list[LeftOut]:
    """Return the omitted objects of each caption that omits any object.

    Each region of a picture shows an object, and its label names the object. A label is omitted if the caption mentions
    none of the label's regions. Captions with the most omitted labels come first. Captions with equally many omitted
    labels are sorted by the number of omitted regions.
    """
    captions = [_left_out(place, labels) for place, labels in _by_caption(mentions).items()]
    some = (one for one in captions if one.regions_left_out)
    return sorted(some, key=lambda one: (-len(one.labels), -one.regions_left_out, one.place))


def _by_caption(mentions: Mentions) -> dict[int, dict[str, list[bool]]]:
    """Return, for each caption and label, whether each region is mentioned.

    The outer key is the caption's index, the inner key is a label of the caption's picture. The value has one entry for
    each of the picture's regions with this label.
    """
    by_caption: dict[int, dict[str, list[bool]]] = {}
    for place, label, is_mentioned in zip(
        mentions.place.tolist(), mentions.label, mentions.mentioned.tolist(), strict=True
    ):
        by_caption.setdefault(place, {}).setdefault(label, []).append(is_mentioned)
    return by_caption


def _left_out(place: int, labels: dict[str, list[bool]]) -> LeftOut:
    silent = sorted(
        (label for label, mentioned in labels.items() if not any(mentioned)), key=lambda one: (-len(labels[one]), one)
    )
    every = [is_mentioned for mentioned in labels.values() for is_mentioned in mentioned]
    return LeftOut(place, tuple(silent), len(every), every.count(False))
