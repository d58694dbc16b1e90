import numpy as np
import pytest
from hypothesis import strategies as st

from core.statistics.bootstrap import Interval
from core.statistics.error_scales import calibrated, calibration, errors, only_right

NAN = float("nan")
unit = st.integers(0, 8).map(lambda eighths: eighths / 8)  # exact in floats, and with many ties
pairs = st.lists(st.tuples(unit, unit), min_size=1, max_size=14)


def test_an_error_by_rank_forgets_the_offset_of_a_metric_that_orders_as_people_do() -> None:
    human, score = np.array([0.0, 0.5, 1.0, NAN]), np.array([0.6, 0.7, 0.8, 0.1])
    images = np.arange(4)
    assert errors("plain", score, human, images)[:3] == pytest.approx([0.6, 0.2, -0.2])
    assert errors("rank", score, human, images)[:3] == pytest.approx([0, 0, 0])
    assert np.isnan(errors("rank", score, human, images)[3])


def test_a_calibrated_score_is_learnt_from_other_images_only() -> None:
    score, human = np.array([0.3, 0.3, 0.3]), np.array([1.0, 0.0, 0.5])
    assert calibrated(score, human, np.array([1, 2, 3])) == pytest.approx([0.25, 0.75, 0.5])
    assert np.isnan(calibrated(score, human, np.array([1, 1, 1]))).all()


def test_only_one_score_is_right_where_its_error_is_below_the_tolerance_and_the_others_is_not() -> None:
    right, wrong = np.array([0.1, 0.3, -0.2, 0.1, NAN]), np.array([-0.5, 0.5, 0.2, 0.25, 0.5])
    assert only_right(right, wrong, 0.25) == pytest.approx([0.4, NAN, NAN, 0.15, NAN], nan_ok=True)


def test_bins_by_hand_keep_equal_scores_together() -> None:
    score = np.array([0.1, 0.2, 0.2, 0.9, 0.5])
    human = np.array([0.0, 0.5, 0.0, 1.0, NAN])
    found = calibration(score, human, np.array([0, 0, 1, 0, 2]), bins=2)
    assert found is not None
    first, second = found.bins
    # the middle of 0.1 lies at an eighth of the samples, that of both 0.2 at a half, that of 0.9 at seven eighths
    assert (first.n, first.low, first.high, first.score, first.human) == (1, 0.1, 0.1, 0.1, 0.0)
    assert (second.n, second.low, second.high) == (3, 0.2, 0.9)
    assert (second.score, second.human) == (pytest.approx(1.3 / 3), pytest.approx(0.5))
    assert found.fit == ((0.1, 0.0), (0.2, 0.25), (0.9, 1.0))
    assert first.interval is None  # one image tells nothing of how images differ
    assert second.interval == Interval(0, 1)  # two images tell little, but no judgement is below 0 or above 1


def test_the_fit_weighs_samples_and_keeps_the_ends_of_a_flat_stretch_only() -> None:
    score, human = np.array([0.1, 0.1, 0.2, 0.3, 0.4]), np.array([1.0, 1.0, 0.25, 0.75, 1.0])
    found = calibration(score, human, np.arange(5))
    assert found is not None and found.fit == ((0.1, 0.75), (0.3, 0.75), (0.4, 1.0))
