"""Compute scores within categories of samples, as tables.

Samples are grouped by captioner, level of human judgement, caption length, kinds of words, and error codes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from core.long_work.parallel import computed
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.correlation_rows import hundredfold
from ui.services.analysis.correlation_tables import tau_columns
from ui.services.analysis.metric_agreement import AgreementDesk
from ui.services.tables import Column, Table, count, number, text

if TYPE_CHECKING:
    from core.benchmarks.categories import Category, CategoryFigures, Facet


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """The results of one metric's score on the samples of one category.

    Taus are times 100. None: undefined; `note` says why.
    """

    category: str
    label: str  # the score's label
    n: int
    human: float | None
    score: float | None
    mean_error: float | None  # mean of score - human
    mean_error_low: float | None  # 95 % interval, bootstrap over images; the taus' intervals are computed likewise
    mean_error_high: float | None
    mean_absolute_error: float | None
    tau_b: float | None
    tau_b_low: float | None
    tau_b_high: float | None
    tau_c: float | None
    tau_c_low: float | None
    tau_c_high: float | None
    note: str


def by_category(
    analyst: Analyst, desk: AgreementDesk, dataset: str, metrics: Sequence[str], slice_name: str | None
) -> list[Table[CategoryRow]]:
    """Return a table for each kind of category that divides the samples.

    A kind of category is, for example, caption length. The result is empty without human judgements. Raises NotFound.
    """
    from core.benchmarks.categories import categories, figures_within  # imported late: scipy is loaded only if needed

    table, within = analyst.table(dataset), analyst.chosen(dataset, slice_name)
    judged, rule = desk.judged(dataset), desk.rule(dataset)
    rows: dict[Facet, list[CategoryRow]] = {}
    every = [
        *categories(
            table, analyst.captions(dataset), analyst.codes(dataset), within, captioners=analyst.captioners(dataset)
        )
    ]
    pairs = [*product(every, table.with_raw(metrics))]

    def figures(pair: "tuple[Category, str]") -> "CategoryFigures":
        category, score = pair
        return figures_within(category, table, score, judged[score], rule)

    for (category, score), found in zip(
        pairs, computed("Computing scores within categories", figures, pairs), strict=True
    ):
        if found.n:
            rows.setdefault(category.facet, []).append(_row(category.name, table.metric(score).label, found))
    return [Table(f"By {facet}", _columns(facet), of_facet) for facet, of_facet in rows.items()]


def _row(category: str, label: str, found: "CategoryFigures") -> CategoryRow:
    low, high = (found.interval.low, found.interval.high) if found.interval else (None, None)
    b, c = hundredfold(found.tau_b, found.interval_b), hundredfold(found.tau_c, found.interval_c)
    means = found.n, found.human, found.score, found.offset
    return CategoryRow(category, label, *means, low, high, found.mean_error, *b, *c, found.note)


def _columns(facet: str) -> tuple[Column, ...]:
    return (
        text(facet, "category"),
        text("score", "label"),
        count("n", "n"),
        number("mean judgement", "human"),
        number("mean score", "score"),
        number("mean error", "mean_error"),
        Column("95 % interval", ("mean_error_low", "mean_error_high"), "interval"),
        number("mean |error|", "mean_absolute_error"),
        *tau_columns("b"),
        *tau_columns("c"),
        text("note", "note", brief=False),
    )
