from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import norm

from core.analysis.score_table import ScoreTable
from core.benchmarks.figures import correlated
from core.benchmarks.pairwise import PairwiseAccuracy, accuracies, accuracy_differences, pair_scores
from core.types import Pair
from tests.core.tables import NAN, table_of


def rows_of(table: ScoreTable, name: str) -> list[PairwiseAccuracy]:
    (scores,) = pair_scores(table, [table.metric("M").value], name)
    return accuracies(scores, "M", "smoothed")


def scores_of(right: Sequence[bool]) -> list[float]:
    """The preferred caption of each pair comes first, and has the higher score if right."""
    return [value for one in right for value in ((0.9, 0.1) if one else (0.1, 0.9))]


def paired(scores: dict[str, list[float]], categories: Sequence[str], images: Sequence[str]) -> ScoreTable:
    pairs = [
        Pair(f"{category}#{number}", side, 0, category) for number, category in enumerate(categories) for side in (0, 1)
    ]
    return table_of(scores, images=[image for image in images for _ in range(2)], pair=pairs)


def of_one(right: Sequence[bool], categories: Sequence[str], images: Sequence[str]) -> ScoreTable:
    return paired({"M": scores_of(right)}, categories, images)


def test_a_tie_is_wrong_counted_apart_and_half_right_beside_and_the_mean_is_over_categories() -> None:
    scores = [0.5, 0.5, *scores_of([False, True, True, False])]
    rows = rows_of(paired({"M": scores}, ["HC", "HC", "HI", "HM", "MM"], [*"abcde"]), "pascal50s")
    found = {row.category: (row.n, row.accuracy, row.ties, row.accuracy_half_credit) for row in rows}
    assert found["HC"] == (2, 0.0, 1, 0.25)
    assert found["mean"] == (5, 0.5, 1, pytest.approx((0.25 + 1 + 1 + 0) / 4))


def test_pairs_of_one_image_are_drawn_together() -> None:
    generator = np.random.default_rng(2)
    of_image = generator.random(100) < 0.7
    right, images = np.repeat(of_image, 20).tolist(), np.repeat(np.arange(100), 20).astype(str).tolist()
    (row,) = rows_of(of_one(right, ["foil"] * 2_000, images), "foil")
    half = norm.ppf(0.975) * np.sqrt(of_image.mean() * (1 - of_image.mean()) / 100)
    assert row.interval is not None
    assert row.interval.high - row.interval.low == pytest.approx(2 * half, rel=0.03)
    (alone,) = rows_of(of_one(right[:20], ["foil"] * 20, ["0"] * 20), "foil")
    assert alone.interval is None  # one image does not show how images differ


def test_two_metrics_are_compared_pair_by_pair_in_each_category_and_in_the_mean() -> None:
    generator = np.random.default_rng(3)
    categories = ["HC", "HI", "HM", "MM"] * 500
    images = [str(number // 2) for number in range(2_000)]
    first = generator.random(2_000) < 0.8
    second = np.where(generator.random(2_000) < 0.9, first, ~first)  # nearly the same answers
    table = paired({"M": scores_of(first), "N": scores_of(second)}, categories, images)
    found = accuracy_differences(*pair_scores(table, [table.metric(one).value for one in "MN"], "pascal50s"))
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
    other = [NAN, NAN, *scores_of([not one for one in right])[2:]]
    table = paired({"M": scores_of(right), "N": scores_of(right), "O": other}, ["foil"] * 6, [*"abcdef"])
    found = correlated("foil", table, ["M", "N", "O"])
    compared = {(row.first[0], row.second[0]): row for row in found.differences}
    same, turned = compared["M", "N"], compared["M", "O"]
    assert (same.n, same.difference, same.p) == (6, 0.0, 1.0)
    assert (turned.n, turned.difference) == (5, pytest.approx(3 / 5 - 2 / 5))
    assert all(row.p_holm is not None and row.p is not None and row.p_holm >= row.p for row in compared.values())
    assert correlated("foil", table, ["M", "N"], compare=False).differences == ()
