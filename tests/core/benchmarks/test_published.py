import pytest

from core.benchmarks.figures import BENCHMARK_NAMES
from core.benchmarks.published import MEAN, PUBLISHED, PUBLISHED_RATINGS, published
from core.types import Variant


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
        assert number.benchmark in BENCHMARK_NAMES
        assert 0 < number.value < 100
        assert number.paper and number.table
    keys = [(n.metric, n.benchmark, n.quantity, n.variant, n.category) for n in PUBLISHED]
    assert len(set(keys)) == len(keys)


def test_all_four_papers_are_there() -> None:
    assert {number.paper.split()[0] for number in PUBLISHED} == {"FLEUR", "EXPERT", "HICE-S", "Polos"}
    assert [rating.mean for rating in PUBLISHED_RATINGS] == [3.72, 3.84, 3.72]
