"""CIDEr: cases worked by hand, an independent version, and golden vectors."""

from math import exp, log

import pytest

from core.captions.ngrams import Corpus, corpus_of
from core.metrics.cider import CIDEr, cider, vector_of
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.types import EvaluationError, Score
from tests.core.metrics.classic import sample

BIRDS = corpus_of("birds", [(("a red bird", "a bird"), 1), (("a blue bird",), 2), (("a dog runs",), 1)])


def evaluated(corpus: Corpus | None, caption: str, *references: str) -> Score | EvaluationError:
    return Evaluator((CIDEr,)).evaluate_one("CIDEr", sample(caption, references), ModelSettings(corpus=corpus))


def test_a_word_weighs_more_if_fewer_pairs_have_it() -> None:
    assert BIRDS.pairs == 4
    assert BIRDS.idf(("a",)) == 0.0
    assert BIRDS.idf(("bird",)) == pytest.approx(log(4 / 3))
    assert BIRDS.idf(("blue",)) == pytest.approx(log(4 / 2))
    assert BIRDS.idf(("red",)) == BIRDS.idf(("cat",)) == pytest.approx(log(4))


def test_a_caption_gains_nothing_from_repeating_and_loses_by_another_length() -> None:
    once, thrice = vector_of(("red",), BIRDS), vector_of(("red",) * 3, BIRDS)
    assert cider(once, [once])[0] == pytest.approx(10.0)
    assert cider(thrice, [once])[0] == pytest.approx(10 / 3 * exp(-4 / 72))


def test_an_equal_caption_of_four_telling_words_has_the_score_10() -> None:
    corpus = corpus_of("x", [(("one two three four",), 1), (("five",), 1)])
    outcome = evaluated(corpus, "One two, three four!", "one two three four")
    assert isinstance(outcome, Score) and outcome.value == pytest.approx(10.0) and outcome.value <= 10.0


def test_the_signature_names_data_set_pairs_and_fingerprint() -> None:
    outcome = evaluated(BIRDS, "a bird", "a red bird")
    assert f"|corpus:birds, 4 pairs, {BIRDS.fingerprint}|" in outcome.signature


def test_the_fingerprint_depends_on_the_references_and_not_on_their_order() -> None:
    one, two = (("a red bird", "a bird"), 1), (("a dog",), 2)
    first = corpus_of("birds", [one, two])
    assert corpus_of("birds", [two, (one[0], 1)]) == corpus_of("birds", [one, (two[0], 1), (two[0], 1)]) == first
    assert corpus_of("birds", [one, (("a cat",), 2)]) != first
    assert corpus_of("birds", [one, (two[0], 3)]) != first


def test_pairs_without_references_are_not_in_the_corpus() -> None:
    assert corpus_of("birds", [(("a dog",), 1), ((), 7)]).pairs == 1


@pytest.mark.parametrize("corpus", [None, corpus_of("one", [(("a dog", "a cat"), 3)])])
def test_a_sample_without_a_data_set_that_varies_gets_an_error_and_no_score(corpus: Corpus | None) -> None:
    outcome = evaluated(corpus, "a dog", "a dog")
    assert isinstance(outcome, EvaluationError) and outcome.kind == "missing_dataset"
    assert "needs a data set" in outcome.message
