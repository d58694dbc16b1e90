import json

import pytest

from core.benchmarks.pairwise import PairwiseAccuracy, mean_accuracy, pairwise_accuracy
from core.errors import BadData


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
    with pytest.raises(BadData, match="found 2 and 1 scores"):
        pairwise_accuracy([1, 2], [1], "foil", "foil", "m")
