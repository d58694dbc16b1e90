"""Errors and agreement within categories of samples, such as captioners, caption lengths and kinds of words."""

from itertools import product
from typing import Any

import numpy as np

from core.analysis.categories import Category, categories
from core.benchmarks.correlation import observed
from core.benchmarks.figures import rule_of
from core.long_work.parallel import computed
from core.statistics.influence import clustered_mean_interval
from ui.services.analysis.agreement import compared, note, tau_cells
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.errors import needs
from ui.services.analysis.section import Asked, Found, Section
from ui.services.tables import Table, table_of

_ABOUT = (
    "A caption can have several kinds of words. Within a single level of human judgement, τ has little meaning, "
    "because the judgements hardly differ."
)


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return a table for each kind of category that divides the samples. Raises NotFound."""
    dataset, table = asked.dataset, analyst.table(asked.dataset)
    within, human = analyst.chosen(dataset, asked.slice), table["human"]
    rule = rule_of(analyst.benchmark(dataset), table)

    def figures(pair: tuple[Category, str]) -> dict[str, Any] | None:
        category, score = pair
        column = table.metric(score)
        mask = category.mask if within is None else category.mask & within
        both = mask & np.isfinite(column.unit) & np.isfinite(human)
        if not both.any():
            return None
        error = column.unit[both] - human[both]
        row: dict[str, Any] = {"facet": category.facet, category.facet: category.name}
        row |= {"score": column.label, "captions": int(both.sum()), "mean judgement": float(human[both].mean())}
        row |= {"mean score": float(column.unit[both].mean()), "mean error": float(error.mean())}
        row["95 % interval of mean error"] = clustered_mean_interval(error, table["image"][both])
        row["mean |error|"] = float(np.abs(error).mean())
        if rule is None:
            return row
        taus = observed(table, np.where(both, column.value, np.nan), rule)
        return row | tau_cells(taus) | {"note": note(taus)}

    pairs = [*product(categories(table, analyst.codes(dataset)), table.with_raw(compared(analyst, asked)))]
    rows = [row for row in computed("Computing scores within categories", figures, pairs) if row]
    facets = dict.fromkeys(row["facet"] for row in rows)
    return Found([_table(of, [row for row in rows if row["facet"] == of]) for of in facets], notes=[_ABOUT])


def _table(facet: str, rows: list[dict[str, Any]]) -> Table[Any]:
    taus = ("τ-b", "95 % interval of τ-b", "τ-c", "95 % interval of τ-c")
    own = [{head: value for head, value in row.items() if head != "facet"} for row in rows]
    blank = {"τ-b": "", "τ-c": "", "note": ""}
    return table_of(f"By {facet}", own, decimals=dict.fromkeys(taus, 2), missing=blank, wide=("note",))


SECTION = Section("categories", "By category", made, needs)
