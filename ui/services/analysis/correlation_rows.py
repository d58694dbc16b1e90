"""Rows of correlation tables.

A row has computed values, times 100. Beside them are the values that papers print for the same metric and coefficient.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from core.datasets.benchmark import Published, Quantity
from core.types import Variant

if TYPE_CHECKING:
    from core.benchmarks.correlation import Correlation
    from core.benchmarks.figures import MetricAccuracyDifference, MetricDifference
    from core.benchmarks.pairwise import PairwiseAccuracy
    from core.statistics.bootstrap import Interval

QUANTITIES = {"tau_b": "τ-b ", "tau_c": "τ-c ", "accuracy": ""}


class Names(Protocol):
    """The two names of a metric: in papers and on pages."""

    @property
    def metric(self) -> str:
        """The metric's name in papers."""
        ...

    @property
    def label(self) -> str:
        """The metric's name on pages. If the metric has several settings, the name contains them."""
        ...


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """A value that a paper prints for the quantity that a row of the table computes."""

    name: str  # name of the value, such as "τ-b " or "mean "; "" if the table's row already names it
    value: float
    paper: str
    table: str


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A value that papers print for another metric on the same benchmark, by the same coefficient."""

    metric: str
    variant: str  # "": the metric's own score
    category: str  # "": the benchmark has no categories
    quantity: Quantity
    value: float  # times 100
    source: str  # papers and tables in which the value is printed


@dataclass(frozen=True, slots=True)
class TauRow:
    """Kendall's taus, Pearson's r and Spearman's rho of one metric, times 100.

    None: undefined; `note` says why.
    """

    benchmark: str
    metric: str  # name of the metric in score tables
    label: str  # name of the metric on pages
    variant: Variant
    n: int
    tau_b: float | None
    tau_b_low: float | None  # 95 % interval of tau-b, bootstrap over images
    tau_b_high: float | None
    tau_c: float | None
    tau_c_low: float | None
    tau_c_high: float | None
    pearson: float | None
    spearman: float | None
    ties: int
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
    ci_low: float | None  # 95 % interval of the accuracy, bootstrap over images
    ci_high: float | None
    note: str
    published: list[PublishedFigure]


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """The difference in agreement with people between two metrics, or two variants of one metric, times 100.

    Positive: the first one agrees better with people.
    """

    first: str
    first_label: str  # label of the first metric; it includes the variant if two variants of one metric are compared
    second: str
    second_label: str
    tau: Literal["b", "c"]
    n: int
    difference: float | None
    ci_low: float | None
    ci_high: float | None
    p: float | None
    p_holm: float | None  # p after Holm's correction over all comparisons that use the same tau
    p_at_most: bool  # True: p is only an upper bound, because the differences in all bootstrap draws have the same sign
    note: str


@dataclass(frozen=True, slots=True)
class AccuracyDifferenceRow:
    """The difference in pairwise accuracy between two metrics, or variants of one metric, in one category, times 100.

    Positive: the first one agrees better with people.
    """

    first: str
    first_label: str  # label of the first metric; it includes the variant if two variants of one metric are compared
    second: str
    second_label: str
    category: str
    n: int  # number of pairs of captions for which both metrics have scores
    difference: float | None
    ci_low: float | None
    ci_high: float | None
    p: float | None
    p_holm: float | None  # p after Holm's correction over the comparisons in the same category
    p_at_most: bool  # True: p is only an upper bound, because the differences in all bootstrap draws have the same sign


FEW = 20  # minimum observations for the text SAME_ORDER; with fewer, the metric may match people's order by chance
SAME_ORDER = "has exactly the same order as the human judgements; it is probably the human score itself"


def tau_row(row: "Correlation", names: Names, published: list[PublishedFigure]) -> TauRow:
    note = row.note or (SAME_ORDER if row.n >= FEW and row.tau_b is not None and row.tau_b > 1 - 1e-9 else "")
    of_b, of_c = (hundredfold(row.tau_b, row.interval_b), hundredfold(row.tau_c, row.interval_c))
    names_of = row.benchmark, row.metric, names.label, row.variant
    linear = _percent(row.pearson), _percent(row.spearman)
    return TauRow(*names_of, row.n, *of_b, *of_c, *linear, row.ties, row.convention, note, published)


Hundredfold = tuple[float | None, float | None, float | None]  # value, lower and upper end of its interval, times 100


def hundredfold(value: float | None, interval: "Interval | None") -> Hundredfold:
    """Return a value and the ends of its interval, all times 100.

    A missing value stays None.
    """
    ends = (None, None) if interval is None else (100 * interval.low, 100 * interval.high)
    return _percent(value), *ends


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value


def accuracy_row(row: "PairwiseAccuracy", names: Names, published: list[PublishedFigure]) -> AccuracyRow:
    note = "" if row.n else "no pair has scores of both captions"
    fields = row.as_json()
    del fields["ci_of"]  # not needed, because here every interval is an interval of the accuracy
    return AccuracyRow(**fields, label=names.label, note=note, published=published)


def published_figures(
    benchmark: str, metric: str, variant: Variant, category: str | None, brought: Sequence[Published]
) -> list[PublishedFigure]:
    """Return the values that papers print for the results in a row.

    Each value comes with its paper and table. brought: published values from the metrics' own descriptions. A value is
    named only if the row does not show which value it is. The name is the kind of tau (b or c), or for FOIL the number
    of references.
    """
    from core.benchmarks.published import published_beside

    return [
        PublishedFigure(
            QUANTITIES[figure.quantity] if figure.category in (category, None) else f"{figure.category} ",
            figure.value,
            figure.paper,
            figure.table,
        )
        for figure in published_beside(benchmark, metric, variant, category, brought)
    ]


def difference_json(row: "MetricDifference", names: Mapping[str, Names]) -> DifferenceRow:
    """Return the difference between two metrics, with tau and interval times 100."""
    result = row.result
    sizes = hundredfold(result.difference, result.interval)
    tests = result.p, row.p_holm, result.p_at_most
    return DifferenceRow(*_both(row, names), result.tau, result.n, *sizes, *tests, result.note)


def accuracy_difference_json(row: "MetricAccuracyDifference", names: Mapping[str, Names]) -> AccuracyDifferenceRow:
    result = row.result
    sizes = hundredfold(result.difference, result.interval)
    tests = result.p, row.p_holm, result.p_at_most
    return AccuracyDifferenceRow(*_both(row, names), result.category, result.n, *sizes, *tests)


def _both(row: "MetricDifference | MetricAccuracyDifference", names: Mapping[str, Names]) -> tuple[str, str, str, str]:
    """Return metric and label of the first and of the second score.

    If both scores are of one metric, each score's variant is added to its label.
    """
    (first, of_first), (second, of_second) = row.first, row.second
    variants = (f" {of_first}", f" {of_second}") if first == second else ("", "")
    return first, names[first].label + variants[0], second, names[second].label + variants[1]
