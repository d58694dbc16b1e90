"""Report what captions omit, according to metrics that compare captions with regions of the picture.

No human judgements are needed.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.analysis.omissions import LabelCount, LeftOut, Mentions, label_counts, most_left_out
from core.analysis.score_table import Mask
from core.arrays import Floats, Ints
from ui.services.analysis.analyst import Analyst
from ui.services.tables import SHARE, Column, Table, count, number, text

MENTIONS_KEPT = 2  # maximum number of metrics for which the cache stores the regions that captions mention
BINS = 20  # number of bins in each histogram


@dataclass(frozen=True, slots=True)
class ShareRow:
    """The distribution of precision or recall over captions."""

    name: str
    n: int
    mean: float
    lowest_quarter: float
    median: float
    highest_quarter: float


@dataclass(frozen=True, slots=True)
class LabelRow:
    """How often captions omit the objects of one label."""

    label: str
    captions: int  # number of captions whose picture has a region with this label
    left_out: int  # number of `captions` that do not mention the label's objects
    share: float  # left_out / captions
    regions: int
    regions_left_out: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many captions have a precision or recall in each bin."""

    name: str
    edges: list[float]  # edges of the bins, one more than the number of bins
    counts: list[int]


@dataclass(frozen=True, slots=True)
class Omissions:
    """What captions omit, according to one metric."""

    metric: str
    captions: int  # number of captions whose pictures have regions
    shares: Table[ShareRow]
    histograms: list[Histogram]
    labels: Table[LabelRow]


@dataclass(frozen=True, slots=True)
class OmissionRow:
    """A caption that does not mention some objects in its picture."""

    id: int
    key: str
    image: str | None  # address of the picture's thumbnail; None: the picture was not found
    caption: str
    labels: tuple[str, ...]  # labels that the caption does not mention
    regions: int
    regions_left_out: int
    precision: float | None
    recall: float | None


@dataclass(frozen=True, slots=True)
class OmissionPage:
    """One page of captions, those that omit the most objects first."""

    total: int
    first: int
    rows: list[OmissionRow]


class OmissionDesk:
    """Computes which objects captions omit. A metric's results on regions are cached until the data change."""

    def __init__(self, analyst: Analyst) -> None:
        self._analyst = analyst
        self._mentions = lru_cache(MENTIONS_KEPT)(self._read)

    def metrics(self, dataset: str) -> list[str]:
        """Return the metrics that find which regions captions mention. Raises NotFound."""
        return list(self._analyst.workplace.repository.analysis.telling_metrics(dataset))

    def omissions(self, dataset: str, metric: str, slice_name: str | None = None) -> Omissions:
        """Return distributions of precision and recall, and how often captions omit each label. Raises NotFound."""
        found = self._chosen(dataset, metric, slice_name)
        values = {"precision": found.precision, "recall": found.recall}
        known = {name: column[np.isfinite(column)] for name, column in values.items() if np.isfinite(column).any()}
        rows = [_label_row(one) for one in label_counts(found)]
        return Omissions(
            self._analyst.table(dataset).metric(metric).label,
            len(found.sample),
            Table("Precision and recall over captions", _SHARES, [_share(name, of) for name, of in known.items()]),
            [_histogram(name, of) for name, of in known.items()],
            Table("Labels that captions omit most often", _columns(rows), rows),
        )

    def page(self, dataset: str, metric: str, offset: int, limit: int, slice_name: str | None = None) -> OmissionPage:
        """Return a page of captions, those that omit the most objects first. Raises NotFound."""
        found = self._chosen(dataset, metric, slice_name)
        every = most_left_out(found)
        shown = every[offset : offset + limit]
        ids = found.sample[[one.place for one in shown]].tolist() if shown else []
        table, pictures = self._analyst.table(dataset), self._analyst.pictures(ids)
        place = np.searchsorted(table.ids, np.array(ids, dtype=np.int64)).tolist()
        rows = [
            OmissionRow(
                id=id_,
                key=table.keys[at],
                image=pictures.get(id_),
                caption=table.captions[at],
                labels=one.labels,
                regions=one.regions,
                regions_left_out=one.regions_left_out,
                precision=_known(found.precision, one),
                recall=_known(found.recall, one),
            )
            for id_, at, one in zip(ids, place, shown, strict=True)
        ]
        return OmissionPage(len(every), offset + 1, rows)

    def _chosen(self, dataset: str, metric: str, slice_name: str | None) -> Mentions:
        self._analyst.table(dataset).metric(metric)
        found = self._mentions(dataset, metric, self._analyst.stamp(dataset))
        within = self._analyst.chosen(dataset, slice_name)
        return found if within is None else found.where(_members(found, self._analyst.table(dataset).ids[within]))

    def _read(self, dataset: str, metric: str, _stamp: Hashable) -> Mentions:
        return self._analyst.workplace.repository.analysis.mentions(dataset, metric)


def _members(found: Mentions, ids: Ints) -> Mask:
    return np.isin(found.sample, ids)


def _share(name: str, values: Floats) -> ShareRow:
    quarters = np.percentile(values, (25, 50, 75)).tolist()
    return ShareRow(name, len(values), float(values.mean()), *quarters)


def _histogram(name: str, values: Floats) -> Histogram:
    counts, edges = np.histogram(values, bins=BINS, range=(0.0, max(1.0, float(values.max()))))
    return Histogram(name, edges.tolist(), counts.tolist())


def _label_row(one: LabelCount) -> LabelRow:
    share = one.left_out / one.captions
    return LabelRow(one.label, one.captions, one.left_out, share, one.regions, one.regions_left_out)


def _columns(rows: Sequence[LabelRow]) -> tuple[Column, ...]:
    are_single = all((row.regions, row.regions_left_out) == (row.captions, row.left_out) for row in rows)
    return _LABELS if are_single else (*_LABELS, *_REGIONS)


def _known(values: Floats, one: LeftOut) -> float | None:
    return float(values[one.place]) if np.isfinite(values[one.place]) else None


_SHARES = (
    text("of", "name"),
    count("captions", "n"),
    number("mean", "mean"),
    number("upper limit of the lowest quarter", "lowest_quarter"),
    number("median", "median"),
    number("lower limit of the highest quarter", "highest_quarter"),
)
_LABELS = (
    text("label", "label"),
    count("captions of pictures with this label", "captions"),
    count("captions that omit it", "left_out"),
    SHARE,
)
# Shown only if a picture has several regions with one label. Otherwise these counts equal those of captions.
_REGIONS = (count("regions with this label", "regions"), count("regions omitted", "regions_left_out"))
