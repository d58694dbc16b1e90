"""Figures that the four papers below printed about their own metrics: assets/published/papers.csv.

Capscope shows them beside its own figures and marks them as published. All figures are multiplied by 100, as printed.

FLEUR: Lee et al., 2024, arXiv 2406.06004. EXPERT: Kim et al., 2025, arXiv 2506.24016. HICE-S: Zeng et al., 2024, arXiv
2407.18589. Polos: Wada et al., 2024, arXiv 2402.18091.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

from core.benchmarks.pairwise import MEAN
from core.datasets import BENCHMARKS
from core.datasets.benchmark import Published
from core.types import OWN, RAW, Variant

FILE = Path(__file__).parents[2] / "assets" / "published" / "papers.csv"


def _read() -> tuple[Published, ...]:
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    return tuple(Published(**row | {"value": float(row["value"]), "category": row["category"] or None}) for row in rows)


PUBLISHED = _read()


def published(
    benchmark: str,
    metric: str | None = None,
    variant: Variant | None = None,
) -> tuple[Published, ...]:
    """Return the published figures for a benchmark.

    metric, variant: None returns the figures of all metrics or all variants. Upper and lower case of the metric do not
    matter.
    """
    return tuple(
        number
        for number in (*PUBLISHED, *(number for one in BENCHMARKS for number in one.published))
        if number.benchmark == benchmark
        and (metric is None or number.metric.lower() == metric.lower())
        and (variant is None or number.variant in ((OWN, RAW) if variant == "" else (variant,)))
    )


def published_beside(benchmark: str, metric: str, variant: Variant, category: str | None) -> tuple[Published, ...]:
    """Return the published figures to show beside a row of computed figures.

    category: the category of pairs to which the row belongs, if any. A row with a category gets the figures of that
    category. A row without a category gets the figures that belong to no category, such as FOIL's figures with four
    references.
    """
    figures = published(benchmark, metric, variant)
    if category not in (None, benchmark):
        return tuple(number for number in figures if number.category == category)
    categories = next((one.categories for one in BENCHMARKS if one.name == benchmark), ())
    return tuple(number for number in figures if number.category not in (*categories, MEAN))


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
