import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.benchmarks.correlation import (
    Correlation,
    Observations,
    among_people,
    correlation,
    counted,
    observed,
    others_mean,
    tau_difference,
)
from core.datasets import Benchmark, benchmark_named
from core.types import Variant
from tests.core.tables import NAN, table_of

EXPERT, CF = benchmark_named("flickr8k-expert"), benchmark_named("flickr8k-cf")


def data(score: list[float], human: list[float], image: list[str] | None = None) -> Observations:
    return Observations(np.array(score, float), np.array(human, float), np.array(image or range(len(score))))


def correlate(found: Observations, rule: Benchmark, metric: str, variant: Variant = "smoothed") -> Correlation:
    return correlation(counted(found), rule, metric, variant)


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
    result = correlate(observations(scores[variant], images, judgements), EXPERT, "FLEUR", variant)
    assert (result.n, result.unit) == (16_992, "judgements")
    assert 100 * result.tau_c == pytest.approx(tau_c, abs=5e-5)
    assert 100 * result.tau_b == pytest.approx(tau_b, abs=5e-4)
    assert result.interval_c.low < result.tau_c < result.interval_c.high


def test_smoothing_gains_in_tau_c_and_loses_in_tau_b(flickr8k: Published) -> None:
    images, judgements, scores = flickr8k
    smoothed = observations(scores["smoothed"], images, judgements)
    raw = observations(scores["raw"], images, judgements)
    gain, loss = (tau_difference(counted(smoothed), counted(raw), tau) for tau in ("c", "b"))
    assert gain.difference > 0.18 and gain.interval.low > 0
    assert loss.difference < -0.03 and loss.interval.high < 0
    assert gain.p < 1e-100 and 1e-9 < loss.p < 1e-4  # no floor


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
    assert (result.tau_b, result.tau_c, result.interval_b) == (None, None, None)
    assert note in result.note
    both = counted(data(score, human))
    assert note in tau_difference(both, both, "c").note


def test_observations_of_one_image_have_a_tau_but_no_interval() -> None:
    result = correlate(data([0.1, 0.2], [1, 2], ["x", "x"]), CF, "m")
    assert (result.tau_b, result.interval_b, result.note) == (
        1.0,
        None,
        "no interval, because all observations are of one image",
    )


def test_an_interval_is_withheld_where_one_image_decides() -> None:
    """One caption of twelve is judged otherwise: without it, no tau is defined."""
    found = correlate(data([0.1 * n for n in range(12)], [1] * 11 + [2]), EXPERT, "m")
    assert found.tau_b is not None and found.tau_b > 0.4
    assert (found.interval_b, found.interval_c) == (None, None) and "one image decides" in found.note


def test_a_rule_pairs_scores_with_each_judgement_or_with_their_mean() -> None:
    scores, human = [0.1, NAN, 0.3, 0.4], [0.5, 0.5, NAN, 1.0]
    table = table_of({"M": scores}, human, [(1, 2), (3,), (4,), ()], ["b", "b", "a", "a"])
    each = observed(table, np.array(scores), EXPERT)
    assert (each.score.tolist(), each.human.tolist()) == ([0.1, 0.1, 0.3], [1, 2, 4])
    mean = observed(table, np.array(scores), Benchmark("mine", "b"))
    assert (mean.score.tolist(), mean.human.tolist(), mean.image.tolist()) == ([0.1, 0.4], [0.5, 1.0], [1, 0])


FEW = [[1, 1, 2], [4, 3, 4], [2, 2, 2], [1, 3], [4], []]


def test_a_judgement_stands_beside_the_mean_of_its_captions_other_judgements() -> None:
    found = others_mean(table_of({"M": [0] * 6}, judgements=FEW, images=[0, 1, 2] * 2))
    pairs = [(np.mean(of[:i] + of[i + 1 :]), own) for of in FEW if len(of) > 1 for i, own in enumerate(of)]
    assert found.score.tolist() == pytest.approx([mean for mean, _ in pairs])
    assert found.human.tolist() == [own for _, own in pairs]
    assert found.image.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0]
    tied = others_mean(table_of({"M": [0, 0]}, judgements=[[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]))
    assert len(set(tied.score.tolist())) == 3  # in whatever order they were added


def test_people_agree_with_one_another_about_captions_with_several_judgements() -> None:
    found = among_people(table_of({"M": [0] * 6}, judgements=FEW))
    assert (found.units, found.shared_units, found.judgements) == (5, 4, 12)
    assert found.coefficients[3].name == "exact" and found.coefficients[3].value == pytest.approx((2 / 3 + 1) / 4)
    alone = table_of({"M": [0] * 3}, judgements=[[1], [2], [3]])
    assert not len(others_mean(alone).score) and {one.value for one in among_people(alone).coefficients} == {None}
