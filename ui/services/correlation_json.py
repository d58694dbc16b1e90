"""Correlations as the page and the report get them, ours beside the published ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from core.analysis.score_table import MetricColumn
from core.metrics import PUBLISHED
from core.types import Variant

if TYPE_CHECKING:
    from core.benchmarks.figures import Correlated, MetricDifference


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """What a paper printed of the same quantity."""

    quantity: str
    value: float
    paper: str
    table: str
    category: str | None  # of a figure whose row has none


@dataclass(frozen=True, slots=True)
class TauRow:
    """Kendall's taus of one metric, times 100. None: undefined, for the reason in `note`."""

    benchmark: str
    metric: str  # as score tables name it
    label: str  # what people read
    variant: Variant
    n: int
    tau_b: float | None
    tau_c: float | None
    ties: int
    ci_low: float | None  # of the tau of the convention
    ci_high: float | None
    convention: Literal["b", "c"]
    note: str
    published: list[PublishedFigure]


@dataclass(frozen=True, slots=True)
class AccuracyRow:
    """Pairwise accuracies of one metric in one category, times 100."""

    benchmark: str
    category: str
    metric: str
    label: str
    variant: Variant
    n: int  # pairs
    accuracy: float | None
    ties: int
    accuracy_half_credit: float | None
    note: str
    published: list[PublishedFigure]


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """How much better the first of two metrics agrees, times 100."""

    first: str
    first_label: str
    second: str
    second_label: str
    tau: Literal["b", "c"]
    n: int
    difference: float | None
    ci_low: float | None
    ci_high: float | None
    p: float | None
    note: str


@dataclass(frozen=True, slots=True)
class Correlations:
    """Every figure of agreement with people, ours beside the published ones."""

    benchmark: str
    taus: list[TauRow]
    accuracies: list[AccuracyRow]
    differences: list[DifferenceRow]


def correlated_json(found: "Correlated", columns: Mapping[str, MetricColumn]) -> Correlations:
    """Return correlations as the page and the report get them: taus and accuracies times 100.

    Rows name metrics as `columns` do; "label" is what people read.
    """
    return Correlations(
        found.benchmark,
        [
            TauRow(
                **row.as_json(),
                label=columns[row.metric].label,
                convention=row.convention,
                note=row.note,
                published=published_json(row.benchmark, columns[row.metric].metric, row.variant),
            )
            for row in found.taus
        ],
        [
            AccuracyRow(
                **row.as_json(),
                label=columns[row.metric].label,
                note="" if row.n else "no pair has both scores",
                published=published_json(row.benchmark, columns[row.metric].metric, row.variant, row.category),
            )
            for row in found.accuracies
        ],
        [difference_json(row, columns) for row in found.differences],
    )


def published_json(benchmark: str, metric: str, variant: Variant, category: str | None = None) -> list[PublishedFigure]:
    """Return what papers printed of the same quantity, with the paper and its table.

    "category" is that of a figure whose row has none: with how many references FOIL was scored.
    """
    from core.benchmarks.published import published_beside

    return [
        PublishedFigure(
            number.quantity,
            number.value,
            number.paper,
            number.table,
            None if number.category == category else number.category,
        )
        for number in published_beside(benchmark, metric, variant, category, PUBLISHED)
    ]


def difference_json(row: "MetricDifference", columns: Mapping[str, MetricColumn]) -> DifferenceRow:
    """Return the comparison of two metrics, tau and interval times 100."""
    found = row.result
    low, high = (100 * found.interval.low, 100 * found.interval.high) if found.interval else (None, None)
    return DifferenceRow(
        row.first,
        columns[row.first].label,
        row.second,
        columns[row.second].label,
        found.tau,
        found.n,
        None if found.difference is None else 100 * found.difference,
        low,
        high,
        found.p,
        found.note,
    )
