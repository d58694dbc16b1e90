"""Categories of samples: by captioner, level of human judgement, caption length, kinds of words, and error codes.

Within each category, a score's mean error (deviation from human judgement) and its agreement with people are computed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from core.analysis.caption_facts import PHRASE_KINDS, CaptionFacts
from core.analysis.captioners import MOST, Captioners
from core.analysis.score_table import Mask, ScoreTable, human_groups
from core.benchmarks.columns import JudgedColumn
from core.benchmarks.correlation import Correlation, correlate
from core.benchmarks.figures import observed
from core.datasets.benchmark import Benchmark
from core.statistics.bootstrap import Interval
from core.statistics.influence import clustered_mean_interval
from core.types import OWN

Facet = Literal["captioner", "human level", "caption length", "kind of words", "error code"]
LENGTHS = (1, 7, 10, 13, 17)  # shortest length, in words, of each category of caption lengths; same for every data set


@dataclass(frozen=True, slots=True, eq=False)
class Category:
    """A group of samples. Groups by kinds of words or by error codes can overlap."""

    facet: Facet
    name: str
    mask: Mask  # (samples,)


@dataclass(frozen=True, slots=True)
class CategoryFigures:
    """One score's mean error and agreement with people within one category."""

    n: int  # number of samples with a score and a human judgement
    human: float  # mean human judgement, [0, 1]
    score: float
    offset: float  # mean of score - human
    interval: Interval | None  # 95 % interval of the offset over images
    mean_error: float  # mean of |score - human|
    taus: Correlation | None  # None: the benchmark compares pairs of captions


def categories(
    table: ScoreTable,
    captions: CaptionFacts,
    codes: Sequence[Sequence[str]],
    within: Mask | None = None,
    captioners: Captioners | None = None,
) -> Iterator[Category]:
    """Yield the categories of a table's samples, one kind of category (facet) after the other.

    Empty categories are skipped. codes: the error codes of each sample. within: (samples,), mask of the samples to use;
    None uses all samples. captioners: None if unknown.
    """
    for category in (*_captioners(captioners), *_levels(table), *lengths(captions), *_kinds(captions), *_codes(codes)):
        mask = category.mask if within is None else category.mask & within
        if mask.any():
            yield replace(category, mask=mask)


def figures_within(
    category: Category, table: ScoreTable, score: str, column: JudgedColumn, rule: Benchmark | None
) -> CategoryFigures | None:
    """Return a score's figures in a category; None if no sample has both a score and a judgement.

    score: name of the score's column in the table. column: the score and the judgements, for the same samples as the
    table. rule: the benchmark's rule for computing tau; None: no tau is computed.
    """
    unit, human = table.metric(score).unit, table.human
    both = category.mask & np.isfinite(unit) & np.isfinite(human)
    if not both.any():
        return None
    error = unit[both] - human[both]
    interval = clustered_mean_interval(error, table.images[both])
    size, means = float(np.abs(error).mean()), (float(human[both].mean()), float(unit[both].mean()))
    taus = None if rule is None else correlate(observed(column.where(both), rule, OWN), rule, score)
    return CategoryFigures(int(both.sum()), *means, float(error.mean()), interval, size, taus)


def _captioners(captioners: Captioners | None) -> Iterator[Category]:
    if captioners is not None and 2 <= len(captioners.names) <= MOST:
        yield from (Category("captioner", name, captioners.by(name)) for name in captioners.names)


def _levels(table: ScoreTable) -> Iterator[Category]:
    groups = human_groups(table.human, table.levels)
    yield from (Category("human level", name, groups.of == place) for place, name in enumerate(groups.names))


def lengths(captions: CaptionFacts) -> Iterator[Category]:
    """Yield the groups of caption lengths, shortest first. Groups may be empty."""
    for low, high in zip(LENGTHS, (*LENGTHS[1:], None), strict=True):
        name = f"{low} or more words" if high is None else f"{low}–{high - 1} words"
        yield Category("caption length", name, (captions.words >= low) & (captions.words < (high or np.inf)))


def _kinds(captions: CaptionFacts) -> Iterator[Category]:
    masks = {kind: captions.have(kind) for kind in PHRASE_KINDS}
    yield from (Category("kind of words", kind, mask) for kind, mask in masks.items())
    yield Category("kind of words", "none of these", ~np.logical_or.reduce([*masks.values()]))


def _codes(codes: Sequence[Sequence[str]]) -> Iterator[Category]:
    for code in sorted({code for given in codes for code in given}):
        yield Category("error code", code, np.array([code in given for given in codes], dtype=bool))
