import numpy as np
import pytest

from core.statistics import bootstrap
from core.statistics.bootstrap import SEED, percentile_interval
from core.statistics.kendall import PairedRanks, paired_ranks, tau_draws, tau_once, taus
from core.statistics.tau_influence import taus_without_draws


def ranks(seed: int, clusters: int, size: int) -> PairedRanks:
    generator = np.random.default_rng(seed)
    human = generator.integers(0, 7, size)
    score = (human + generator.integers(0, 40, size)) // 3
    return paired_ranks(score, human, np.arange(size) % clusters)


@pytest.mark.parametrize("seed", range(5))
def test_a_clusters_influence_is_what_the_taus_change_when_it_counts_once_more(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(bootstrap, "MOST_SHARE", 1.0)
    monkeypatch.setattr(bootstrap, "MOST_SKEWNESS", 10.0)
    for module in ("bootstrap", "tau_influence"):
        monkeypatch.setattr(f"core.statistics.{module}.LARGE", 12)
    data, times = ranks(seed, 12, 90), 10_000  # so many copies of all: one more of a cluster is a small change
    every = np.full((1, 12), times)
    changes = {"tau_b": 0.0, "tau_c": 0.0}
    for cluster in range(12):
        one = (np.arange(12) == cluster)[None]
        more, less = taus(data, every + one), taus(data, every - one)
        for name in changes:
            changes[name] += (times * float(getattr(more, name)[0] - getattr(less, name)[0]) / 2) ** 2
    whole = taus(data, every)  # among so many copies the pairs of an observation with its own copies count
    found = taus_without_draws(data, whole)
    for interval, (name, variance) in zip(found, changes.items(), strict=True):
        assert interval is not None
        assert interval.high - interval.low == pytest.approx(2 * 1.959964 * variance**0.5, rel=1e-3)
        assert (interval.high + interval.low) / 2 == pytest.approx(float(getattr(whole, name)[0]))


def test_intervals_of_taus_without_draws_are_those_of_many_draws() -> None:
    data = ranks(3, 5_000, 6_000)
    drawn = tau_draws(data, 4_000, SEED)
    for found, draws in zip(taus_without_draws(data, tau_once(data)), (drawn.tau_b, drawn.tau_c), strict=True):
        expected = percentile_interval(draws)
        assert found is not None and expected is not None
        # an end of 4,000 draws is uncertain by 4 % of the standard error, a quarter of the interval's width
        tolerance = 4 * 0.04 * (expected.high - expected.low) / 4
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=tolerance)


def test_taus_of_fewer_images_and_taus_that_are_undefined_have_no_interval_without_draws() -> None:
    few = ranks(1, 999, 6_000)
    assert taus_without_draws(few, tau_once(few)) == (None, None)
    equal = paired_ranks(np.zeros(6_000), np.arange(6_000) % 5, np.arange(6_000))
    assert taus_without_draws(equal, tau_once(equal)) == (None, None)
