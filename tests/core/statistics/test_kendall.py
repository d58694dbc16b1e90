import json
import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.statistics.kendall import paired_ranks, tau_draws, tau_once, taus

observation = st.tuples(st.integers(0, 6), st.integers(0, 5), st.integers(0, 3))  # score, human, cluster


def naive_counts(data: list[tuple[int, int]]) -> tuple[int, int, int, int, int]:
    """Concordant, discordant, tied in score, tied in judgement and all pairs, one pair at a time."""
    signs = [(np.sign(a[0] - b[0]), np.sign(a[1] - b[1])) for a, b in combinations(data, 2)]
    concordant = sum(s * h > 0 for s, h in signs)
    discordant = sum(s * h < 0 for s, h in signs)
    return concordant, discordant, sum(s == 0 for s, _ in signs), sum(h == 0 for _, h in signs), len(signs)


@given(st.lists(observation, min_size=2, max_size=25))
def test_taus_agree_with_counting_pairs_one_by_one(data: list[tuple[int, int, int]]) -> None:
    score, human, cluster = zip(*data, strict=True)
    found = tau_once(paired_ranks(score, human, cluster))
    concordant, discordant, tied, level, pairs = naive_counts([(s, h) for s, h, _ in data])
    assert (found.n[0], found.ties[0]) == (len(data), tied)
    if tied == pairs or level == pairs:
        assert math.isnan(found.tau_b[0])
        return
    surplus, classes = concordant - discordant, min(len(set(score)), len(set(human)))
    assert found.tau_b[0] == pytest.approx(surplus / math.sqrt((pairs - tied) * (pairs - level)))
    assert found.tau_c[0] == pytest.approx(2 * surplus / (len(data) ** 2 * (classes - 1) / classes))


@given(st.lists(observation, min_size=2, max_size=60), st.lists(st.integers(0, 3), min_size=4, max_size=4))
@settings(max_examples=100)
def test_a_draw_equals_scipy_on_the_repeated_data(data: list[tuple[int, int, int]], times: list[int]) -> None:
    ranks = paired_ranks(*zip(*data, strict=True))
    labels = sorted({c for _, _, c in data})
    found = taus(ranks, np.array([[times[c] for c in labels]]))
    repeated = [(s, h) for s, h, c in data for _ in range(times[c])]
    score, human = ([s for s, _ in repeated], [h for _, h in repeated])
    if len(set(score)) < 2 or len(set(human)) < 2:
        assert math.isnan(found.tau_b[0])
        return
    assert found.tau_b[0] == pytest.approx(stats.kendalltau(score, human).statistic, abs=1e-12)
    assert found.tau_c[0] == pytest.approx(stats.kendalltau(score, human, variant="c").statistic, abs=1e-12)


def test_tau_agrees_with_the_golden_vectors(shared_dir: Path) -> None:
    cases = json.loads((shared_dir / "golden/agreement/agreement.json").read_text())["kendall"]
    for case in cases:
        found = tau_once(paired_ranks(case["metric"], case["human"], range(len(case["human"]))))
        assert found.tau_b[0] == pytest.approx(case["tau_b"], abs=1e-12)
        assert found.tau_c[0] == pytest.approx(case["tau_c"], abs=1e-12)
    assert len(cases) == 4


def test_many_distinct_scores_and_judgements_agree_with_scipy() -> None:
    rng = np.random.default_rng(0)
    human = rng.normal(size=3000).round(2)
    score = (human + rng.normal(size=3000)).round(1)
    found = tau_once(paired_ranks(score, human, rng.integers(0, 200, 3000)))
    assert found.tau_b[0] == pytest.approx(stats.kendalltau(score, human).statistic, abs=1e-14)
    assert found.tau_c[0] == pytest.approx(stats.kendalltau(score, human, variant="c").statistic, abs=1e-14)


def test_tau_by_hand() -> None:
    # Pairs: (1,1)-(2,2) concordant, (1,1)-(2,1) tied in judgement, (2,2)-(2,1) tied in score.
    found = tau_once(paired_ranks([1, 2, 2], [1, 2, 1], [0, 1, 2]))
    assert found.tau_b[0] == pytest.approx(1 / math.sqrt(2 * 2))
    assert found.tau_c[0] == pytest.approx(2 * 1 / (9 * 1 / 2))
    assert found.ties[0] == 1


def test_draws_spread_as_those_of_a_plain_scipy_loop() -> None:
    rng = np.random.default_rng(2)
    human = rng.integers(1, 5, 300)
    score, image = human + rng.normal(0, 2, 300), np.repeat(np.arange(100), 3)
    found = tau_draws(paired_ranks(score, human, image), 1000, seed=0).tau_c
    drawn = []
    for _ in range(400):
        rows = (rng.integers(0, 100, 100)[:, None] * 3 + np.arange(3)).ravel()
        drawn.append(stats.kendalltau(score[rows], human[rows], variant="c").statistic)
    assert np.percentile(found, [2.5, 50, 97.5]) == pytest.approx(np.percentile(drawn, [2.5, 50, 97.5]), abs=0.03)


def test_equal_seeds_draw_the_same_images_for_every_metric() -> None:
    human, image = [1, 2, 3, 4, 1, 2], [0, 0, 1, 1, 2, 2]
    first = tau_draws(paired_ranks([1, 2, 3, 4, 5, 6], human, image), 50, seed=3)
    scaled = tau_draws(paired_ranks([10, 20, 30, 40, 50, 60], human, image), 50, seed=3)
    assert np.array_equal(first.tau_b, scaled.tau_b, equal_nan=True)
