import json

import pytest

from core.benchmarks.pairwise import mean_accuracy, pairwise_accuracy
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
    assert mean_accuracy(rows) == 0.5
    assert mean_accuracy([]) is None
    assert mean_accuracy([*rows, pairwise_accuracy([], [], "pascal50s", "MM", "m")]) is None


def test_pairs_with_one_score_missing_are_refused() -> None:
    with pytest.raises(BadData, match="found 2 and 1 scores"):
        pairwise_accuracy([1, 2], [1], "foil", "foil", "m")
