"""Falls of scores under edits, worked by hand."""

import numpy as np
import pytest

from core.statistics.bootstrap import Interval
from core.statistics.score_falls import Falls, falls


def test_falls_are_counted_and_averaged() -> None:
    before, after = np.array([0.5, 0.5, 0.4, 0.2]), np.array([0.1, 0.5, 0.6, 0.1])
    found = falls(before, after, np.array([1, 2, 3, 4]), (0.0, 1.0))
    assert (found.n, found.fell, found.same, found.rose) == (4, 0.5, 0.25, 0.25)
    assert found.before == pytest.approx(0.4) and found.fall == pytest.approx(0.075)
    assert found.interval is not None and found.interval.low < 0.075 < found.interval.high


def test_a_difference_of_rounding_is_no_fall() -> None:
    found = falls(np.array([0.3, 10.0]), np.array([0.1 + 0.2, 10.0 - 1e-12]), np.array([1, 2]), (0.0, 10.0))
    assert (found.fell, found.same, found.rose) == (0.0, 1.0, 0.0)


def test_edits_of_one_picture_give_no_interval_and_are_drawn_together() -> None:
    one = falls(np.ones(3), np.zeros(3), np.array([7, 7, 7]), (0.0, 1.0))
    assert one.fall == 1.0 and one.interval is None
    two = falls(np.ones(4), np.array([0.0, 0.0, 1.0, 1.0]), np.array([1, 1, 2, 2]), (0.0, 1.0))
    assert two.interval == Interval(0.0, 1.0)


def test_without_edits_every_figure_is_missing() -> None:
    assert falls(np.array([]), np.array([]), np.array([], dtype=np.int64), (0.0, 1.0)) == Falls(0, *[None] * 6)
