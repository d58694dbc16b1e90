"""Scores within categories of samples, as tables: by human level, caption length, kinds of words, error codes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.services.analysis import Analyst
from ui.services.metric_agreement import AgreementDesk
from ui.services.tables import INTERVAL, Column, Table, count, number, text

if TYPE_CHECKING:
    from core.benchmarks.categories import CategoryFigures, Facet


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """One score within one category; taus times 100. None: undefined, for the reason in `note`."""

    category: str
    label: str  # of the score
    n: int
    human: float | None
    score: float | None
    offset: float | None
    ci_low: float | None  # 95 % of the offset, bootstrap over images
    ci_high: float | None
    mean_error: float | None
    tau_b: float | None
    tau_c: float | None
    note: str


def by_category(
    analyst: Analyst, desk: AgreementDesk, dataset: str, metrics: Sequence[str], slice_name: str | None
) -> list[Table[CategoryRow]]:
    """Return a table for each facet by which the samples differ; [] without human judgement. Raises NotFound."""
    from core.benchmarks.categories import categories, figures_within  # scipy loads only where it is needed

    table, within = analyst.table(dataset), analyst.chosen(dataset, slice_name)
    judged, rule = desk.judged(dataset), desk.rule(dataset)
    rows: dict[Facet, list[CategoryRow]] = {}
    for category in categories(table, analyst.captions(dataset), analyst.codes(dataset), within):
        for score in table.variants(metrics):
            found = figures_within(category, table, score, judged[score.metric], rule)
            if found.n:
                rows.setdefault(category.facet, []).append(_row(category.name, table.label(score), found))
    return [Table(f"By {facet}", _columns(facet), of_facet) for facet, of_facet in rows.items()]


def _row(category: str, label: str, found: "CategoryFigures") -> CategoryRow:
    return CategoryRow(
        category=category,
        label=label,
        n=found.n,
        human=found.human,
        score=found.score,
        offset=found.offset,
        ci_low=found.interval.low if found.interval else None,
        ci_high=found.interval.high if found.interval else None,
        mean_error=found.mean_error,
        tau_b=None if found.tau_b is None else 100 * found.tau_b,
        tau_c=None if found.tau_c is None else 100 * found.tau_c,
        note=found.note,
    )


def _columns(facet: str) -> tuple[Column, ...]:
    return (
        text(facet, "category"),
        text("score", "label"),
        count("n", "n"),
        number("mean judgement", "human"),
        number("mean score", "score"),
        number("mean error", "offset"),
        Column("95 % interval", INTERVAL, "interval"),
        number("mean |error|", "mean_error"),
        number("τ-b", "tau_b", 2),
        number("τ-c", "tau_c", 2),
        text("note", "note", brief=False),
    )
