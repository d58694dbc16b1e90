import numpy as np
import pytest

from core.errors import Cancelled
from core.long_work.progress import reporting
from core.statistics import bootstrap
from core.statistics.bootstrap import (
    SEED,
    clustered_mean_interval,
    clustered_mean_intervals,
    draw_clusters,
    percentile_interval,
)


@pytest.mark.parametrize("cached", [1, 100, 2**16])
def test_an_interval_of_a_mean_is_that_of_drawing_clusters_one_by_one(
    monkeypatch: pytest.MonkeyPatch, cached: int
) -> None:
    monkeypatch.setattr(bootstrap, "CACHED", cached)
    generator = np.random.default_rng(5)
    values, cluster = generator.random(200), generator.integers(0, 40, 200)
    members = [values[cluster == one] for one in np.unique(cluster)]
    drawn = np.random.default_rng(SEED).integers(len(members), size=(100, len(members)))
    naive = [float(np.mean(np.concatenate([members[one] for one in row]))) for row in drawn.tolist()]
    expected, found = percentile_interval(np.array(naive)), clustered_mean_interval(values, cluster, draws=100)
    assert expected is not None and found is not None
    # sums of the same numbers in another order
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_clusters_are_drawn_as_whole_numbers_of_64_bits_are_whatever_the_batch() -> None:
    drawn = np.random.default_rng(3).integers(17, size=(10, 17))
    expected = [np.bincount(row, minlength=17).tolist() for row in drawn]
    for batch in (1, 4, 10):
        assert np.concatenate([*draw_clusters(17, 10, 3, batch)]).tolist() == expected


def test_drawing_ends_when_nobody_waits_any_more() -> None:
    def give_up(what: str, done: int, total: int) -> None:
        raise Cancelled(what)

    with reporting(give_up), pytest.raises(Cancelled):
        clustered_mean_interval(np.arange(4.0), np.arange(4))


def test_intervals_of_several_means_are_those_of_each() -> None:
    generator = np.random.default_rng(6)
    columns, cluster = generator.random((3, 500)), generator.integers(0, 90, 500)
    for column, found in zip(columns, clustered_mean_intervals(columns, cluster), strict=True):
        expected = clustered_mean_interval(column, cluster)
        assert expected is not None and found is not None
        # sums of the same numbers in another order
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert clustered_mean_intervals(columns, np.zeros(500, dtype=int)) == [None, None, None]


def test_a_mean_over_thousands_of_clusters_has_the_interval_of_many_draws_without_drawing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    generator = np.random.default_rng(8)
    cluster = generator.integers(0, 6_000, 20_000)
    values = generator.random(20_000) + 0.3 * (cluster % 7)
    found, [beside] = clustered_mean_interval(values, cluster), clustered_mean_intervals([values], cluster)
    monkeypatch.setattr(bootstrap, "LARGE", 10_000)
    drawn = clustered_mean_interval(values, cluster, draws=4_000)
    assert found is not None and found == beside and drawn is not None
    # an end of 4,000 draws is uncertain by 4 % of the standard error, a quarter of the interval's width
    tolerance = 4 * 0.04 * (drawn.high - drawn.low) / 4
    assert (found.low, found.high) == pytest.approx((drawn.low, drawn.high), abs=tolerance)


def test_a_mean_that_few_clusters_decide_is_drawn() -> None:
    rare = np.zeros(6_000)
    rare[:20] = 1.0  # twenty of them hold the whole variance, so draws lie unevenly about the mean
    found = clustered_mean_interval(rare, np.arange(6_000))
    assert found is not None
    assert found.high - rare.mean() > 1.1 * (rare.mean() - found.low)


def test_equal_values_of_thousands_of_clusters_have_an_interval_of_no_width() -> None:
    found = clustered_mean_interval(np.full(6_000, 0.25), np.arange(6_000))
    assert found is not None and (found.low, found.high) == (0.25, 0.25)
