"""BLEU: cases worked by hand, an independent count, and golden vectors."""

from math import exp

import pytest

from core.metrics.bleu import Bleu4, bleu
from core.models import ModelSettings
from core.types import Score
from tests.core.metrics.classic import sample

THE_CAT = "the cat is on the mat".split()


def test_a_repeated_word_counts_at_most_as_often_as_in_one_reference() -> None:
    """The paper's example 2: "the" seven times, and two of them in the first reference."""
    _, parts = bleu(["the"] * 7, [tuple(THE_CAT), tuple("there is a cat on the mat".split())], 1)
    assert parts["precision_1"] == pytest.approx(2 / 7)


def test_bleu_2_is_the_geometric_mean_of_both_precisions_times_the_brevity_penalty() -> None:
    value, parts = bleu("the cat is here".split(), [tuple(THE_CAT)], 2)
    assert (parts["precision_1"], parts["precision_2"]) == (pytest.approx(3 / 4), pytest.approx(2 / 3))
    assert parts["brevity_penalty"] == pytest.approx(exp(1 - 6 / 4))
    assert value == pytest.approx((3 / 4 * 2 / 3) ** 0.5 * exp(-0.5))


def test_a_caption_of_punctuation_alone_has_no_words_and_the_score_0() -> None:
    (outcome,) = Bleu4.load(ModelSettings()).score([sample("?!", ("a cat",))])
    assert isinstance(outcome, Score) and outcome.value == 0.0
