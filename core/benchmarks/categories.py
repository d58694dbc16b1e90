"""A score's errors (deviations from human judgement) and its agreement with people, within categories of samples.

Samples are grouped by captioner, level of human judgement, caption length, kinds of words, and error codes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from core.analysis.caption_facts import PHRASE_KINDS, CaptionFacts
from core.analysis.captioners import MOST, Captioners
from core.analysis.score_table import Mask, ScoreTable, human_groups
from core.arrays import Floats
from core.benchmarks.columns import JudgedColumn
from core.benchmarks.correlation import correlate, correlate_without_draws
from core.benchmarks.figures import observed
from core.datasets.benchmark import Benchmark
from core.long_work.progress import report
from core.statistics.bootstrap import Interval, clustered_mean_interval
from core.types import OWN

MOST_DRAWN = 20_000  # maximum observations for a bootstrap interval of a category's tau; more would take too long
MANY = (
    "no interval of τ, because it would take too long for so many judgements of so few images; choose a smaller slice"
)
LOOKING = "Looking for words in captions"
Facet = Literal["captioner", "human level", "caption length", "kind of words", "error code"]
LENGTHS = (1, 7, 10, 13, 17)  # shortest length, in words, of each category of caption lengths; same for every data set


@dataclass(frozen=True, slots=True, eq=False)
class Category:
    """A group of samples with a common property.

    Groups by kinds of words or by error codes can overlap, so a sample can be in several of these groups.
    """

    facet: Facet
    name: str
    mask: Mask  # (samples,)


@dataclass(frozen=True, slots=True)
class CategoryFigures:
    """One score's mean error and agreement with people within one category.

    A value is None if it is undefined. Then `note` gives the reason.
    """

    n: int  # number of samples with a score and a human judgement
    human: float | None  # mean human judgement, [0, 1]
    score: float | None  # mean score, [0, 1]
    offset: float | None  # mean of score - human
    interval: Interval | None  # 95 % interval of the offset, bootstrap over images
    mean_error: float | None  # mean of |score - human|
    tau_b: float | None  # Kendall's tau-b, [-1, 1]; of individual or of mean judgements, as the benchmark defines
    tau_c: float | None
    interval_b: Interval | None  # 95 % interval of tau-b, bootstrap over images
    interval_c: Interval | None
    note: str = ""


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
) -> CategoryFigures:
    """Return a score's mean error and agreement with people in a category.

    score: name of the score's column in the table. column: the score and the judgements, for the same samples as the
    table. rule: the benchmark's rule for computing tau. If the benchmark compares pairs of captions, `rule` is None and
    no tau is computed.
    """
    unit, human = table.metric(score).unit, table.human
    has_both = category.mask & np.isfinite(unit) & np.isfinite(human)
    n = int(has_both.sum())
    if n == 0:
        return CategoryFigures(0, *(None,) * 9, "no sample has both a score and a judgement")
    error = unit[has_both] - human[has_both]
    offset, interval = float(error.mean()), clustered_mean_interval(error, table.images[has_both])
    means = n, _mean(human[has_both]), _mean(unit[has_both]), offset, interval, _mean(np.abs(error))
    if rule is None:
        return CategoryFigures(*means, *(None,) * 4, "no tau, because the benchmark compares pairs of captions")
    data = observed(column.where(has_both), rule, OWN)
    taus = correlate_without_draws(data, rule, score)
    note = taus.note
    if not note and (taus.interval_b is None or taus.interval_c is None):
        is_many = len(data.score) > MOST_DRAWN
        taus = taus if is_many else correlate(data, rule, score)
        note = MANY if is_many else taus.note
    return CategoryFigures(*means, taus.tau_b, taus.tau_c, taus.interval_b, taus.interval_c, note)


def _mean(values: Floats) -> float:
    return float(values.mean())


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
    masks: dict[str, Mask] = {}
    for place, kind in enumerate(PHRASE_KINDS):
        report(LOOKING, place, len(PHRASE_KINDS))
        masks[kind] = captions.have(kind)
    yield from (Category("kind of words", kind, mask) for kind, mask in masks.items())
    yield Category("kind of words", "none of these", ~np.logical_or.reduce([*masks.values()]))


def _codes(codes: Sequence[Sequence[str]]) -> Iterator[Category]:
    for code in sorted({code for given in codes for code in given}):
        yield Category("error code", code, np.array([code in given for given in codes], dtype=bool))
