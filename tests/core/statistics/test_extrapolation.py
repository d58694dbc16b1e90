"""Estimates of many requests from ten: hand-worked, and over pictures of all sizes under three rules of services."""

import numpy as np
import pytest

from core.statistics.extrapolation import RequestSize, extrapolated, features, spread
from tests.counting_server import Rule, at_a_rate, by_patches, by_tiles

ALIKE = [RequestSize(50, 640, 480)] * 10


def test_features_are_of_the_picture_as_it_is_sent() -> None:
    assert features(RequestSize(250, 640, 480)) == (1, 2.5, 0.3072, 2)
    assert features(RequestSize(0, 4000, 2000)) == (1, 0, 0.524288, 2)  # reduced to 1024 x 512
    assert features(RequestSize(0, 1024, 1024)) == (1, 0, 1.048576, 4)  # four tiles of 768 x 768
    assert features(RequestSize(10)) == (1, 0.1, 1e-6, 1)


def test_equal_requests_take_what_one_took() -> None:
    found = extrapolated([(size, 703.0) for size in ALIKE], ALIKE * 3)
    assert found.total == pytest.approx(30 * 703) and found.margin == pytest.approx(0, abs=1e-9)
    mean = extrapolated([(ALIKE[0], 2.0), (ALIKE[0], 4.0), (ALIKE[0], 6.0)], ALIKE, by_size=False)
    # standard deviation 2, of a mean of three 1.155; twice that is 0.577 of 4
    assert (mean.total, mean.margin) == (40, pytest.approx(2 * 2 / 3**0.5 / 4))


def test_too_few_measurements_have_no_margin_and_none_at_all_are_an_error() -> None:
    assert extrapolated([(ALIKE[0], 7.0)], ALIKE).margin is None
    assert extrapolated([(ALIKE[0], 7.0)], []).total == 0
    with pytest.raises(ValueError, match="nothing was measured"):
        extrapolated([], ALIKE)


def test_those_chosen_stand_for_small_and_large() -> None:
    sizes = [RequestSize(10, side, side) for side in range(100, 1100, 10)]
    chosen = spread(sizes, 10)
    assert chosen == sorted(set(chosen)) and len(chosen) == 10
    assert chosen[0] < 10 and chosen[-1] >= 90
    assert spread(sizes[:3], 10) == [0, 1, 2] and spread([], 10) == []


@pytest.mark.parametrize("rule", [by_tiles, by_patches, at_a_rate])
def test_ten_of_four_hundred_tell_the_sum_within_five_percent_under_each_rule(rule: Rule) -> None:
    for seed in range(30):
        random = np.random.default_rng(seed)
        sizes, tokens = list[RequestSize](), list[float]()
        for _ in range(400):
            width, height = (int(side) for side in random.integers(150, 1600, 2))
            characters, scale = int(random.integers(10, 300)), min(1.0, 1024 / max(width, height))
            text = characters / 4 * random.uniform(0.8, 1.2)
            sizes.append(RequestSize(characters, width, height))
            tokens.append(90 + text + rule(round(width * scale), round(height * scale)))
        chosen = spread(sizes, 10)
        found = extrapolated([(sizes[place], tokens[place]) for place in chosen], sizes)
        assert found.total == pytest.approx(sum(tokens), rel=0.05), seed
