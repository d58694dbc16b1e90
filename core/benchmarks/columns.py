"""A metric's scores and human judgements as columns, from which figures of their agreement are computed."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.column_names import part_name
from core.analysis.score_table import Mask, MetricColumn, ScoreTable
from core.arrays import Floats, Ints
from core.benchmarks.matching import JudgedScore
from core.types import RAW, Pair, Variant


@dataclass(frozen=True, slots=True, eq=False)
class JudgedColumn:
    """One metric's scores and the human judgements.

    All arrays have one entry per sample, except `judgements`, which has one entry for each judgement by one person.
    """

    sample: Ints  # (samples,) number that identifies the sample, the same in every metric's column
    image: Ints  # (samples,) number that identifies the image; the bootstrap resamples images as clusters
    human: Floats  # (samples,) mean human judgement, [0, 1]; NaN: not judged
    judgements: Floats  # (judgements,) human judgements on the data set's own scale, in the order of the samples
    counts: Ints  # (samples,) how many judgements each sample has
    pair: NDArray[Any]  # (samples,) values of type Pair; None: the sample belongs to no pair
    smoothed: Floats  # (samples,) the metric's own score; NaN: no score
    raw: Floats  # (samples,) the score before smoothing; NaN: no score
    part: str = ""  # the part of the score that `smoothed` contains; "": the score itself

    def score(self, variant: Variant) -> Floats:
        """Return the scores of a variant, such as "raw" (before smoothing), shape (samples,)."""
        return self.raw if variant == RAW and self.part != RAW else self.smoothed

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The variants for which this column has scores.

        The metric's own score comes first, then the score before smoothing ("raw"). If this column has a component of
        the score, the component is the only variant.
        """
        if self.part:
            return (self.part,) if np.isfinite(self.smoothed).any() else ()
        if np.isfinite(self.raw).any():
            return ("smoothed", RAW) if np.isfinite(self.smoothed).any() else (RAW,)
        return ("",) if np.isfinite(self.smoothed).any() else ()

    @property
    def has_pairs(self) -> bool:
        """Return whether people compared captions in pairs."""
        return any(pair is not None for pair in self.pair.tolist())

    @property
    def is_judged(self) -> bool:
        """Return whether people judged any of these samples."""
        return bool(len(self.judgements) or np.isfinite(self.human).any() or self.has_pairs)

    def where(self, mask: Mask) -> "JudgedColumn":
        """Return only the samples where the mask is true."""
        return self.at(np.flatnonzero(mask))

    def at(self, places: Ints) -> "JudgedColumn":
        """Return only the samples with these indices, in the order of the indices."""
        counts = self.counts[places]
        starts = np.cumsum(self.counts) - self.counts
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        judgements = self.judgements[np.repeat(starts[places], counts) + within]
        return replace(self, judgements=judgements, **{name: getattr(self, name)[places] for name in _PER_SAMPLE})


_PER_SAMPLE = ("sample", "image", "human", "counts", "pair", "smoothed", "raw")


def judged_column(
    sample: Sequence[int] | Ints,
    image: Sequence[str],
    human: Sequence[float | None] | Floats,
    judgements: Sequence[Sequence[float]],
    pair: Sequence[Pair | None],
) -> JudgedColumn:
    """Return a column of human judgements in which all scores are NaN.

    Each argument has one entry per sample.
    """
    size = len(sample)
    pairs = np.empty(size, dtype=object)
    pairs[:] = pair
    return JudgedColumn(
        np.array(sample, dtype=np.int64),
        _numbered(image),
        np.array(human, dtype=float),
        np.array([point for points in judgements for point in points], dtype=float),
        np.array([len(points) for points in judgements], dtype=np.int64),
        pairs,
        *np.full((2, size), np.nan),
    )


class Columns(dict[str, JudgedColumn]):
    """Judged columns (scores with human judgements) by name.

    The column of a score's component, such as precision, is made when it is first requested.
    """

    def __init__(
        self, samples: JudgedColumn, known: Mapping[str, JudgedColumn], make: Callable[[str], JudgedColumn]
    ) -> None:
        """Take the judgements without scores, the existing columns, and a function that makes a missing column.

        make: returns the column with the given name, and raises NotFound if the name is unknown.
        """
        super().__init__(known)
        self.samples, self._make = samples, make

    def __missing__(self, name: str) -> JudgedColumn:
        self[name] = made = self._make(name)
        return made


def with_scores(samples: JudgedColumn, table: ScoreTable) -> Columns:
    """Combine human judgements with every metric's scores from a score table.

    Both arguments must have the same sample ids in rising order. The column of a score's component is made when it is
    first requested.
    """
    judged = samples.where(np.isin(samples.sample, table.ids))  # drops samples that were imported after `table`

    def made(column: MetricColumn) -> JudgedColumn:
        return replace(judged, smoothed=column.value, raw=column.raw, part=column.part)

    known = {name: made(column) for name, column in table.metrics.items()}
    return Columns(judged, known, lambda name: made(table.metric(name)))


def by_metric(rows: Iterable[JudgedScore], parts: Sequence[str] = ()) -> dict[str, JudgedColumn]:
    """Return columns of scores joined with human judgements, one column per metric.

    A metric with several signatures (settings) gets one column for each signature, named by the signature. parts: names
    of score components. A component gets a column if the metric's scores have it.
    """
    every = tuple(rows)
    number = {sample: index for index, sample in enumerate(dict.fromkeys(row.sample for row in every))}
    image = dict(zip((row.image for row in every), _numbered([row.image for row in every]).tolist(), strict=True))
    versions: dict[str, dict[str, list[JudgedScore]]] = defaultdict(lambda: defaultdict(list))
    for row in every:
        versions[row.score.metric][row.score.signature].append(row)
    columns: dict[str, JudgedColumn] = {}
    for metric, signatures in versions.items():
        for signature, scores in signatures.items():
            name = metric if len(signatures) == 1 else signature
            columns[name] = own = _column(scores, number, image)
            for part in parts:
                values = np.array([row.part(part) for row in scores], dtype=float)
                if np.isfinite(values).any():
                    unknown = np.full(len(values), np.nan)
                    columns[part_name(name, part)] = replace(own, smoothed=values, raw=unknown, part=part)
    return columns


def _column(rows: Sequence[JudgedScore], number: Mapping[Any, int], image: Mapping[str, int]) -> JudgedColumn:
    columns = zip(*((number[row.sample], row.image, row.human, row.judgements, row.pair) for row in rows), strict=True)
    return replace(
        judged_column(*columns),
        image=np.array([image[row.image] for row in rows], dtype=np.int64),
        smoothed=np.array([row.score.value for row in rows], dtype=float),
        raw=np.array([row.part(RAW) for row in rows], dtype=float),
    )


def _numbered(names: Sequence[str]) -> Ints:
    """Replace each name by its index among the sorted distinct names.

    Only the distinct names are sorted, because sorting all names would be slow.
    """
    number = {name: place for place, name in enumerate(sorted(set(names)))}
    return np.array([number[name] for name in names], dtype=np.int64)
