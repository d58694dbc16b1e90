"""Samples and scores of a data set as columns, used by plots, error lists and slices."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.analysis.column_names import part_name, split
from core.arrays import Floats, Ints, Texts, texts
from core.errors import NotFound
from core.types import RAW

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class MetricColumn:
    """The scores of one metric, or one component of them, with one entry per sample; NaN: no score."""

    name: str  # the metric's name, or its signature if the metric has several of them; see core.analysis.column_names
    metric: str  # the metric's name in papers
    label: str  # the name that people see; see metric_labels
    scale: tuple[float, float]  # lowest and highest possible value
    value: Floats  # (samples,) scores within `scale`
    raw: Floats  # (samples,) scores before smoothing
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
        """The name of the column with the metric's whole score.

        If this column has only a component of the score, the whole score is in another column. Otherwise it is in this
        column.
        """
        return split(self.name)[0] if self.part else self.name

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
    return replace(
        scores,
        name=part_name(scores.name, part),
        label=f"{scores.label} {part}",
        scale=(low, high),
        value=values,
        raw=np.full(len(values), np.nan),
        part=part,
    )


PartReader = Callable[[str, str], MetricColumn | None]  # (metric's column name, component) -> component's column


def no_parts(_metric: str, _part: str) -> None:
    """Return None for every component of a score.

    `ScoreTable.part` is a function that reads the column of a component. Tables without stored components use this
    function instead.
    """


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """A table with samples in rows. Every column has one entry per sample."""

    ids: Ints  # (samples,)
    keys: Texts
    captions: Texts
    human: Floats  # (samples,) mean human judgement, [0, 1]; NaN: not judged
    levels: Floats  # (samples,) median judgement on the data set's own scale; NaN: no individual judgements
    metrics: Mapping[str, MetricColumn]
    images: Ints  # (samples,) integer that identifies the sample's picture; the bootstrap resamples pictures
    part: PartReader = no_parts  # reads a component's column when first requested; returns None for an unknown one

    @property
    def compared(self) -> dict[str, MetricColumn]:
        """The columns to compare with human judgements. Columns of human scores are excluded."""
        return {name: column for name, column in self.metrics.items() if not column.by_people}

    def find(self, name: str) -> MetricColumn | None:
        """Return the column with this name; None if there is no such column."""
        if name in self.metrics:
            return self.metrics[name]
        metric, part = split(name)
        if not part or metric not in self.metrics:
            return None
        own = self.metrics[metric]
        return part_column(own, part, own.raw) if part == RAW and own.has_raw else self.part(metric, part)

    def metric(self, name: str) -> MetricColumn:
        """Return the column with this name.

        Raises NotFound for an unknown name. The error lists the metrics with scores.
        """
        column = self.find(name)
        if column is not None:
            return column
        metric, part = split(name)
        if part and metric in self.metrics:
            raise NotFound(f"The scores of {metric!r} have no component {part!r} here.")
        there = ", ".join(self.metrics) or "none yet"
        raise NotFound(f"There are no scores of {name!r} here. Metrics with scores: {there}.")

    def with_raw(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the column names, with "METRIC#raw" added after each metric that smooths its scores.

        Raises NotFound for an unknown name.
        """
        both = ([name, part_name(name, RAW)] if self.metric(name).has_raw else [name] for name in names)
        return tuple(dict.fromkeys(name for of_metric in both for name in of_metric))

    def error(self, metric: str) -> Floats:
        """Return score - human, both on [0, 1]; NaN if one is missing."""
        return self.metric(metric).unit - self.human

    def __len__(self) -> int:
        return len(self.keys)

    def where(self, mask: Mask) -> "ScoreTable":
        """Return only the samples where the mask is true."""
        return self.at(np.flatnonzero(mask))

    def at(self, kept: Ints) -> "ScoreTable":
        """Return only the samples with these indices."""
        metrics = {name: column.at(kept) for name, column in self.metrics.items()}
        return ScoreTable(
            self.ids[kept],
            texts(self.keys)[kept],
            texts(self.captions)[kept],
            self.human[kept],
            self.levels[kept],
            metrics,
            self.images[kept],
            partial(_part_at, self.part, kept),
        )


def _part_at(read: PartReader, places: Ints, metric: str, part: str) -> MetricColumn | None:
    column = read(metric, part)
    return None if column is None else column.at(places)


def falling(values: Floats, chosen: Mask | None = None) -> Ints:
    """Return the indices of the values that are not NaN, largest value first.

    Equal values keep their order. chosen: (samples,), mask of the values to use; None uses all values.
    """
    is_known = np.isfinite(values)
    places = np.flatnonzero(is_known if chosen is None else is_known & chosen)
    return places[np.argsort(-values[places], kind="stable")]


MOST_LEVELS = 12  # if samples have more different medians than this, they are grouped by fifths of the mean judgement
FIFTHS = ("0–0.2", "0.2–0.4", "0.4–0.6", "0.6–0.8", "0.8–1")


@dataclass(frozen=True, slots=True, eq=False)
class HumanGroups:
    """The group of similar human judgements to which each sample belongs."""

    title: str  # name of the grouping
    names: tuple[str, ...]  # lowest first
    of: Ints  # (samples,) index of each sample's group in `names`; -1: not judged


def human_groups(human: Floats, levels: Floats) -> HumanGroups:
    """Group samples by how people judged them.

    human: (samples,), mean judgement, [0, 1]. levels: (samples,), median judgement on the original rating scale of the
    data. Samples with equal medians form a group. If there are too many different medians, or only one, samples are
    grouped by the mean. Then the groups are five equal ranges of [0, 1].
    """
    distinct = np.unique(levels[np.isfinite(levels)])
    if 1 < len(distinct) <= MOST_LEVELS:
        place = np.where(np.isfinite(levels), np.searchsorted(distinct, levels), -1)
        return HumanGroups("human level (median judgement)", tuple(f"{level:g}" for level in distinct), place)
    is_judged = np.isfinite(human)
    place = np.where(is_judged, np.minimum(4, np.floor(5 * np.where(is_judged, human, 0))), -1).astype(np.int64)
    return HumanGroups("human judgement, rescaled to 0–1", FIFTHS, place)


LONGEST_PART = 48  # maximum characters of a metric's settings in its label; a full signature is much longer

Version = tuple[str, str]  # metric, signature


def column_names(versions: Iterable[Version]) -> Mapping[Version, str]:
    """Return the column name of each version. A version is a metric with its settings (signature).

    The name is the metric's name if the metric has only one signature, otherwise the signature.
    """
    every = tuple(versions)
    several = Counter(metric for metric, _ in every)
    return {(metric, signature): metric if several[metric] == 1 else signature for metric, signature in every}


def metric_labels(versions: Iterable[Version]) -> Mapping[Version, str]:
    """Return a short and distinct label for each (metric, signature).

    A metric with one signature has its name as its label. If a metric has several signatures, the label also has the
    settings in which they differ, e.g. "FLEUR (model:llava-7b)". If two labels are still equal, the whole signature is
    used as label.
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
    """Return the settings that distinguish one signature of a metric.

    A signature consists of settings. parts: the settings of this signature. several: the settings of each of the
    metric's signatures. The result contains the settings that not all signatures have. If this signature has no such
    setting, the result says what it lacks: "no model" if only other signatures have a setting "model". A long result is
    shortened.
    """
    others = list(several)
    shared = set(parts).intersection(*others)
    own = [part for part in parts if part not in shared]
    named = {part.partition(":")[0] for part in parts}
    absent = dict.fromkeys(p.partition(":")[0] for other in others for p in other if p.partition(":")[0] not in named)
    text = ", ".join(own or (f"no {name}" for name in absent))
    return text if len(text) <= LONGEST_PART else f"{text[: LONGEST_PART - 1]}…"
