"""Paired comparison of captioners, worked by hand."""

import numpy as np
import pytest

from core.benchmarks.system_differences import SystemDifference, difference
from core.benchmarks.systems import Ranking, rankings


def test_a_difference_is_paired_by_images() -> None:
    """Images differ widely, captioners by 0.1 on each image: only a paired comparison sees the difference."""
    images = np.random.default_rng(1).uniform(0, 1, 30)
    captioner, image = np.tile([0, 1], 30), np.repeat(np.arange(30), 2)
    scores = np.repeat(images, 2) + 0.1 * captioner
    (ranking,) = rankings(captioner, image, {"M": scores}, 2).values()
    found = difference(ranking, 1, 0)
    assert found.value == pytest.approx(0.1) and found.interval is not None
    assert (found.interval.low, found.interval.high) == (pytest.approx(0.1), pytest.approx(0.1))
    assert found.p is not None and found.p < 0.01 and found.p_at_most
    assert difference(ranking, 0, 1).value == pytest.approx(-0.1)


def test_a_captioner_without_the_score_and_a_single_image_give_words() -> None:
    none = Ranking(np.array([0.5, np.nan]), np.zeros((0, 2)), np.array([1, 0]), 1, True)
    assert difference(none, 0, 1) == SystemDifference(
        None, None, None, False, "one of the two captioners has no mean of this score"
    )
    one = Ranking(np.array([0.5, 0.25]), np.zeros((0, 2)), np.array([1, 1]), 1, True)
    assert difference(one, 0, 1) == SystemDifference(0.25, None, None, False, "too few images for an interval")


def test_captions_of_different_images_are_not_called_paired() -> None:
    apart = Ranking(np.array([0.5, 0.25]), np.array([[0.5, 0.2], [0.4, 0.3]]), np.array([2, 2]), 4, False)
    assert difference(apart, 0, 1).note.startswith("not a paired comparison")
