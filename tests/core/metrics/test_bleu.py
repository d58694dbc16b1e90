"""BLEU: cases worked by hand, an independent count, and golden vectors."""

from math import exp

import pytest
from hypothesis import given

from core.metrics.bleu import Bleu4, bleu
from core.models import ModelSettings
from core.types import Score
from tests.core.metrics.classic import SETS, WORDS, sample

THE_CAT = "the cat is on the mat".split()


def test_a_repeated_word_counts_at_most_as_often_as_in_one_reference() -> None:
    """The paper's example 2: "the" seven times, and two of them in the first reference."""
    found = bleu(["the"] * 7, [tuple(THE_CAT), tuple("there is a cat on the mat".split())], 1)
    assert found.precisions == (pytest.approx(2 / 7),)


def test_bleu_2_is_the_geometric_mean_of_both_precisions_times_the_brevity_penalty() -> None:
    found = bleu("the cat is here".split(), [tuple(THE_CAT)], 2)
    assert found.precisions == (pytest.approx(3 / 4), pytest.approx(2 / 3))
    assert found.brevity_penalty == pytest.approx(exp(1 - 6 / 4))
    assert found.value == pytest.approx((3 / 4 * 2 / 3) ** 0.5 * exp(-0.5))


def test_a_caption_of_punctuation_alone_has_no_words_and_the_score_0() -> None:
    (outcome,) = Bleu4.load(ModelSettings()).score([sample("?!", ("a cat",))])
    assert isinstance(outcome, Score) and outcome.value == 0.0


@given(WORDS, SETS)
def test_matches_are_those_of_a_count_that_crosses_words_out_one_by_one(
    words: list[str], texts: list[list[str]]
) -> None:
    for n, precision in enumerate(bleu(words, [tuple(text) for text in texts]).precisions, 1):
        grams = [" ".join(words[i : i + n]) for i in range(len(words) - n + 1)]
        matched = 0
        for gram in set(grams):
            held = max(sum(" ".join(t[i : i + n]) == gram for i in range(len(t) - n + 1)) for t in texts)
            matched += min(grams.count(gram), held)
        assert precision == pytest.approx((matched + 1e-15) / (len(grams) + 1e-9))
