"""Figures (numbers) that papers printed: what Capscope shows beside its own figures. All are times 100, as printed.

assets/published/papers.csv has the figures of four papers about their own metrics: FLEUR (Lee et al., 2024, arXiv
2406.06004), EXPERT (Kim et al., 2025, arXiv 2506.24016), HICE-S (Zeng et al., 2024, arXiv 2407.18589) and Polos (Wada
et al., 2024, arXiv 2402.18091). figures.csv has the figures of their comparison tables, and reasons.csv known reasons
for differences.
"""

import csv
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

from core.benchmarks.pairwise import MEAN
from core.datasets import BENCHMARKS
from core.types import OWN, RAW, Variant

FOLDER = Path(__file__).parents[2] / "assets" / "published"
_NAMES = ("paper", "table", "metric", "variant")
# Mean and standard deviation of the ratings of EXPERT's training explanations: 4 raters, 100 items, 1 to 4 points
PUBLISHED_RATINGS = {
    ("EXPERT", "consistency"): (3.72, 0.52),
    ("EXPERT", "factuality"): (3.84, 0.39),
    ("EXPERT", "informativeness"): (3.72, 0.45),
}


class Figure(NamedTuple):
    """What identifies a printed figure."""

    benchmark: str
    metric: str
    variant: Variant  # "smoothed": the metric's own score; any other value: a component of it, such as "raw"
    quantity: str  # "tau_b", "tau_c" or "accuracy"
    category: str | None = None  # of pairs: HC, HI, HM, MM or mean, or the number of references: "1-ref" or "4-ref"


class Printed(NamedTuple):
    """A value of a printed figure, with all papers that printed this value."""

    figure: Figure
    value: float  # times 100
    papers: tuple[str, ...]  # short names, such as "FLEUR"
    source: str  # where the value is printed: "FLEUR, Table 1; EXPERT, Table 2"


def _rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


@cache
def own_figures() -> tuple[Printed, ...]:
    """Return the figures of the four papers about their own metrics."""
    found = []
    for row in _rows("papers.csv"):
        paper = row["paper"].split()[0]
        figure = Figure(row["benchmark"], row["metric"], row["variant"], row["quantity"], row["category"] or None)
        found.append(Printed(figure, float(row["value"]), (paper,), f"{paper}, {row['table']}"))
    return tuple(found)


def published(benchmark: str, metric: str, variant: Variant, category: str | None) -> tuple[Printed, ...]:
    """Return the published figures to show beside a row of computed figures. Upper and lower case do not matter.

    category: the category of pairs to which the row belongs, if any. A row without a category gets the figures that
    belong to no category, such as FOIL's figures with four references.
    """
    variants = (OWN, RAW) if variant == "" else (variant,)
    every = [one for one in own_figures() if one.figure.benchmark == benchmark and one.figure.variant in variants]
    every = [one for one in every if one.figure.metric.lower() == metric.lower()]
    if category not in (None, benchmark):
        return tuple(one for one in every if one.figure.category == category)
    categories = next((one.categories for one in BENCHMARKS if one.name == benchmark), ())
    return tuple(one for one in every if one.figure.category not in (*categories, MEAN))


@cache
def printed_figures() -> tuple[Printed, ...]:
    """Return all figures of the four papers. A figure that was printed with different values has several entries."""
    sources: dict[tuple[Figure, float], dict[str, str]] = defaultdict(dict)
    for row in _rows("figures.csv"):
        for column, value in row.items():
            if column not in _NAMES and value:
                benchmark, quantity, *category = column.split()
                figure = Figure(benchmark, row["metric"], row["variant"], quantity, *category)
                sources[figure, float(value)].setdefault(row["paper"], f"{row['paper']}, Table {row['table']}")
    for one in own_figures():
        sources[one.figure, one.value].setdefault(one.papers[0], one.source)
    return tuple(
        Printed(figure, value, tuple(papers), "; ".join(papers.values())) for (figure, value), papers in sources.items()
    )


@cache
def known_reason(printed: Printed) -> str:
    """Return all known reasons why a printed figure differs from another printed figure or from Capscope's.

    An empty field of a reason means that any value matches. The result is "" if no reason is known.
    """
    figure = printed.figure
    return " ".join(
        row["reason"]
        for row in _rows("reasons.csv")
        if row["benchmark"] == figure.benchmark
        and figure.metric in row["metrics"].split(" ")
        and row["paper"] in (*printed.papers, "")
        and row["quantity"] in (figure.quantity, "")
        and row["category"] in (figure.category, "")
        and row["value"] in (str(printed.value), "")
    )
