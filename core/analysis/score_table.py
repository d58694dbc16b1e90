"""A data set's samples and scores as columns, the input of plots, error lists and slices."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints, Texts, texts
from core.errors import NotFound

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ScoreName:
    """One of a metric's scores: its own, or the raw score before smoothing."""

    metric: str  # the metric's name in a score table
    raw: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class MetricColumn:
    """One metric's scores, one entry per sample; NaN if there is no score."""

    name: str  # the metric's name, or its signature if there are several
    metric: str  # the metric's own name, which papers use
    label: str  # the name that people see; see metric_labels
    scale: tuple[float, float]  # lowest and highest possible value
    value: Floats  # (samples,) within scale
    raw: Floats  # (samples,) before smoothing
    by_people: bool = False  # people gave the scores, so the column is no metric to compare with people

    @property
    def unit(self) -> Floats:
        """The scores rescaled to [0, 1], for comparison with human judgement."""
        return self.rescaled(self.value)

    def rescaled(self, scores: Floats) -> Floats:
        """Rescale scores from the metric's scale to [0, 1]."""
        low, high = self.scale
        return (scores - low) / (high - low)

    @property
    def has_raw(self) -> bool:
        """Return whether any score was smoothed."""
        return bool(np.isfinite(self.raw).any())


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """Samples in rows; every column has one entry per sample."""

    ids: Ints  # (samples,)
    keys: Texts
    captions: Texts
    human: Floats  # (samples,) mean human judgement, [0, 1]; NaN: not judged
    levels: Floats  # (samples,) median judgement on the source's own scale; NaN: no single judgements
    metrics: Mapping[str, MetricColumn]
    images: Ints  # (samples,) a number for each picture; a bootstrap draws pictures

    @property
    def compared(self) -> dict[str, MetricColumn]:
        """The columns to compare with people: all but the scores that people gave themselves."""
        return {name: column for name, column in self.metrics.items() if not column.by_people}

    def metric(self, name: str) -> MetricColumn:
        """Return a metric's column. Raises NotFound, which lists the metrics."""
        if name not in self.metrics:
            there = ", ".join(self.metrics) or "none yet"
            raise NotFound(f"There are no scores by {name!r} here. Metrics with scores: {there}.")
        return self.metrics[name]

    def scores(self, score: ScoreName) -> Floats:
        """Return a metric's own or raw scores, on its scale; NaN if missing. Raises NotFound."""
        column = self.metric(score.metric)
        return column.raw if score.raw else column.value

    def unit(self, score: ScoreName) -> Floats:
        """Return a metric's own or raw scores, on [0, 1]; NaN if missing. Raises NotFound."""
        return self.metric(score.metric).rescaled(self.scores(score))

    def label(self, score: ScoreName) -> str:
        """Return the name that people see for one of a metric's scores. Raises NotFound."""
        column = self.metric(score.metric)
        return f"{column.label} raw" if score.raw else column.label

    def variants(self, metrics: Iterable[str]) -> tuple[ScoreName, ...]:
        """Return every score of some metrics, each metric's own before its raw one. Raises NotFound."""
        return tuple(
            ScoreName(metric, raw) for metric in metrics for raw in (False, True)[: 1 + self.metric(metric).has_raw]
        )

    def error(self, metric: str) -> Floats:
        """Return score - human, both on [0, 1]; NaN if one is missing."""
        return self.unit(ScoreName(metric)) - self.human

    def __len__(self) -> int:
        return len(self.keys)

    def where(self, mask: Mask) -> "ScoreTable":
        """Return the samples where the mask is true."""
        kept = np.flatnonzero(mask)
        metrics = {
            name: replace(column, value=column.value[kept], raw=column.raw[kept])
            for name, column in self.metrics.items()
        }
        return ScoreTable(
            self.ids[kept],
            texts(self.keys)[kept],
            texts(self.captions)[kept],
            self.human[kept],
            self.levels[kept],
            metrics,
            self.images[kept],
        )


def falling(values: Floats, chosen: Mask | None = None) -> Ints:
    """Return the places of the known (not NaN) values, the largest first.

    Equal values keep their order. chosen: (samples,), which values to use; None: all.
    """
    is_known = np.isfinite(values)
    places = np.flatnonzero(is_known if chosen is None else is_known & chosen)
    return places[np.argsort(-values[places], kind="stable")]


MOST_LEVELS = 12  # with more distinct levels, judgement is split into fifths
FIFTHS = ("0–0.2", "0.2–0.4", "0.4–0.6", "0.6–0.8", "0.8–1")


@dataclass(frozen=True, slots=True, eq=False)
class HumanGroups:
    """The group of each sample."""

    title: str  # name of the grouping
    names: tuple[str, ...]  # lowest first
    of: Ints  # (samples,) index into names; -1: not judged


def human_groups(human: Floats, levels: Floats) -> HumanGroups:
    """Group samples by human level.

    The level is the median judgement; if there are too many levels, groups are fifths of the mean. `human` is the mean
    judgement on [0, 1], `levels` the median on the source's own scale; both (samples,).
    """
    distinct = np.unique(levels[np.isfinite(levels)])
    if 1 < len(distinct) <= MOST_LEVELS:
        place = np.where(np.isfinite(levels), np.searchsorted(distinct, levels), -1)
        return HumanGroups("human level (median judgement)", tuple(f"{level:g}" for level in distinct), place)
    is_judged = np.isfinite(human)
    place = np.where(is_judged, np.minimum(4, np.floor(5 * np.where(is_judged, human, 0))), -1).astype(np.int64)
    return HumanGroups("human judgement, rescaled to 0–1", FIFTHS, place)


LONGEST_PART = 48  # characters of the settings in a label; a signature is much longer

Version = tuple[str, str]  # metric, signature


def column_names(versions: Iterable[Version]) -> Mapping[Version, str]:
    """Return each version's column name: its metric, or its signature if there are several."""
    every = tuple(versions)
    several = Counter(metric for metric, _ in every)
    return {(metric, signature): metric if several[metric] == 1 else signature for metric, signature in every}


def metric_labels(versions: Iterable[Version]) -> Mapping[Version, str]:
    """Return a short and distinct name for each (metric, signature).

    A metric with one signature has the metric's name. Several signatures get the settings in which they differ, e.g.
    "FLEUR (model:llava-7b)", or the whole signature if that is not enough.
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
    """Return the settings that not all others share.

    A setting that only others have is listed as absent.
    """
    others = list(several)
    shared = set(parts).intersection(*others)
    own = [part for part in parts if part not in shared]
    named = {part.partition(":")[0] for part in parts}
    absent = dict.fromkeys(p.partition(":")[0] for other in others for p in other if p.partition(":")[0] not in named)
    text = ", ".join(own or (f"no {name}" for name in absent))
    return text if len(text) <= LONGEST_PART else f"{text[: LONGEST_PART - 1]}…"
