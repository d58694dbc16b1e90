import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.density import BINS, HERE, around, density, quantiles

values = st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.5, 1.0, math.nan])), max_size=60)


def test_samples_are_counted_in_the_cells_that_hold_them() -> None:
    xs, ys = np.array([0.05, 0.05, 0.95, np.nan, 0.5]), np.array([0, 1, 1, 1, np.nan])
    found = density(xs, ys, (0, 1), (0, 1))
    assert found.up.tolist() == [0, 1]
    assert found.across.tolist() == [0.05, 0.95]
    assert found.counts.tolist() == [[1, 0], [1, 1]]
    assert found.shown.tolist() == [0, 1, 2]


def test_many_different_values_are_counted_in_equal_cells_of_the_part_that_is_shown() -> None:
    xs = np.linspace(0, 1, 601)
    found = density(xs, xs, (0.25, 0.5), (0, 1))
    assert len(found.across) == len(found.up) == BINS
    assert (found.across[0], found.across[-1]) == pytest.approx((0.25 + 0.25 / 120, 0.5 - 0.25 / 120))
    assert found.counts.sum() == len(found.shown) == 151
    assert found.counts[:15].sum() == found.counts[31:].sum() == 0


@given(values, values)
def test_every_sample_within_the_part_is_counted_once(xs: list[float], ys: list[float]) -> None:
    size = min(len(xs), len(ys))
    across, up = np.array(xs[:size]), np.array(ys[:size])
    found = density(across, up, (0.2, 0.8), (0, 1))
    within = [i for i in range(size) if 0.2 <= across[i] <= 0.8 and 0 <= up[i] <= 1]
    assert found.shown.tolist() == within
    assert found.counts.sum() == len(within)


@given(values, values, st.floats(0, 1), st.floats(0, 1))
def test_the_samples_around_a_place_are_those_that_looking_at_each_finds(
    xs: list[float], ys: list[float], x: float, y: float
) -> None:
    size = min(len(xs), len(ys))
    far = [(((a - x) * BINS) ** 2 + ((b - y) * BINS) ** 2, i) for i, (a, b) in enumerate(zip(xs, ys, strict=False))]
    ranked = sorted(one for one in far if not math.isnan(one[0]))
    expected = [i for rank, (d, i) in enumerate(ranked) if rank == 0 or d <= 1][:HERE]
    found = around(np.array(xs[:size]), np.array(ys[:size]), (x, y), (0, 1), (0, 1)).tolist()
    assert [d for d, i in far if i in found] == pytest.approx([d for d, i in far if i in expected])
    assert len(found) == len(expected)


def test_quantiles_are_scores_that_are_spread_as_all_of_them() -> None:
    scores = np.random.default_rng(1).beta(2, 5, 100_000)
    found = quantiles(np.concatenate([scores, [np.nan]]))
    assert len(found) == 1001
    assert set(found) <= set(scores)
    assert (found[0], found[-1]) == (scores.min(), scores.max())
    assert np.percentile(found, [25, 50, 75]) == pytest.approx(np.percentile(scores, [25, 50, 75]), abs=1e-3)
    assert quantiles(np.array([0.5, 0.1, np.nan])).tolist() == [0.1, 0.5]
    assert quantiles(np.array([np.nan])).tolist() == []
