"""Tables of correlations, with the values that papers published."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from core.metrics import Metric, published_by
from core.types import OWN
from ui.services.analysis.correlation_rows import (
    AccuracyDifferenceRow,
    AccuracyRow,
    DifferenceRow,
    Names,
    PrintedRow,
    PublishedFigure,
    TauRow,
    accuracy_difference_json,
    accuracy_row,
    difference_json,
    published_figures,
    tau_row,
)
from ui.services.tables import INTERVAL, Column, Table, count, number, text

if TYPE_CHECKING:
    from core.benchmarks.correlation import Correlation
    from core.benchmarks.figures import Correlated
    from core.benchmarks.pairwise import PairwiseAccuracy


@dataclass(frozen=True, slots=True)
class Correlations:
    """All results on metrics' agreement with people, and the published values beside them."""

    benchmark: str
    counted: str  # text about what `n` counts, with the numbers of captions and images
    taus: Table[TauRow]
    accuracies: Table[AccuracyRow]
    differences: Table[DifferenceRow]
    accuracy_differences: Table[AccuracyDifferenceRow]
    remarks: list[str]  # limits that a reader must know before quoting these figures
    printed: list[PrintedRow]  # what papers print for other metrics, highest value first; []: a part of the samples


def correlation_tables(
    found: "Correlated",
    names: Mapping[str, Names],
    metrics: Sequence[type[Metric]],
    counted: str = "",
    whole: bool = True,
    remarks: Sequence[str] = (),
) -> Correlations:
    """Return correlations as tables: taus and accuracies times 100.

    names: each metric's names in papers and on pages; key: the metric's name in `found`. metrics: all metrics.
    Published values are taken from their field `published`. whole: whether the correlations are about all samples. If
    they are about a part of the samples, published values are omitted, because these are about all samples.
    """
    brought = published_by(metrics)

    def printed(row: "Correlation | PairwiseAccuracy", category: str | None = None) -> list[PublishedFigure]:
        metric = names[row.metric].metric
        return published_figures(row.benchmark, metric, row.variant, category, brought) if whole else []

    return Correlations(
        found.benchmark,
        counted,
        _taus([tau_row(row, names[row.metric], printed(row)) for row in found.taus], found.benchmark),
        Table(
            f"{found.benchmark}: pairwise accuracy × 100; ties count as wrong",
            ACCURACIES,
            [accuracy_row(row, names[row.metric], printed(row, row.category)) for row in found.accuracies],
        ),
        _differences([difference_json(row, names) for row in found.differences if row.result.n > 1]),
        _accuracy_differences(
            [accuracy_difference_json(row, names) for row in found.accuracy_differences if row.result.n]
        ),
        [*remarks, *_apart(found, names)],
        _printed_of_others(found, {(names[row.metric].metric, row.variant) for row in found.taus}) if whole else [],
    )


def _printed_of_others(found: "Correlated", own: Collection[tuple[str, str]]) -> list[PrintedRow]:
    """Return the printed values of the same benchmark and coefficient, highest value first.

    own: metrics and variants in the table. The table itself shows what papers print for them.
    """
    from core.benchmarks.printed_figures import printed_figures

    quantities = {f"tau_{row.convention}" for row in found.taus} | ({"accuracy"} if found.accuracies else set())
    own = {*own, *((row.metric, row.variant) for row in found.accuracies)}
    rows = [
        PrintedRow(
            of.metric, "" if of.variant == OWN else of.variant, of.category or "", of.quantity, one.value, one.source
        )
        for one in printed_figures()
        if (of := one.figure).benchmark == found.benchmark
        and of.quantity in quantities
        and (of.metric, of.variant) not in own
    ]
    return sorted(rows, key=lambda row: -row.value)


def _apart(found: "Correlated", names: Mapping[str, Names]) -> list[str]:
    """Return a remark on metrics that cannot be compared, in a list.

    The remark names the pairs of metrics that have too few samples in common. It replaces table rows that would have no
    numbers. The list is empty if all metrics can be compared.
    """
    pairs = {(row.first[0], row.second[0]): None for row in found.differences if row.result.n < 2}
    pairs_text = ", ".join(f"{names[first].label} and {names[second].label}" for first, second in pairs)
    return (
        [f"Not compared, because these metrics share fewer than two judged samples: {pairs_text}."]
        if pairs_text
        else []
    )


def _taus(rows: list[TauRow], benchmark: str) -> Table[TauRow]:
    convention = rows[0].convention if rows else "b"
    columns = (
        text("metric", "label"),
        text("variant", "variant"),
        count("n", "n"),
        *tau_columns("b", convention),
        *tau_columns("c", convention),
        number("Pearson × 100", "pearson", 2, brief=False),
        number("Spearman × 100", "spearman", 2, brief=False),
        count("tied pairs", "ties"),
        Column("published", ("published",), "published", brief=False),
        text("note", "note", brief=False),
    )
    return Table(f"{benchmark}: Kendall’s τ × 100", columns, rows)


def tau_columns(tau: Literal["b", "c"], convention: Literal["b", "c"] | None = None) -> tuple[Column, Column]:
    """Return the columns of a tau and its interval. The tau that the benchmark reports is emphasised."""
    field, ours = f"tau_{tau}", tau == convention
    ends = Column("95 % interval", (f"{field}_low", f"{field}_high"), "interval", 2, brief=ours or convention is None)
    return Column(f"τ-{tau}", (field,), "number", 2, strong=ours), ends


ACCURACIES = (
    text("metric", "label"),
    text("variant", "variant"),
    text("category", "category"),
    count("pairs", "n"),
    Column("accuracy", ("accuracy",), "number", 2, strong=True),
    Column("95 % interval", INTERVAL, "interval", 2),
    count("ties", "ties"),
    number("half credit", "accuracy_half_credit", 2, brief=False),
    Column("published", ("published",), "published", brief=False),
    text("note", "note", brief=False),
)


def _differences(rows: list[DifferenceRow]) -> Table[DifferenceRow]:
    comparisons = len(rows) // 2  # two rows for each pair of metrics: one for τ-b, one for τ-c
    columns = _compared((text("τ", "tau"), count("n", "n")), comparisons)
    title = f"Which metric agrees better with people, τ × 100 (paired bootstrap{_over(comparisons)})"
    return Table(title, (*columns, text("note", "note")), rows)


def _accuracy_differences(rows: list[AccuracyDifferenceRow]) -> Table[AccuracyDifferenceRow]:
    comparisons = len({(row.first_label, row.second_label) for row in rows})
    columns = _compared((text("category", "category"), count("pairs", "n")), comparisons)
    title = f"Which metric agrees better with people, accuracy × 100 (paired bootstrap{_over(comparisons)})"
    return Table(title, columns, rows)


def _compared(middle: tuple[Column, ...], comparisons: int) -> tuple[Column, ...]:
    """Return the columns of a table that compares metrics in pairs.

    middle: the columns that name the compared quantity. comparisons: number of compared pairs.
    """
    return (
        Column("metrics", ("first_label", "second_label"), "difference"),
        *middle,
        number("difference", "difference", 2),
        Column("95 % interval", INTERVAL, "interval", 2),
        Column("p", ("p", "p_at_most"), "p"),
        *([Column("p, Holm", ("p_holm", "p_at_most"), "p")] if comparisons > 1 else []),
    )


def _over(comparisons: int) -> str:
    return f", Holm over {comparisons} comparisons" if comparisons > 1 else ""
