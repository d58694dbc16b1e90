"""How well people agree with one another: the reference value for a metric's agreement with people."""

from typing import Any

from ui.services.analysis.agreement import tau_record
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Facts, Found, Section
from ui.services.tables import Column, Table, count, interval, number, text

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
    tau = tau_record(correlate(others_mean(column), rule, "people")) | {"score": "mean of the other judgements"}
    found = among_people(column)
    coefficients = [
        {"coefficient": one.name, "value": one.value, "value_low": one.ci_low, "value_high": one.ci_high}
        | {"chance": one.chance, "captions": found.shared_units, "judgements": found.judgements, "note": one.note}
        for one in found.coefficients
    ]
    tables: list[Table[Any]] = [
        Table("People as a metric: Kendall’s τ × 100", _TAUS, [tau]),
        Table("Agreement of people: coefficients", _COEFFICIENTS, coefficients),
    ]
    return Found(tables, notes=[_ABOUT])


_TAUS = (
    text("score", "score"),
    count("judgements", "judgements"),
    Column("τ-b", ("tau_b",), "number", 2),
    interval("95 % interval of τ-b", "tau_b", 2),
    Column("τ-c", ("tau_c",), "number", 2),
    interval("95 % interval of τ-c", "tau_c", 2),
    text("note", "note"),
)
_COEFFICIENTS = (
    text("coefficient", "coefficient"),
    number("value", "value"),
    interval("95 % interval", "value"),
    number("by chance alone", "chance"),
    count("captions", "captions"),
    count("judgements", "judgements"),
    text("note", "note"),
)


def needs(facts: Facts) -> str:
    """Return what the section lacks."""
    return "" if facts.several_judgements else "several judgements of a caption"


SECTION = Section("people", "How well people agree with one another", made, needs)
