import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.benchmarks.correlation import (
    Correlation,
    among_people,
    correlation,
    observed,
    others_mean,
    tau_difference,
)
from core.datasets import benchmark_named
from core.datasets.base import Benchmark
from tests.core.tables import NAN, table_of

EXPERT = benchmark_named("flickr8k-expert")


def correlate(score: Sequence[float], human: Sequence[float], image: Sequence[str] | None = None) -> Correlation:
    return correlation(np.array(score, float), np.array(human, float), np.array(image or range(len(score))))


@pytest.fixture(scope="module")
def fleur(shared_dir: Path) -> dict[str, Correlation]:
    """Flickr8k-Expert's judgements with FLEUR's published scores, read here without the application's readers."""
    folder = shared_dir / "data/flickr8k"
    images, judgements = [], []
    for name, entry in json.loads((folder / "flickr8k.json").read_text()).items():
        ratings = [float(judged["rating"]) for judged in entry["human_judgement"]]
        images += [name] * len(ratings)
        judgements += ratings  # three follow one another for each caption
    lines = (folder / "fleur_flickr8k_expert.txt").read_text().splitlines()
    found = {}
    for variant, prefix in (("smoothed", "our score : "), ("raw", "model score : ")):
        scores = [float(line.split()[-1]) for line in lines if line.startswith(prefix)]
        found[variant] = correlate(np.repeat(scores, 3).tolist(), judgements, images)
    return found


@pytest.mark.parametrize(("variant", "tau_c", "tau_b"), [("smoothed", 53.0257, 52.666), ("raw", 34.9112, 56.082)])
def test_fleurs_published_correlations_are_reproduced(
    fleur: dict[str, Correlation], variant: str, tau_c: float, tau_b: float
) -> None:
    found = fleur[variant]
    assert found.n == 16_992
    assert 100 * found.tau("c") == pytest.approx(tau_c, abs=5e-5)
    assert 100 * found.tau("b") == pytest.approx(tau_b, abs=5e-4)
    assert found.interval("c").low < found.tau("c") < found.interval("c").high


def test_smoothing_gains_in_tau_c_and_loses_in_tau_b(fleur: dict[str, Correlation]) -> None:
    gain, loss = (tau_difference(fleur["smoothed"], fleur["raw"], tau) for tau in ("c", "b"))
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
    found = correlate(score, human)
    assert (found.tau("b"), found.tau("c"), found.interval("b")) == (None, None, None)
    assert note in found.note and note in tau_difference(found, found, "c").note


def test_an_interval_is_withheld_where_one_image_decides() -> None:
    alone = correlate([0.1, 0.2], [1, 2], ["x", "x"])
    assert (alone.tau("b"), alone.interval("b")) == (1.0, None) and "observations are of one image" in alone.note
    found = correlate([0.1 * n for n in range(12)], [1] * 11 + [2])  # without the last caption, no tau is defined
    assert found.tau("b") > 0.4
    assert (found.interval("b"), found.interval("c")) == (None, None) and "one image decides" in found.note


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
