import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.statistics.correlations import kendall, pearson, spearman
from core.statistics.intervals import by_cluster, interval, p_value, wilson


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 5)), min_size=2, max_size=25))
def test_taus_are_scipys_and_tied_scores_are_counted(data: list[tuple[int, int]]) -> None:
    score, human = zip(*data, strict=True)
    found = kendall(score, human)
    assert (found.n, found.ties) == (len(data), sum(a == b for a, b in combinations(score, 2)))
    for letter, tau in (("b", found.tau_b), ("c", found.tau_c)):
        if len(set(score)) == 1 or len(set(human)) == 1:
            assert math.isnan(tau)
        else:
            assert tau == pytest.approx(stats.kendalltau(score, human, variant=letter).statistic)


def test_intervals_and_p_values_are_those_of_a_bootstrap_of_images() -> None:
    rng = np.random.default_rng(2)
    human = rng.integers(1, 5, 600)
    score, other, image = human + rng.normal(0, 2, 600), human + rng.normal(0, 6, 600), np.repeat(np.arange(200), 3)
    one, two = kendall(score, human), kendall(other, human)
    drawn, differences = [], []
    for _ in range(400):
        rows = (rng.integers(0, 200, 200)[:, None] * 3 + np.arange(3)).ravel()
        taus = [stats.kendalltau(column[rows], human[rows], variant="c").statistic for column in (score, other)]
        drawn.append(taus[0])
        differences.append(taus[0] - taus[1])
    found = interval(one.tau_c, by_cluster(one.influence_c, image))
    assert found is not None and (found.low, found.high) == pytest.approx(np.percentile(drawn, [2.5, 97.5]), abs=0.015)
    influence = by_cluster(one.influence_c - two.influence_c, image)
    p = p_value(one.tau_c - two.tau_c, influence)
    z = (one.tau_c - two.tau_c) / np.std(differences)
    assert p is not None and p < 1e-3 and math.log(p) == pytest.approx(math.log(2 * stats.norm.sf(z)), rel=0.3)


def test_the_influence_of_an_observation_is_the_change_of_tau_by_one_more_copy() -> None:
    rng = np.random.default_rng(3)
    human, score = rng.integers(1, 5, 400), rng.random(400)
    found = kendall(score, human)
    for place in (0, 17, 399):
        more = kendall(np.append(score, score[place]), np.append(human, human[place]))
        assert more.tau_b - found.tau_b == pytest.approx(found.influence_b[place], abs=2e-5)
        assert more.tau_c - found.tau_c == pytest.approx(found.influence_c[place], abs=2e-5)


def test_few_clusters_have_the_wide_intervals_of_students_t() -> None:
    found = interval(0.0, np.array([0.5, -0.5]))
    assert found is not None and (found.low, found.high) == pytest.approx(stats.t.interval(0.95, 1))


COLUMN = st.lists(st.tuples(st.integers(-20, 20), st.integers(0, 5)), min_size=3, max_size=60)


@given(COLUMN)
def test_linear_correlations_equal_scipys(rows: list[tuple[int, int]]) -> None:
    x, y = (np.array(column, dtype=float) / 7 for column in zip(*rows, strict=True))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert pearson(x, y) is None and spearman(x, y) is None
    else:
        # sums in another order differ in the last digits
        assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-9)
        assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-9)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilsons_interval_is_scipys(of: tuple[int, int]) -> None:
    count, n = of
    found, theirs = wilson(count / n, n), stats.binomtest(count, n).proportion_ci(method="wilson")
    assert found and (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
