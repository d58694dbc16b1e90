"""All figures (numbers) that the papers on FLEUR, EXPERT, HICE-S and Polos printed.

For each figure, this module also says which papers printed it. Figures of the papers' comparison tables are in
assets/published/figures.csv, other figures in core.benchmarks.published. Known reasons for differences are in
assets/published/reasons.csv.
"""

import csv
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from core.benchmarks.published import PUBLISHED
from core.datasets.benchmark import Quantity
from core.types import Variant

FOLDER = Path(__file__).parents[2] / "assets" / "published"
_NAMES = ("paper", "table", "metric", "variant")


@dataclass(frozen=True, slots=True)
class Figure:
    """Benchmark, metric and other properties that identify a printed figure (number)."""

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
    """Return all printed figures. A figure that was printed with different values has several entries.

    Figures from the file come first, then those from core.benchmarks.published.
    """
    sources: dict[tuple[Figure, float], dict[str, str]] = defaultdict(dict)
    for figure, value, paper, table in (*_from_file(), *_from_code()):
        if (
            paper not in sources[figure, value]
        ):  # for a figure in both the CSV file and the code, the file's source is used: it has the table's number
            sources[figure, value][paper] = f"{paper}, {table}"
    return tuple(
        Printed(figure, value, tuple(papers), "; ".join(papers.values())) for (figure, value), papers in sources.items()
    )


def _from_file() -> list[tuple[Figure, float, str, str]]:
    return [
        (_figure(row["metric"], row["variant"], name), float(value), row["paper"], f"Table {row['table']}")
        for row in _rows("figures.csv")
        for name, value in row.items()
        if name not in _NAMES and value
    ]


def _figure(metric: str, variant: str, column: str) -> Figure:
    benchmark, quantity, *category = column.split()
    return Figure(benchmark, metric, variant, cast(Quantity, quantity), category[0] if category else None)


def _from_code() -> list[tuple[Figure, float, str, str]]:
    return [
        (
            Figure(one.benchmark, one.metric, one.variant, one.quantity, one.category),
            one.value,
            one.paper.split()[0],
            one.table,
        )
        for one in PUBLISHED
    ]


@cache
def _rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


def known_reason(printed: Printed) -> str:
    """Return all known reasons why a printed figure differs from another figure; "" if none is known.

    The other figure was printed in a different place, or Capscope computed it. An empty field of a reason means that
    any value matches.
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
