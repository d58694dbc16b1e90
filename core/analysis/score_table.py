"""A data set's samples and scores as columns: what plots, error lists and slices are computed from."""

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
    """Which of a metric's scores is meant: its own, or the one before smoothing."""

    metric: str  # as a score table names it
    raw: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class MetricColumn:
    """One metric's scores, one entry a sample; NaN where it has none."""

    name: str  # the metric's, or its signature where it was computed under several settings
    metric: str  # the metric's own name, under which papers print figures
    label: str  # what people read; see metric_labels
    scale: tuple[float, float]  # lowest and highest possible value
    value: Floats  # (samples,) within scale
    raw: Floats  # (samples,) before smoothing

    @property
    def unit(self) -> Floats:
        """The scores rescaled to [0, 1], so that they can be set against human judgement."""
        return self.rescaled(self.value)

    def rescaled(self, scores: Floats) -> Floats:
        """Return scores on the metric's scale as scores on [0, 1]."""
        low, high = self.scale
        return (scores - low) / (high - low)

    @property
    def has_raw(self) -> bool:
        """Whether any score was smoothed."""
        return bool(np.isfinite(self.raw).any())


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """Samples in rows; every column has one entry a sample."""

    ids: Ints  # (samples,)
    keys: Texts
    captions: Texts
    human: Floats  # (samples,) mean human judgement, [0, 1]; NaN: not judged
    levels: Floats  # (samples,) median judgement on the source's own scale; NaN: no single judgements
    metrics: Mapping[str, MetricColumn]
    images: Ints  # (samples,) a number for each picture: the clusters that a bootstrap draws

    def metric(self, name: str) -> MetricColumn:
        """Return a metric's column. Raises NotFound, naming those there are."""
        if name not in self.metrics:
            there = ", ".join(self.metrics) or "none yet"
            raise NotFound(f"There are no scores by {name!r} here; there are: {there}.")
        return self.metrics[name]

    def scores(self, score: ScoreName) -> Floats:
        """Return a metric's own scores, or its raw ones, on its scale; NaN where it has none. Raises NotFound."""
        column = self.metric(score.metric)
        return column.raw if score.raw else column.value

    def unit(self, score: ScoreName) -> Floats:
        """Return a metric's own scores, or its raw ones, on [0, 1]; NaN where it has none. Raises NotFound."""
        return self.metric(score.metric).rescaled(self.scores(score))

    def label(self, score: ScoreName) -> str:
        """Return what people read of one of a metric's scores. Raises NotFound."""
        column = self.metric(score.metric)
        return f"{column.label} raw" if score.raw else column.label

    def variants(self, metrics: Iterable[str]) -> tuple[ScoreName, ...]:
        """Return every score that some metrics have, each metric's own before its raw one. Raises NotFound."""
        return tuple(
            ScoreName(metric, raw) for metric in metrics for raw in (False, True)[: 1 + self.metric(metric).has_raw]
        )

    def error(self, metric: str) -> Floats:
        """Return score - human, both on [0, 1]; NaN where one of the two is missing."""
        return self.unit(ScoreName(metric)) - self.human

    def __len__(self) -> int:
        return len(self.keys)

    def where(self, mask: Mask) -> "ScoreTable":
        """Return the samples for which the mask holds."""
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
    """Return the places of the known (not NaN) values, the largest first, equal ones in their order.

    chosen: (samples,), which values count at all; None: every one.
    """
    known = np.isfinite(values)
    places = np.flatnonzero(known if chosen is None else known & chosen)
    return places[np.argsort(-values[places], kind="stable")]


MOST_LEVELS = 12  # more distinct levels than this are no levels: judgement is then cut into fifths
FIFTHS = ("0–0.2", "0.2–0.4", "0.4–0.6", "0.6–0.8", "0.8–1")


@dataclass(frozen=True, slots=True, eq=False)
class HumanGroups:
    """Which group each sample belongs to."""

    title: str  # what the groups are of
    names: tuple[str, ...]  # lowest first
    of: Ints  # (samples,) index into names; -1: not judged


def human_groups(human: Floats, levels: Floats) -> HumanGroups:
    """Group samples by the level of their median judgement, or by fifths of the mean where there are no levels.

    `human` is the mean judgement on [0, 1], `levels` the median on the source's own scale; both (samples,).
    """
    distinct = np.unique(levels[np.isfinite(levels)])
    if 1 < len(distinct) <= MOST_LEVELS:
        place = np.where(np.isfinite(levels), np.searchsorted(distinct, levels), -1)
        return HumanGroups("human level (median judgement)", tuple(f"{level:g}" for level in distinct), place)
    known = np.isfinite(human)
    place = np.where(known, np.minimum(4, np.floor(5 * np.where(known, human, 0))), -1).astype(np.int64)
    return HumanGroups("human judgement, rescaled to 0–1", FIFTHS, place)


LONGEST_PART = 48  # characters of what tells settings apart; the signature itself is longer by far

Version = tuple[str, str]  # metric, signature


def column_names(versions: Iterable[Version]) -> Mapping[Version, str]:
    """Return what each version's column is called: by its metric, or by its signature where a metric has several."""
    every = tuple(versions)
    several = Counter(metric for metric, _ in every)
    return {(metric, signature): metric if several[metric] == 1 else signature for metric, signature in every}


def metric_labels(versions: Iterable[Version]) -> Mapping[Version, str]:
    """Return a short name for each (metric, signature), all different.

    A metric with one signature is called by its name. Several are told apart by the settings in which their
    signatures differ, e.g. "FLEUR (model:llava-7b)", or by the whole signature where that is not enough.
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
    """Return the settings that the others do not all share; a setting that only others have is named as absent."""
    others = list(several)
    shared = set(parts).intersection(*others)
    own = [part for part in parts if part not in shared]
    named = {part.partition(":")[0] for part in parts}
    absent = dict.fromkeys(p.partition(":")[0] for other in others for p in other if p.partition(":")[0] not in named)
    text = ", ".join(own or (f"no {name}" for name in absent))
    return text if len(text) <= LONGEST_PART else f"{text[: LONGEST_PART - 1]}…"
