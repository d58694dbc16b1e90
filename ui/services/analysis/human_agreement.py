"""Measure how far people agree with one another about a data set's captions.

This is the reference value for a metric's agreement with people.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ui.services.analysis.correlation_rows import Hundredfold, hundredfold
from ui.services.analysis.correlation_tables import tau_columns
from ui.services.analysis.metric_agreement import AgreementDesk
from ui.services.tables import SHOWN_INTERVAL, Table, count, number, text

if TYPE_CHECKING:
    from core.benchmarks.columns import JudgedColumn


@dataclass(frozen=True, slots=True)
class PeopleCoefficient:
    """One coefficient of agreement among people. None: undefined; `note` says why."""

    name: str
    value: float | None
    ci_low: float | None  # lower end of the 95 % interval of `value` (bootstrap over captions)
    ci_high: float | None
    chance: float | None  # expected `value` if people's judgements were independent, with the same distribution
    captions: int  # number of captions with at least two judgements
    judgements: int  # number of judgements, including those of captions with only one judgement
    note: str


@dataclass(frozen=True, slots=True)
class PeopleTau:
    """How well individual judgements agree with the mean of the other judgements of the same captions.

    The values are Kendall's taus times 100, computed like a metric's taus.
    """

    score: Literal["mean of the other judgements"]
    n: int  # number of judgements of captions with at least two judgements
    tau_b: float | None
    tau_b_low: float | None  # lower end of the 95 % interval of `tau_b` (bootstrap over images)
    tau_b_high: float | None
    tau_c: float | None
    tau_c_low: float | None
    tau_c_high: float | None
    note: str


@dataclass(frozen=True, slots=True)
class PeopleAgreement:
    """Two tables on people's agreement with one another. Both are empty if no caption has two judgements."""

    coefficients: Table[PeopleCoefficient]
    taus: Table[PeopleTau]
    remarks: list[str]


def people_agreement(desk: AgreementDesk, dataset: str, slice_name: str | None) -> PeopleAgreement:
    """Return how far people agree with one another about captions.

    slice_name: only the captions of this slice (saved filter); None: all captions. Raises NotFound.
    """
    column = desk.part(dataset, slice_name)
    several = bool((column.counts > 1).any())
    return PeopleAgreement(
        Table("Agreement of people: coefficients", _COEFFICIENTS, _coefficients(column) if several else []),
        Table("People as a metric: Kendall’s τ × 100", _TAUS, [_tau(column)] if several else []),
        [_MEASURE] if several else [],
    )


_MEASURE = (
    "The table of taus compares each judgement of a caption with the mean of the caption’s other judgements, as if "
    "this mean were a metric’s score. A metric with a higher tau agrees with people better than people agree with one "
    "another. Judgements are linked to captions, not to raters. Intervals of taus are bootstrapped over images, and "
    "intervals of coefficients over captions."
)


def _coefficients(column: "JudgedColumn") -> list[PeopleCoefficient]:
    from core.benchmarks.human_agreement import among_people  # imported late, because this imports pandas and scipy

    found = among_people(column)
    return [
        PeopleCoefficient(
            *(one.name, one.value, one.ci_low, one.ci_high, one.chance),
            *(found.shared_units, found.judgements, one.note),
        )
        for one in found.coefficients
    ]


def _tau(column: "JudgedColumn") -> PeopleTau:
    from core.benchmarks.correlation import DRAWS, draw, tau_interval
    from core.benchmarks.human_agreement import others_mean

    found = draw(others_mean(column), DRAWS)

    def figures(tau: Literal["tau_b", "tau_c"]) -> Hundredfold:
        drawn = tau_interval(getattr(found.draws, tau)) if found.draws else None
        return hundredfold(float(getattr(found.whole, tau)[0]) if found.whole else None, drawn)

    return PeopleTau("mean of the other judgements", found.n, *figures("tau_b"), *figures("tau_c"), found.note)


_COEFFICIENTS = (
    text("coefficient", "name"),
    number("value", "value"),
    SHOWN_INTERVAL,
    number("by chance alone", "chance"),
    count("captions", "captions"),
    count("judgements", "judgements"),
    text("note", "note"),
)
_TAUS = (text("score", "score"), count("n", "n"), *tau_columns("b"), *tau_columns("c"), text("note", "note"))
