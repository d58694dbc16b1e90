"""Correlations as the page and the report get them, ours beside the published ones."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from core.analysis.score_table import MetricColumn
from core.metrics import PUBLISHED

if TYPE_CHECKING:
    from core.benchmarks.figures import Correlated, MetricDifference
    from core.types import Variant


def correlated_json(found: "Correlated", columns: Mapping[str, MetricColumn]) -> dict[str, Any]:
    """Return correlations as the page and the report get them: taus and accuracies times 100.

    Rows name metrics as `columns` do; "label" is what people read.
    """
    taus = [
        row.as_json()
        | {"label": columns[row.metric].label, "convention": row.convention, "note": row.note}
        | {"published": published_json(row.benchmark, columns[row.metric].metric, row.variant)}
        for row in found.taus
    ]
    accuracies = [
        row.as_json()
        | {"label": columns[row.metric].label, "note": "" if row.n else "no pair has both scores"}
        | {"published": published_json(row.benchmark, columns[row.metric].metric, row.variant, row.category)}
        for row in found.accuracies
    ]
    return {
        "benchmark": found.benchmark,
        "taus": taus,
        "accuracies": accuracies,
        "differences": [
            difference_json(row) | {"first_label": columns[row.first].label, "second_label": columns[row.second].label}
            for row in found.differences
        ],
    }


def published_json(
    benchmark: str, metric: str, variant: "Variant", category: str | None = None
) -> list[dict[str, Any]]:
    """Return what papers printed of the same quantity, with the paper and its table.

    "category" is that of a figure whose row has none: with how many references FOIL was scored.
    """
    from core.benchmarks.published import published_beside

    return [
        {"quantity": number.quantity, "value": number.value, "paper": number.paper, "table": number.table}
        | {"category": None if number.category == category else number.category}
        for number in published_beside(benchmark, metric, variant, category, PUBLISHED)
    ]


def difference_json(row: "MetricDifference") -> dict[str, Any]:
    """Return the comparison of two metrics, tau and interval times 100."""
    found = row.result
    low, high = (100 * found.interval.low, 100 * found.interval.high) if found.interval else (None, None)
    difference = None if found.difference is None else 100 * found.difference
    figures = {"n": found.n, "difference": difference, "ci_low": low, "ci_high": high, "p": found.p}
    return {"first": row.first, "second": row.second, "tau": found.tau, "note": found.note} | figures
