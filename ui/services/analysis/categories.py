"""Errors and agreement within categories of samples, such as captioners, caption lengths and kinds of words."""

from itertools import product
from typing import Any

from core.long_work.parallel import computed
from ui.services.analysis.agreement import compared, tau_record
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.errors import needs
from ui.services.analysis.section import Asked, Found, Section
from ui.services.tables import Column, Table, count, ends, interval, number, text

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
        taus = {} if found.taus is None else tau_record(found.taus)
        own = {"facet": category.facet, "category": category.name, "metric": table.metric(score).label}
        means = {"captions": found.n, "human": found.human, "score": found.score, "mean_error": found.offset}
        return taus | own | means | ends("mean_error", found.interval) | {"mean_absolute_error": found.mean_error}

    rows = [row for row in computed("Computing scores within categories", figures, pairs) if row]
    facets = dict.fromkeys(row["facet"] for row in rows)
    tables = [Table(f"By {of}", _columns(of), [row for row in rows if row["facet"] == of]) for of in facets]
    return Found(tables, notes=[_ABOUT])


def _columns(facet: str) -> tuple[Column, ...]:
    taus = [
        (Column(f"τ-{tau}", (f"tau_{tau}",), "number", 2, ""), interval(f"95 % interval of τ-{tau}", f"tau_{tau}", 2))
        for tau in "bc"
    ]
    return (
        text(facet, "category"),
        text("score", "metric"),
        count("captions", "captions"),
        number("mean judgement", "human"),
        number("mean score", "score"),
        number("mean error", "mean_error"),
        interval("95 % interval of mean error", "mean_error"),
        number("mean |error|", "mean_absolute_error"),
        *taus[0],
        *taus[1],
        text("note", "note", undefined="", brief=False),
    )


SECTION = Section("categories", "By category", made, needs)
