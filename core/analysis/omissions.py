"""Objects that captions omit, according to a metric that compares captions with regions. No judgements are needed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.arrays import Ints

if TYPE_CHECKING:
    import pandas as pd

UNNAMED = "(no label)"


@dataclass(frozen=True, slots=True, eq=False)
class Mentions:
    """A metric's precision and recall of each caption, and whether the caption mentions each region of its picture."""

    captions: "pd.DataFrame"  # precision, recall; NaN: unknown; index: sample ids in rising order
    regions: "pd.DataFrame"  # sample, label (or UNNAMED), mentioned; a region that is the whole picture has no row

    def of(self, samples: Ints) -> "Mentions":
        """Return only some samples."""
        captions, regions = self.captions, self.regions
        return Mentions(captions[captions.index.isin(samples)], regions[regions["sample"].isin(samples)])


def label_counts(mentions: Mentions) -> "pd.DataFrame":
    """Count the captions and regions of each label, and those that are omitted. The most often omitted label is first.

    index: label. Columns: captions, omitted (captions that mention no region of the label), regions, regions_omitted.
    """
    each = _labels(mentions).groupby("label")
    counts = each.agg(captions=("regions", "size"), omitted=("silent", "sum"), regions=("regions", "sum"))
    counts["regions_omitted"] = each["regions_omitted"].sum()
    return counts.sort_values(["omitted", "captions"], ascending=False, kind="stable")


def most_omitted(mentions: Mentions) -> "pd.DataFrame":
    """Return the captions that omit a region: first those with most omitted labels, then with most omitted regions.

    A label is omitted if the caption mentions none of its regions. index: sample. Columns: labels (the omitted labels;
    the label with the most regions is first), regions, regions_omitted.
    """
    each = _labels(mentions)
    found = each.groupby("sample")[["regions", "regions_omitted"]].sum()
    silent = each[each["silent"]].sort_values("regions", ascending=False, kind="stable").groupby("sample")["label"]
    found = found.assign(labels=silent.agg(", ".join), count=silent.size()).fillna({"labels": "", "count": 0})
    found = found[found["regions_omitted"] > 0]
    return found.sort_values(["count", "regions_omitted"], ascending=False, kind="stable")


def _labels(mentions: Mentions) -> "pd.DataFrame":
    """Return the number of regions of each caption and label, sorted by both."""
    each = mentions.regions.groupby(["sample", "label"])["mentioned"].agg(regions="size", said="sum").reset_index()
    return each.assign(regions_omitted=each["regions"] - each["said"], silent=each["said"] == 0)
