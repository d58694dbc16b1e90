from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from core.benchmarks.columns import JudgedColumn, judged_column
from core.benchmarks.figures import correlated
from core.benchmarks.pairwise import accuracies, accuracy_differences, pair_scores
from core.types import Pair


def test_a_tie_is_wrong_counted_apart_and_half_right_beside_and_the_mean_is_over_categories() -> None:
    right = paired([True, False, True, True, False], ["HC", "HC", "HI", "HM", "MM"], [*"abcde"])
    tied = np.where(np.arange(10) < 2, 0.5, right.smoothed)
    rows = accuracies(replace(right, smoothed=tied), "pascal50s", "M", "smoothed")
    found = {row.category: (row.n, row.accuracy, row.ties, row.accuracy_half_credit) for row in rows}
    assert found["HC"] == (2, 0.0, 1, 0.25)
    assert found["mean"] == (5, 0.5, 1, pytest.approx((0.25 + 1 + 1 + 0) / 4))


def paired(right: Sequence[bool], categories: Sequence[str], images: Sequence[str]) -> JudgedColumn:
    """Pairs in order, two captions each; the preferred one comes first and has the higher score if right."""
    size = len(right)
    pairs = [
        Pair(f"{category}#{number}", side, 0, category) for number, category in enumerate(categories) for side in (0, 1)
    ]
    names = [image for image in images for _ in range(2)]
    column = judged_column(range(2 * size), names, [None] * 2 * size, [()] * 2 * size, pairs)
    return replace(column, smoothed=np.array([value for one in right for value in ((0.9, 0.1) if one else (0.1, 0.9))]))


def test_an_accuracy_of_many_images_has_the_interval_of_a_proportion() -> None:
    generator = np.random.default_rng(1)
    right = generator.random(2_000) < 0.7
    (row,) = accuracies(paired(right.tolist(), ["foil"] * 2_000, [*map(str, range(2_000))]), "foil", "M", "smoothed")
    half = norm.ppf(0.975) * np.sqrt(right.mean() * (1 - right.mean()) / 2_000)
    assert row.interval is not None and row.accuracy == right.mean()
    assert [row.interval.low, row.interval.high] == pytest.approx([right.mean() - half, right.mean() + half], abs=0.001)


def test_pairs_of_one_image_are_drawn_together() -> None:
    generator = np.random.default_rng(2)
    of_image = generator.random(100) < 0.7
    right, images = np.repeat(of_image, 20).tolist(), np.repeat(np.arange(100), 20).astype(str).tolist()
    (row,) = accuracies(paired(right, ["foil"] * 2_000, images), "foil", "M", "smoothed")
    half = norm.ppf(0.975) * np.sqrt(of_image.mean() * (1 - of_image.mean()) / 100)
    assert row.interval is not None
    assert row.interval.high - row.interval.low == pytest.approx(2 * half, rel=0.03)
    (alone,) = accuracies(paired(right[:20], ["foil"] * 20, ["0"] * 20), "foil", "M", "smoothed")
    assert alone.interval is None  # one image does not show how images differ


def test_two_metrics_are_compared_pair_by_pair_in_each_category_and_in_the_mean() -> None:
    generator = np.random.default_rng(3)
    categories = ["HC", "HI", "HM", "MM"] * 500
    images = [str(number // 2) for number in range(2_000)]
    first = generator.random(2_000) < 0.8
    second = np.where(generator.random(2_000) < 0.9, first, ~first)  # nearly the same answers
    columns = [paired(one.tolist(), categories, images) for one in (first, second)]
    found = accuracy_differences(*(pair_scores(one, "pascal50s", "smoothed") for one in columns))
    assert [row.category for row in found] == ["HC", "HI", "HM", "MM", "mean"]
    gain = first.astype(float) - second
    for place, row in enumerate(found[:4]):
        assert (row.n, row.difference) == (500, pytest.approx(gain[place::4].mean()))
    mean = found[-1]
    assert mean.n == 2_000 and mean.difference == pytest.approx(gain.mean())
    of_image = gain.reshape(-1, 2).mean(axis=1)
    half = norm.ppf(0.975) * of_image.std() / np.sqrt(1_000)
    assert mean.interval is not None and mean.p is not None and not mean.interval.low < 0 < mean.interval.high
    assert mean.interval.high - mean.interval.low == pytest.approx(2 * half, rel=0.03)
    assert mean.p < 1e-4  # no smallest value


def test_comparisons_of_accuracies_share_pairs_and_are_corrected_within_each_category() -> None:
    right = [True, False, True, True, False, True]
    columns = {name: paired(right, ["foil"] * 6, [*"abcdef"]) for name in ("M", "N")}
    columns["O"] = paired([not one for one in right], ["foil"] * 6, [*"abcdef"]).where(np.arange(12) > 1)
    found = correlated("foil", columns, ["M", "N", "O"])
    compared = {(row.first[0], row.second[0]): row for row in found.differences}
    same, other = compared["M", "N"], compared["M", "O"]
    assert (same.result.n, same.result.difference, same.result.p) == (6, 0.0, 1.0)
    assert (other.result.n, other.result.difference) == (5, pytest.approx(3 / 5 - 2 / 5))
    assert all(
        row.p_holm is not None and row.result.p is not None and row.p_holm >= row.result.p for row in compared.values()
    )
    assert correlated("foil", columns, ["M", "N"], intervals=False).differences == ()
