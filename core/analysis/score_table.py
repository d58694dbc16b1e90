"""Samples, human judgements and scores of a data set as columns, which every section of Analyse uses.

A column of scores has a name that every table, plot, slice, file and web address uses: "HICE-S" for a metric's score,
"HICE-S#precision" for a component of that score. The numeric components of a score can be columns, such as the score
before smoothing ("raw"), precision and recall.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.errors import NotFound
from core.types import OWN, RAW, Variant

if TYPE_CHECKING:
    import pandas as pd

Mask = NDArray[np.bool_]
Version = tuple[str, str]  # metric, signature
MARK = "#"  # separates a metric's name from the name of a component of its score
MOST_LEVELS = 12  # if samples have more different medians than this, they are grouped by fifths of the mean judgement
FIFTHS = ("0–0.2", "0.2–0.4", "0.4–0.6", "0.6–0.8", "0.8–1")
LONGEST_PART = 48  # maximum characters of a metric's settings in its label; a full signature is much longer


def part_name(metric: str, part: str) -> str:
    """Return the name of the column with one component of a metric's scores, such as "HICE-S#precision"."""
    return f"{metric}{MARK}{part}"


def split(column: str) -> tuple[str, str]:
    """Split a column's name into the metric's column name and the component ("" for the metric's own score)."""
    metric, mark, part = column.rpartition(MARK)
    return (metric, part) if mark and metric and part else (column, "")


@dataclass(frozen=True, slots=True, eq=False)
class MetricColumn:
    """The scores of one metric, or one component of them, with one entry per sample; NaN: no score."""

    name: str  # the metric's name, or its signature if the metric has several of them
    metric: str  # the metric's name in papers
    label: str  # the name that people see; see metric_labels
    scale: tuple[float, float]  # lowest and highest possible value
    value: Floats  # (samples,) scores within `scale`
    raw: Floats  # (samples,) scores before smoothing
    signature: str = ""  # all settings that can change the scores
    by_people: bool = False  # True: people gave the scores, so the column is not compared with human judgement
    part: str = ""  # the component of the score that `value` contains, such as recall; "": the whole score

    @property
    def unit(self) -> Floats:
        """The scores rescaled to [0, 1], for comparison with human judgement."""
        low, high = self.scale
        return (self.value - low) / (high - low)

    @property
    def has_raw(self) -> bool:
        """Return whether any sample has a raw score (a score before smoothing)."""
        return bool(np.isfinite(self.raw).any())

    @property
    def own(self) -> str:
        """The name of the column with the metric's whole score."""
        return split(self.name)[0] if self.part else self.name

    @property
    def variants(self) -> dict[Variant, Floats]:
        """The scores to compare with human judgement: the metric's own score first, then the raw score."""
        if not np.isfinite(self.value).any():
            return {}
        if self.part:
            return {self.part: self.value}
        return {OWN: self.value, RAW: self.raw} if self.has_raw else {"": self.value}

    def at(self, places: Ints) -> "MetricColumn":
        """Return this column with only the samples at these indices."""
        return replace(self, value=self.value[places], raw=self.raw[places])


def part_column(scores: MetricColumn, part: str, values: Floats) -> MetricColumn:
    """Return a component of a metric's scores as a separate column.

    A component has the metric's scale if all its values lie in that scale. Otherwise its scale is the range of its
    values, extended to include 0.
    """
    low, high = scores.scale
    finite = values[np.isfinite(values)]
    if len(finite) and not (low <= finite.min() and finite.max() <= high):
        low = min(0.0, float(finite.min()))
        high = max(float(finite.max()), low + 1)
    name, label = part_name(scores.name, part), f"{scores.label} {part}"
    raw = np.full(len(values), np.nan)
    return replace(scores, name=name, label=label, scale=(low, high), value=values, raw=raw, part=part)


Parts = Mapping[str, MetricColumn]  # key: component


def part_columns(scores: MetricColumn, places: Ints, components: Iterable[Mapping[str, object]]) -> Parts:
    """Return the components of a metric's scores that are numbers. places: the sample of each mapping of components."""
    values: dict[str, Floats] = {}
    for place, known in zip(places.tolist(), components, strict=True):
        for name, value in known.items():
            if isinstance(value, int | float):
                values.setdefault(name, np.full(len(scores.value), np.nan))[place] = value
    return {name: part_column(scores, name, of) for name, of in values.items() if np.isfinite(of).any()}


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """A data set's samples with their judgements and scores."""

    # One row per sample: id, key, caption, image (the picture's id), picture (its name, with folders), cluster (number
    # of the picture's file name: intervals are over clusters), human (mean judgement, [0, 1]; NaN: not judged), level
    # (median judgement on the data set's own scale; NaN: no single judgements), counts (single judgements),
    # captioner (a category; missing: unknown), pair (a Pair or None)
    samples: "pd.DataFrame"
    judgements: Floats  # single judgements on the data set's own scale, in the order of the samples
    metrics: Mapping[str, MetricColumn]
    parts: Callable[[str], Parts] = lambda _metric: {}  # reads the components of a metric's column

    def __getitem__(self, column: str) -> NDArray[Any]:
        """Return a column of `samples` as an array, (samples,)."""
        values: NDArray[Any] = self.samples[column].to_numpy()
        return values

    def __len__(self) -> int:
        return len(self.samples)

    @property
    def compared(self) -> dict[str, MetricColumn]:
        """The columns to compare with human judgements. Columns of human scores are excluded."""
        return {name: column for name, column in self.metrics.items() if not column.by_people}

    @property
    def has_pairs(self) -> bool:
        """Return whether people compared captions in pairs."""
        return any(pair is not None for pair in self["pair"])

    @property
    def is_rated(self) -> bool:
        """Return whether people judged any of these samples singly."""
        return bool(np.isfinite(self["human"]).any())

    @property
    def is_judged(self) -> bool:
        """Return whether people judged any of these samples, singly or in pairs."""
        return bool(len(self.judgements) or self.is_rated or self.has_pairs)

    def find(self, name: str) -> MetricColumn | None:
        """Return the column with this name; None if there is no such column."""
        if name in self.metrics:
            return self.metrics[name]
        metric, part = split(name)
        if not part or metric not in self.metrics:
            return None
        own = self.metrics[metric]
        return part_column(own, part, own.raw) if part == RAW and own.has_raw else self.parts(metric).get(part)

    def metric(self, name: str) -> MetricColumn:
        """Return the column with this name. Raises NotFound, which lists the metrics with scores."""
        column = self.find(name)
        if column is not None:
            return column
        metric, part = split(name)
        if part and metric in self.metrics:
            raise NotFound(f"The scores of {metric!r} have no component {part!r} here.")
        there = ", ".join(self.metrics) or "none yet"
        raise NotFound(f"There are no scores of {name!r} here. Metrics with scores: {there}.")

    def with_raw(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the names, with "METRIC#raw" after each metric that smooths its scores. Raises NotFound."""
        both = ([name, part_name(name, RAW)] if self.metric(name).has_raw else [name] for name in names)
        return tuple(dict.fromkeys(name for of_metric in both for name in of_metric))

    def judgements_of(self, places: Ints) -> list[Floats]:
        """Return the single judgements of the samples at these indices."""
        ends = np.cumsum(self["counts"])
        starts = ends - self["counts"]
        return [self.judgements[starts[at] : ends[at]] for at in places.tolist()]

    def where(self, mask: Mask) -> "ScoreTable":
        """Return only the samples where the mask is true."""
        kept = np.flatnonzero(mask)
        metrics = {name: column.at(kept) for name, column in self.metrics.items()}

        def parts(metric: str) -> Parts:
            return {part: column.at(kept) for part, column in self.parts(metric).items()}

        samples = self.samples.iloc[kept].reset_index(drop=True)
        return ScoreTable(samples, self.judgements[np.repeat(mask, self["counts"])], metrics, parts)


def falling(values: Floats, chosen: Mask | None = None) -> Ints:
    """Return the indices of the values that are not NaN, largest value first; equal values keep their order.

    chosen: (samples,), mask of the values to use; None uses all values.
    """
    is_known = np.isfinite(values)
    places = np.flatnonzero(is_known if chosen is None else is_known & chosen)
    return places[np.argsort(-values[places], kind="stable")]


def human_groups(human: Floats, levels: Floats) -> tuple[str, tuple[str, ...], Ints]:
    """Group samples by how people judged them.

    human: (samples,), mean judgement, [0, 1]. levels: (samples,), median judgement on the original scale. Samples with
    equal medians form a group. If there are too many different medians, or only one, the groups are five equal ranges
    of the mean judgement. Returns the name of the grouping, the groups' names with the lowest first, and the index of
    each sample's group, (samples,); -1: not judged.
    """
    distinct = np.unique(levels[np.isfinite(levels)])
    if 1 < len(distinct) <= MOST_LEVELS:
        place = np.where(np.isfinite(levels), np.searchsorted(distinct, levels), -1)
        return "human level (median judgement)", tuple(f"{level:g}" for level in distinct), place
    is_judged = np.isfinite(human)
    place = np.where(is_judged, np.minimum(4, np.floor(5 * np.where(is_judged, human, 0))), -1).astype(np.int64)
    return "human judgement, rescaled to 0–1", FIFTHS, place


def metric_labels(versions: Iterable[Version]) -> Mapping[Version, str]:
    """Return a short and distinct label for each version.

    If a metric has several signatures, the label also has the settings in which they differ, such as
    "FLEUR (model:llava-7b)". If two labels are still equal, the whole signature is used as label.
    """
    settings: dict[str, dict[str, tuple[str, ...]]] = {}
    for metric, signature in versions:
        settings.setdefault(metric, {})[signature] = tuple(signature.split("|"))
    labels = {
        (metric, signature): metric if len(several) == 1 else f"{metric} ({_difference(parts, several.values())})"
        for metric, several in settings.items()
        for signature, parts in several.items()
    }
    times = Counter(labels.values())
    return {version: label if times[label] == 1 else version[1] for version, label in labels.items()}


def _difference(parts: tuple[str, ...], several: Iterable[tuple[str, ...]]) -> str:
    """Return the settings that only some of a metric's signatures have, or those that this signature lacks."""
    others = list(several)
    shared = set(parts).intersection(*others)
    own = [part for part in parts if part not in shared]
    named = {part.partition(":")[0] for part in parts}
    absent = dict.fromkeys(p.partition(":")[0] for other in others for p in other if p.partition(":")[0] not in named)
    text = ", ".join(own or (f"no {name}" for name in absent))
    return text if len(text) <= LONGEST_PART else f"{text[: LONGEST_PART - 1]}…"
