"""How well people agree with one another: the reference value for a metric's agreement with people."""

from core.benchmarks.correlation import among_people, others_mean
from core.statistics.bootstrap import Interval
from ui.services.analysis.agreement import tau_cells
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Found, Section
from ui.services.tables import table_of

_ABOUT = (
    "People as a metric: each judgement of a caption is compared with the mean of the caption’s other judgements, as "
    "if this mean were a metric’s score. A metric with a higher tau agrees with people better than people agree with "
    "one another. Judgements are linked to captions, not to raters. Intervals of taus are over images, intervals of "
    "coefficients over captions."
)


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return how far people agree with one another about captions. Raises NotFound."""
    table = analyst.table(asked.dataset, asked.slice)
    if not (table["counts"] > 1).any():
        return Found(notes=["No caption here has two judgements, so there is nothing to compare."])
    tau = others_mean(table)
    row = {"score": "mean of the other judgements", "judgements": tau.n} | tau_cells(tau) | {"note": tau.note}
    found = among_people(table)
    coefficients = [
        {"coefficient": one.name, "value": one.value}
        | {"95 % interval": None if one.ci_low is None or one.ci_high is None else Interval(one.ci_low, one.ci_high)}
        | {"by chance alone": one.chance, "captions": found.shared_units, "judgements": found.judgements}
        | {"note": one.note}
        for one in found.coefficients
    ]
    people = table_of("People as a metric: Kendall’s τ × 100", [row], decimals=2)
    return Found([people, table_of("Agreement of people: coefficients", coefficients)], notes=[_ABOUT])


SECTION = Section(
    "people",
    "How well people agree with one another",
    made,
    lambda _analyst, _dataset, here: "" if (here["counts"] > 1).any() else "several judgements of a caption",
)
