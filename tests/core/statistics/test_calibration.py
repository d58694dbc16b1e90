import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.calibration import calibration

NAN = float("nan")


def test_bins_by_hand_keep_equal_scores_together() -> None:
    score = np.array([0.1, 0.2, 0.2, 0.9, 0.5])
    human = np.array([0.0, 0.5, 0.0, 1.0, NAN])
    found = calibration(score, human, np.array([0, 0, 1, 1, 2]), bins=2)
    assert found is not None
    first, second = found.bins
    # the middle of 0.1 lies at an eighth of the samples, that of both 0.2 at a half, that of 0.9 at seven eighths
    assert (first.n, first.low, first.high, first.score, first.human) == (1, 0.1, 0.1, 0.1, 0.0)
    assert (second.n, second.low, second.high) == (3, 0.2, 0.9)
    assert (second.score, second.human) == (pytest.approx(1.3 / 3), pytest.approx(0.5))
    assert found.fit == ((0.1, 0.0), (0.2, 0.25), (0.9, 1.0))
    assert first.interval is None  # one image tells nothing of how images differ


def test_a_flat_stretch_of_the_fit_keeps_its_ends_only() -> None:
    found = calibration(np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.5, 0.5, 0.5, 1.0]), np.arange(4))
    assert found is not None and found.fit == ((0.1, 0.5), (0.3, 0.5), (0.4, 1.0))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=40))
def test_bins_hold_every_sample_once_in_the_order_of_scores(cells: list[tuple[int, int]]) -> None:
    score, human = (np.array(column) / 4 for column in zip(*cells, strict=True))
    found = calibration(score, human, np.arange(len(cells)))
    assert found is not None
    assert sum(one.n for one in found.bins) == len(cells)
    assert all(a.high < b.low for a, b in zip(found.bins, found.bins[1:], strict=False))
    for one in found.bins:
        inside = (score >= one.low) & (score <= one.high)
        assert one.n == inside.sum() and one.human == pytest.approx(human[inside].mean())
