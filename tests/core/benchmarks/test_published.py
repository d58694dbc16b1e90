from pathlib import Path

import pytest

from core.benchmarks.columns import by_metric
from core.benchmarks.matching import join
from core.benchmarks.pairwise import MEAN, accuracies
from core.benchmarks.published import PUBLISHED, PUBLISHED_RATINGS, published, published_beside
from core.datasets import BENCHMARKS, benchmark_named
from core.datasets.base import Record
from core.types import Pair, Score, Variant


def test_fleurs_headline_figures_are_as_printed() -> None:
    (smoothed,) = published("flickr8k-expert", "fleur", "smoothed")
    (raw,) = published("flickr8k-expert", "FLEUR", "raw")
    assert (smoothed.value, smoothed.quantity, raw.value) == (53.0, "tau_c", 34.9)


# RefHICE-S is left out: its paper prints 87.3, the mean of its printed categories is 87.1.
@pytest.mark.parametrize("metric", ["FLEUR", "RefFLEUR", "FLEUR 7B", "EXPERT", "HICE-S", "Polos"])
def test_a_mean_over_pascals_categories_is_the_mean_of_the_four(metric: str) -> None:
    variants: tuple[Variant, ...] = ("smoothed", "raw") if metric in ("FLEUR", "EXPERT") else ("smoothed",)
    for variant in variants:
        values = {number.category: number.value for number in published("pascal50s", metric, variant)}
        mean = values.pop(MEAN)
        assert mean == pytest.approx(sum(values.values()) / 4, abs=0.051)


def test_every_number_is_a_percentage_of_a_known_benchmark_with_its_source() -> None:
    for number in PUBLISHED:
        assert number.benchmark in {benchmark.name for benchmark in BENCHMARKS}
        assert 0 < number.value < 100
        assert number.paper and number.table
    keys = [(n.metric, n.benchmark, n.quantity, n.variant, n.category) for n in PUBLISHED]
    assert len(set(keys)) == len(keys)


def test_all_four_papers_are_there() -> None:
    assert {number.paper.split()[0] for number in PUBLISHED} == {"FLEUR", "EXPERT", "HICE-S", "Polos"}
    assert [rating.mean for rating in PUBLISHED_RATINGS] == [3.72, 3.84, 3.72]


def test_every_published_figure_stands_beside_a_row_that_can_be_computed() -> None:
    """Rows of a benchmark's two taus, or of the accuracies that pairs of its categories give."""
    for number in PUBLISHED:
        categories: list[str | None] = [None]
        if benchmark_named(number.benchmark).counts_pairs:
            groups = ("HC", "HI", "HM", "MM") if number.benchmark == "pascal50s" else (None,)
            pairs = [record(category, position, number.metric) for category in groups for position in (0, 1)]
            (column,) = by_metric(join([], pairs).rows).values()
            categories = [row.category for row in accuracies(column, number.benchmark, number.metric, "smoothed")]
        beside = [published_beside(number.benchmark, number.metric, number.variant, c) for c in categories]
        assert any(number in numbers for numbers in beside), number


def record(category: str | None, position: int, metric: str) -> Record:
    pair = Pair(f"{category}#1", position, 0, category)
    return Record(
        Path("f"), 1, "0.jpg", f"caption {position}", scores=(Score(metric, position / 2, metric),), pair=pair
    )


def test_foils_figures_are_not_mixed_with_pascals() -> None:
    assert [n.value for n in published_beside("foil", "RefFLEUR", "smoothed", "foil")] == [97.3, 98.4]
    assert [n.value for n in published_beside("foil", "FLEUR", "smoothed", "foil")] == [96.8]
    assert [n.value for n in published_beside("pascal50s", "FLEUR", "raw", "mean")] == [65.1]
    assert [n.value for n in published_beside("pascal50s", "FLEUR", "smoothed", "HC")] == [61.3]
