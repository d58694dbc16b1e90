import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.benchmarks.correlation import (
    ALIKE,
    Correlation,
    Observations,
    correlate,
)
from core.datasets import benchmark_named
from core.types import Variant
from tests.tau_difference import tau_difference

EXPERT, CF = benchmark_named("flickr8k-expert"), benchmark_named("flickr8k-cf")


def data(score: list[float], human: list[float], image: list[str] | None = None) -> Observations:
    return Observations(np.array(score, float), np.array(human, float), np.array(image or range(len(score))))


def observations(score: Sequence[float], image: Sequence[str], judged: Sequence[Sequence[float]]) -> Observations:
    """Return one observation a judgement, put together one by one."""
    cells = [(s, h, i) for s, i, humans in zip(score, image, judged, strict=True) for h in humans]
    scores, human, images = zip(*cells, strict=True)
    return data(list(scores), list(human), list(images))


Published = tuple[list[str], list[tuple[float, ...]], dict[str, list[float]]]  # images, judgements, scores


@pytest.fixture(scope="module")
def flickr8k(shared_dir: Path) -> Published:
    """Flickr8k-Expert's pairs with FLEUR's published scores, read here without the readers of the application."""
    folder = shared_dir / "data/flickr8k"
    images, judgements = [], []
    for name, entry in json.loads((folder / "flickr8k.json").read_text()).items():
        ratings = [float(judged["rating"]) for judged in entry["human_judgement"]]
        judgements += list(zip(*(ratings[k::3] for k in range(3)), strict=True))
        images += [name] * (len(ratings) // 3)
    lines = (folder / "fleur_flickr8k_expert.txt").read_text().splitlines()
    scores = {
        variant: [float(line.split()[-1]) for line in lines if line.startswith(prefix)]
        for variant, prefix in (("smoothed", "our score : "), ("raw", "model score : "))
    }
    return images, judgements, scores


@pytest.mark.parametrize(("variant", "tau_c", "tau_b"), [("smoothed", 53.0257, 52.666), ("raw", 34.9112, 56.082)])
def test_fleurs_published_correlations_are_reproduced(
    flickr8k: Published, variant: Variant, tau_c: float, tau_b: float
) -> None:
    images, judgements, scores = flickr8k
    result = correlate(observations(scores[variant], images, judgements), EXPERT, "FLEUR", variant, draws=50)
    row = result.as_json()
    assert row["n"] == 16_992
    assert row["tau_c"] == pytest.approx(tau_c, abs=5e-5)
    assert row["tau_b"] == pytest.approx(tau_b, abs=5e-4)
    assert row["ci_low"] < row["tau_c"] < row["ci_high"]


def test_averaging_the_experts_would_give_another_number(flickr8k: Published) -> None:
    images, judgements, scores = flickr8k
    means = [(sum(points) / 3,) for points in judgements]
    result = correlate(observations(scores["smoothed"], images, means), EXPERT, "FLEUR", draws=2)
    assert (result.n, result.tau_c) == (5_664, pytest.approx(0.55986, abs=5e-6))


def test_smoothing_gains_in_tau_c_and_loses_in_tau_b(flickr8k: Published) -> None:
    images, judgements, scores = flickr8k
    smoothed = observations(scores["smoothed"], images, judgements)
    raw = np.repeat(scores["raw"], 3)
    gain, loss = (tau_difference(smoothed, raw, tau, draws=100) for tau in ("c", "b"))
    assert gain.difference > 0.18 and gain.interval.low > 0
    assert loss.difference < -0.03 and loss.interval.high < 0
    assert gain.p == loss.p == pytest.approx(2 / 101)


def test_json_carries_exactly_the_documented_keys_and_the_benchmarks_own_interval() -> None:
    result = correlate(data([0.1, 0.5, 0.4, 0.9], [1, 2, 3, 4]), EXPERT, "FLEUR", draws=200)
    row = result.as_json()
    assert list(row) == [
        "benchmark",
        "metric",
        "variant",
        "n",
        "tau_b",
        "tau_c",
        "ties",
        "ci_of",
        "ci_low",
        "ci_high",
        "pearson",
        "spearman",
    ]
    assert row["ci_of"] == "tau_c" and row["ci_low"] == pytest.approx(100 * result.interval_c.low)


def test_ties_count_the_pairs_with_equal_scores() -> None:
    assert correlate(data([0, 0, 0, 1], [1, 2, 3, 4]), CF, "m", draws=2).ties == 3


@pytest.mark.parametrize(
    ("score", "human", "note"),
    [
        ([], [], "fewer than two"),
        ([0.5], [1], "fewer than two"),
        ([0.5, 0.5], [1, 2], "all scores are equal"),
        ([0.5, 0.6], [2, 2], "all human judgements are equal"),
    ],
)
def test_an_undefined_tau_is_none_and_explained(score: list[float], human: list[float], note: str) -> None:
    result = correlate(data(score, human), EXPERT, "m")
    assert (result.tau_b, result.tau_c, result.interval) == (None, None, None)
    assert note in result.note
    json.dumps(result.as_json(), allow_nan=False)
    assert note in tau_difference(data(score, human), score, "c").note


def test_observations_of_one_image_have_a_tau_but_no_interval() -> None:
    result = correlate(data([0.1, 0.2], [1, 2], ["x", "x"]), CF, "m")
    assert (result.tau_b, result.interval, result.note) == (
        1.0,
        None,
        "no interval, because all observations are of one image",
    )


def test_a_metric_does_not_differ_from_itself() -> None:
    same = tau_difference(data([1, 2, 3, 4, 5], [1, 3, 2, 4, 4]), [1, 2, 3, 4, 5], "b", draws=100)
    assert (same.difference, same.interval.low, same.interval.high, same.p) == (0, 0, 0, 1.0)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 4)), min_size=2, max_size=40))
@settings(max_examples=50)
def test_tau_is_scipys_and_no_table_gives_nan(rows: list[tuple[int, int]]) -> None:
    score, human = ([s for s, _ in rows], [h for _, h in rows])
    result: Correlation = correlate(data(score, human), EXPERT, "m", draws=20)
    json.dumps(result.as_json(), allow_nan=False)
    if result.tau_b is not None:
        assert result.tau_b == pytest.approx(stats.kendalltau(score, human).statistic)


def test_an_interval_is_withheld_where_many_draws_order_nothing() -> None:
    """One caption of twelve is judged otherwise: a third of the draws leave it out, the others would say "surely"."""
    scores, human = [0.1 * n for n in range(12)], [1] * 11 + [2]
    found = correlate(data(scores, human), EXPERT, "m", draws=400)
    assert found.tau_b is not None and found.tau_b > 0.4
    assert (found.interval_b, found.interval_c, found.note) == (None, None, ALIKE)
    assert tau_difference(data(scores, human), scores[::-1], "b", draws=400).interval is None
