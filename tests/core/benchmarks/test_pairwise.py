import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from core.benchmarks.columns import JudgedColumn, judged_column
from core.benchmarks.figures import BenchmarkFigures
from core.benchmarks.pair_scores import pair_scores
from core.benchmarks.pairwise import (
    PairwiseAccuracy,
    accuracies,
    accuracy_differences,
    mean_accuracy,
    pairwise_accuracy,
)
from core.errors import BadData
from core.types import Pair


def test_a_tie_is_wrong_counted_apart_and_half_right_beside() -> None:
    found = pairwise_accuracy([0.9, 0.5, 0.1, 0.7], [0.1, 0.5, 0.3, 0.2], "pascal50s", "HC", "FLEUR")
    assert (found.n, found.accuracy, found.ties, found.accuracy_half_credit) == (4, 0.5, 1, 0.625)


def test_fleurs_published_ties_explain_its_raw_accuracy() -> None:
    # Raw scores in category HC: 260 right, 638 ties, 102 wrong (out of 1,000).
    preferred = [1.0] * 260 + [0.5] * 638 + [0.0] * 102
    row = pairwise_accuracy(preferred, [0.5] * 1000, "pascal50s", "HC", "FLEUR", "raw").as_json()
    assert (row["accuracy"], row["ties"]) == (26.0, 638)
    assert row["accuracy_half_credit"] == pytest.approx(57.9)


def test_json_carries_exactly_the_documented_keys() -> None:
    row = pairwise_accuracy([1], [0], "foil", "foil", "FLEUR").as_json()
    assert list(row) == [
        "benchmark", "category", "metric", "variant", "n", "accuracy", "ties", "accuracy_half_credit",
        "ci_of", "ci_low", "ci_high",
    ]  # fmt: skip


def test_no_pair_gives_no_accuracy_and_no_nan() -> None:
    row = pairwise_accuracy([], [], "pascal50s", "HC", "FLEUR").as_json()
    assert (row["n"], row["accuracy"]) == (0, None)
    json.dumps(row, allow_nan=False)


def test_the_mean_is_over_categories_not_pairs() -> None:
    rows = [
        pairwise_accuracy([1, 1], [0, 0], "pascal50s", "HI", "m"),
        pairwise_accuracy([0], [1], "pascal50s", "HC", "m"),
    ]
    assert mean_accuracy(rows).accuracy == 0.5
    empty = mean_accuracy([*rows, pairwise_accuracy([], [], "pascal50s", "MM", "m")])
    assert (empty.n, empty.accuracy, empty.accuracy_half_credit) == (3, None, None)


def category_row(category: str, right: int, n: int = 4) -> PairwiseAccuracy:
    return pairwise_accuracy([1] * n, [0] * right + [1] * (n - right), "pascal50s", category, "m")


def test_pascals_mean_weighs_its_four_categories_alike() -> None:
    rows = [category_row("HC", 1), category_row("HI", 4), category_row("HM", 16, 32), category_row("MM", 3)]
    mean = mean_accuracy(rows)
    assert (mean.category, mean.n, mean.ties) == ("mean", 44, 3 + 0 + 16 + 1)
    assert mean.accuracy == pytest.approx((0.25 + 1 + 0.5 + 0.75) / 4)
    assert mean.accuracy_half_credit == pytest.approx((0.625 + 1 + 0.75 + 0.875) / 4)


def test_pairs_with_one_score_missing_are_refused() -> None:
    with pytest.raises(BadData, match="found 2 scores of the better and 1"):
        pairwise_accuracy([1, 2], [1], "foil", "foil", "m")


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
    # a percentile of 1,000 draws is uncertain by 8 % of the standard error
    assert [row.interval.low, row.interval.high] == pytest.approx([right.mean() - half, right.mean() + half], abs=0.004)


def test_pairs_of_one_image_are_drawn_together() -> None:
    generator = np.random.default_rng(2)
    of_image = generator.random(100) < 0.7
    right, images = np.repeat(of_image, 20).tolist(), np.repeat(np.arange(100), 20).astype(str).tolist()
    (row,) = accuracies(paired(right, ["foil"] * 2_000, images), "foil", "M", "smoothed")
    half = norm.ppf(0.975) * np.sqrt(of_image.mean() * (1 - of_image.mean()) / 100)
    assert row.interval is not None
    assert row.interval.high - row.interval.low == pytest.approx(2 * half, rel=0.1)
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
    assert mean.interval.high - mean.interval.low == pytest.approx(2 * half, rel=0.1)
    assert mean.p < 0.05 and mean.p_at_most


def test_comparisons_of_accuracies_share_pairs_and_are_corrected_within_each_category() -> None:
    right = [True, False, True, True, False, True]
    columns = {name: paired(right, ["foil"] * 6, [*"abcdef"]) for name in ("M", "N")}
    columns["O"] = paired([not one for one in right], ["foil"] * 6, [*"abcdef"]).where(np.arange(12) > 1)
    found = BenchmarkFigures("foil", columns).of(["M", "N", "O"])
    compared = {(row.first[0], row.second[0]): row for row in found.accuracy_differences}
    same, other = compared["M", "N"], compared["M", "O"]
    assert (same.result.n, same.result.difference, same.result.p) == (6, 0.0, 1.0)
    assert (other.result.n, other.result.difference) == (5, pytest.approx(3 / 5 - 2 / 5))
    assert all(
        row.p_holm is not None and row.result.p is not None and row.p_holm >= row.result.p for row in compared.values()
    )
    assert BenchmarkFigures("foil", columns).of(["M", "N"], intervals=False).accuracy_differences == ()
