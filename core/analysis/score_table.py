"""A data set's samples and scores as columns: what plots, error lists and slices are computed from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.errors import NotFound

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class MetricColumn:
    """One metric's scores, one entry a sample; NaN where it has none."""

    name: str  # the metric's, or its signature where it was computed under several settings
    metric: str  # the metric's own name, under which papers print figures
    label: (
        str  # what people read: the metric's name, with what tells its settings apart; see core.analysis.metric_labels
    )
    scale: tuple[float, float]  # lowest and highest possible value
    value: Floats  # (samples,) within scale
    raw: Floats  # (samples,) before smoothing

    @property
    def unit(self) -> Floats:
        """The scores rescaled to [0, 1], so that they can be set against human judgement."""
        low, high = self.scale
        return (self.value - low) / (high - low)

    @property
    def has_raw(self) -> bool:
        """Whether any score was smoothed."""
        return bool(np.isfinite(self.raw).any())


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """Samples in rows; every column has one entry a sample."""

    ids: Ints  # (samples,)
    keys: Sequence[str]
    captions: Sequence[str]
    human: Floats  # (samples,) mean human judgement, [0, 1]; NaN: not judged
    levels: Floats  # (samples,) median judgement on the source's own scale; NaN: no single judgements
    metrics: Mapping[str, MetricColumn]

    def metric(self, name: str) -> MetricColumn:
        """Return a metric's column. Raises NotFound, naming those there are."""
        if name not in self.metrics:
            there = ", ".join(self.metrics) or "none yet"
            raise NotFound(f"There are no scores by {name!r} here; there are: {there}.")
        return self.metrics[name]

    def error(self, metric: str) -> Floats:
        """Return score - human, both on [0, 1]; NaN where one of the two is missing."""
        return self.metric(metric).unit - self.human

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
            [self.keys[i] for i in kept.tolist()],
            [self.captions[i] for i in kept.tolist()],
            self.human[kept],
            self.levels[kept],
            metrics,
        )


def by_error(table: ScoreTable, metric: str) -> Ints:
    """Return the rows of the table by falling |score - human|, equal ones in the table's order.

    Samples without a score or without a human judgement have no error and are left out.
    """
    error = np.abs(table.error(metric))
    known = np.flatnonzero(np.isfinite(error))
    return known[np.argsort(-error[known], kind="stable")]
