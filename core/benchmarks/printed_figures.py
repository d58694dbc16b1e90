"""All figures (numbers) that the papers on FLEUR, EXPERT, HICE-S and Polos printed.

For each figure, this module also says which papers printed it. Figures of the papers' comparison tables are in
assets/published/figures.csv, other figures in core.benchmarks.published.
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

TABLE = Path(__file__).parents[2] / "assets" / "published" / "figures.csv"
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
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [
            (_figure(row["metric"], row["variant"], name), float(value), row["paper"], f"Table {row['table']}")
            for row in csv.DictReader(file)
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
