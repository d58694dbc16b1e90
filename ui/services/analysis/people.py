"""How well people agree with one another: the reference value for a metric's agreement with people."""

from typing import Any

from core.statistics.bootstrap import Interval
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Facts, Found, Section
from ui.services.tables import Table, interval100, table_of, times100

_ABOUT = (
    "People as a metric: each judgement of a caption is compared with the mean of the caption’s other judgements, as "
    "if this mean were a metric’s score. A metric with a higher tau agrees with people better than people agree with "
    "one another. Judgements are linked to captions, not to raters. Intervals of taus are over images, intervals of "
    "coefficients over captions."
)


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return how far people agree with one another about captions. Raises NotFound."""
    from core.benchmarks.correlation import correlate  # imported late, because this imports pandas and scipy
    from core.benchmarks.human_agreement import among_people, others_mean
    from core.datasets.benchmark import Benchmark

    judged, within = analyst.judged(asked.dataset), analyst.chosen(asked.dataset, asked.slice)
    column = judged.samples if within is None else judged.samples.where(within)
    if not (column.counts > 1).any():
        return Found(notes=["No caption here has two judgements, so there is nothing to compare."])
    rule = Benchmark(analyst.benchmark(asked.dataset), "c", per_judgement=True)
    tau = correlate(others_mean(column), rule, "people")
    row = {
        "score": "mean of the other judgements",
        "judgements": tau.n,
        "τ-b": times100(tau.tau_b),
        "95 % interval of τ-b": interval100(tau.interval_b),
        "τ-c": times100(tau.tau_c),
        "95 % interval of τ-c": interval100(tau.interval_c),
        "note": tau.note,
    }
    found = among_people(column)
    coefficients = [
        {"coefficient": one.name, "value": one.value}
        | {"95 % interval": None if one.ci_low is None or one.ci_high is None else Interval(one.ci_low, one.ci_high)}
        | {"by chance alone": one.chance, "captions": found.shared_units, "judgements": found.judgements}
        | {"note": one.note}
        for one in found.coefficients
    ]
    tables: list[Table[Any]] = [
        table_of("People as a metric: Kendall’s τ × 100", [row], decimals=2),
        table_of("Agreement of people: coefficients", coefficients),
    ]
    return Found(tables, notes=[_ABOUT])


def needs(facts: Facts) -> str:
    """Return what the section lacks."""
    return "" if facts.several_judgements else "several judgements of a caption"


SECTION = Section("people", "How well people agree with one another", made, needs)
