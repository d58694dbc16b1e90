"""Errors and agreement within categories of samples, such as captioners, caption lengths and kinds of words."""

from itertools import product
from typing import Any

from core.long_work.parallel import computed
from ui.services.analysis.agreement import compared, note
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.errors import needs
from ui.services.analysis.section import Asked, Found, Section
from ui.services.tables import Table, interval100, table_of, times100

_ABOUT = (
    "A caption can have several kinds of words. Within a single level of human judgement, τ has little meaning, "
    "because the judgements hardly differ."
)


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return a table for each kind of category that divides the samples. Raises NotFound."""
    from core.benchmarks.categories import categories, figures_within  # imported late: scipy is loaded only if needed
    from core.benchmarks.figures import rule_of

    dataset, table = asked.dataset, analyst.table(asked.dataset)
    within, judged = analyst.chosen(dataset, asked.slice), analyst.judged(dataset)
    rule = rule_of(analyst.benchmark(dataset), judged.values())
    captioners = analyst.captioners(dataset)
    every = [*categories(table, analyst.captions(dataset), analyst.codes(dataset), within, captioners)]
    pairs = [*product(every, table.with_raw(compared(analyst, asked)))]

    def figures(pair: tuple[Any, str]) -> dict[str, Any] | None:
        category, score = pair
        found = figures_within(category, table, score, judged[score], rule)
        if found is None:
            return None
        row: dict[str, Any] = {"facet": category.facet, category.facet: category.name}
        row |= {"score": table.metric(score).label, "captions": found.n, "mean judgement": found.human}
        row |= {"mean score": found.score, "mean error": found.offset, "95 % interval of mean error": found.interval}
        row["mean |error|"] = found.mean_error
        if found.taus is None:
            return row
        for head, tau, ends in (
            ("τ-b", found.taus.tau_b, found.taus.interval_b),
            ("τ-c", found.taus.tau_c, found.taus.interval_c),
        ):
            row |= {head: times100(tau), f"95 % interval of {head}": interval100(ends)}
        return row | {"note": note(found.taus)}

    rows = [row for row in computed("Computing scores within categories", figures, pairs) if row]
    facets = dict.fromkeys(row["facet"] for row in rows)
    tables = [_table(of, [row for row in rows if row["facet"] == of]) for of in facets]
    return Found(tables, notes=[_ABOUT])


def _table(facet: str, rows: list[dict[str, Any]]) -> Table[Any]:
    taus = ("τ-b", "95 % interval of τ-b", "τ-c", "95 % interval of τ-c")
    own = [{head: value for head, value in row.items() if head != "facet"} for row in rows]
    blank = {"τ-b": "", "τ-c": "", "note": ""}
    return table_of(f"By {facet}", own, decimals=dict.fromkeys(taus, 2), missing=blank, wide=("note",))


SECTION = Section("categories", "By category", made, needs)
