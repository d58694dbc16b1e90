"""Describe how scores and human judgements are distributed, and how metrics' scores correlate with each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.arrays import Floats
from core.statistics.linear_correlation import pearson, spearman
from ui.services.analysis.analyst import Analyst
from ui.services.tables import Table, count, number, text

BINS = 20  # number of bins in each histogram
PEOPLE = "people"


@dataclass(frozen=True, slots=True)
class Distribution:
    """The distribution of one score, or of the human judgements, rescaled to [0, 1]."""

    label: str
    n: int
    mean: float
    sd: float | None  # standard deviation; None: there is only one value
    lowest: float
    quarter: float
    median: float
    three_quarters: float
    highest: float


@dataclass(frozen=True, slots=True)
class Bars:
    """The histogram of one distribution: percent of the values in each of BINS equal bins of [0, 1]."""

    label: str
    shares: list[float]


@dataclass(frozen=True, slots=True)
class Related:
    """The correlations between two metrics' scores, times 100.

    A correlation is None if fewer than two samples have both scores, or if one metric's scores are all equal.
    """

    first: str
    second: str
    n: int  # number of samples with both scores
    pearson: float | None
    spearman: float | None


@dataclass(frozen=True, slots=True)
class Relations:
    """Distributions and correlations of the scores of some metrics."""

    distributions: Table[Distribution]
    bars: list[Bars]
    related: Table[Related]


def relations(analyst: Analyst, dataset: str, metrics: Sequence[str], slice_name: str | None) -> Relations:
    """Return distributions of scores and of human judgements, and correlations of each two metrics. Raises NotFound."""
    table = analyst.table(dataset, slice_name)
    chosen = [table.metric(name) for name in metrics]
    columns = {column.label: column.unit for column in chosen}
    kinds = {column.by_people for column in chosen}
    between = "scores of people" if kinds == {True} else "metrics" if kinds == {False} else "scores"
    known = {label: column[np.isfinite(column)] for label, column in [*columns.items(), (PEOPLE, table.human)]}
    some = {label: column for label, column in known.items() if len(column)}
    return Relations(
        Table("Distributions, rescaled to 0–1", _DISTRIBUTIONS, [_described(*one) for one in some.items()]),
        [Bars(label, _shares(column)) for label, column in some.items()],
        Table(
            f"Correlations between {between} × 100",
            (*(_OF_METRICS if kinds == {False} else _OF_SCORES), *_RELATED),
            [_related(*first, *second) for first, second in combinations(columns.items(), 2)],
        ),
    )


def _described(label: str, values: Floats) -> Distribution:
    sd = float(values.std(ddof=1)) if len(values) > 1 else None
    return Distribution(
        label, len(values), float(values.mean()), sd, *np.percentile(values, [0, 25, 50, 75, 100]).tolist()
    )


def _shares(values: Floats) -> list[float]:
    counts = np.histogram(np.clip(values, 0, 1), bins=BINS, range=(0, 1))[0]
    return [float(share) for share in 100 * counts / len(values)]


def _related(first: str, one: Floats, second: str, other: Floats) -> Related:
    both = np.isfinite(one) & np.isfinite(other)
    coefficients = (of(one[both], other[both]) for of in (pearson, spearman))
    r, rho = (None if value is None else 100 * value for value in coefficients)
    return Related(first, second, int(both.sum()), r, rho)


_DISTRIBUTIONS = (
    text("score", "label"),
    count("n", "n"),
    number("mean", "mean"),
    number("sd", "sd"),
    number("lowest", "lowest"),
    number("lower quartile", "quarter"),
    number("median", "median"),
    number("upper quartile", "three_quarters"),
    number("highest", "highest"),
)
_OF_METRICS = (text("metric", "first"), text("other metric", "second"))
_OF_SCORES = (text("score", "first"), text("other score", "second"))  # people gave some of the scores, or all
_RELATED = (
    count("n", "n"),
    number("Pearson", "pearson", 2),
    number("Spearman", "spearman", 2),
)
