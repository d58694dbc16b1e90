"""Figures (numbers) that papers printed: what Capscope shows beside its own figures. All are times 100, as printed.

assets/published/papers.csv has the figures of four papers about their own metrics: FLEUR (Lee et al., 2024, arXiv
2406.06004), EXPERT (Kim et al., 2025, arXiv 2506.24016), HICE-S (Zeng et al., 2024, arXiv 2407.18589) and Polos (Wada
et al., 2024, arXiv 2402.18091). figures.csv has the figures of their comparison tables, and reasons.csv known reasons
for differences.
"""

import csv
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from core.benchmarks.pairwise import MEAN
from core.datasets import BENCHMARKS
from core.datasets.benchmark import Published, Quantity
from core.types import OWN, RAW, Variant

FOLDER = Path(__file__).parents[2] / "assets" / "published"
_NAMES = ("paper", "table", "metric", "variant")


@cache
def _rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


PUBLISHED = tuple(
    Published(**row | {"value": float(row["value"]), "category": row["category"] or None})  # type: ignore[arg-type]
    for row in _rows("papers.csv")
)


def published(benchmark: str, metric: str, variant: Variant, category: str | None) -> tuple[Published, ...]:
    """Return the published figures to show beside a row of computed figures. Upper and lower case do not matter.

    category: the category of pairs to which the row belongs, if any. A row without a category gets the figures that
    belong to no category, such as FOIL's figures with four references.
    """
    variants = (OWN, RAW) if variant == "" else (variant,)
    figures = [one for one in PUBLISHED if one.benchmark == benchmark and one.metric.lower() == metric.lower()]
    figures = [one for one in figures if one.variant in variants]
    if category not in (None, benchmark):
        return tuple(one for one in figures if one.category == category)
    categories = next((one.categories for one in BENCHMARKS if one.name == benchmark), ())
    return tuple(one for one in figures if one.category not in (*categories, MEAN))


@dataclass(frozen=True, slots=True)
class Figure:
    """What identifies a printed figure."""

    benchmark: str
    metric: str
    variant: Variant  # "smoothed": the metric's own score; any other value: a component of it, such as "raw"
    quantity: Quantity
    category: str | None = None  # category of pairs; None: the benchmark has no categories


@dataclass(frozen=True, slots=True)
class Printed:
    """A value of a printed figure, with all papers that printed this value."""

    figure: Figure
    value: float  # times 100
    papers: tuple[str, ...]  # short names, such as "FLEUR"
    source: str  # where the value is printed: "FLEUR, Table 1; EXPERT, Table 2"


@cache
def printed_figures() -> tuple[Printed, ...]:
    """Return all figures of the four papers. A figure that was printed with different values has several entries."""
    sources: dict[tuple[Figure, float], dict[str, str]] = defaultdict(dict)
    for row in _rows("figures.csv"):
        for column, value in row.items():
            if column not in _NAMES and value:
                benchmark, quantity, *category = column.split()
                of = benchmark, row["metric"], row["variant"], cast(Quantity, quantity)
                source = f"{row['paper']}, Table {row['table']}"
                sources[Figure(*of, *category), float(value)].setdefault(row["paper"], source)
    for one in PUBLISHED:
        paper = one.paper.split()[0]
        figure = Figure(one.benchmark, one.metric, one.variant, one.quantity, one.category)
        sources[figure, one.value].setdefault(paper, f"{paper}, {one.table}")
    return tuple(
        Printed(figure, value, tuple(papers), "; ".join(papers.values())) for (figure, value), papers in sources.items()
    )


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


@dataclass(frozen=True, slots=True)
class PublishedRating:
    """Mean rating of EXPERT's training explanations on one criterion: 4 raters, 100 items, 1 to 4 points."""

    criterion: str  # key of the criterion
    mean: float  # points
    sd: float  # standard deviation over all 400 ratings
    metric: str = "EXPERT"  # the metric whose explanations were rated; these values are shown for no other metric


PUBLISHED_RATINGS: tuple[PublishedRating, ...] = (
    PublishedRating("consistency", 3.72, 0.52),
    PublishedRating("factuality", 3.84, 0.39),
    PublishedRating("informativeness", 3.72, 0.45),
)
