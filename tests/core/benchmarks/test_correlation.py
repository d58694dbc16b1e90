import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.benchmarks.correlation import (
    Observations,
    correlate,
    counted,
    tau_difference,
)
from core.datasets import benchmark_named
from core.types import Variant

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
