"""CIDEr: cases worked by hand, an independent version, and golden vectors."""

from collections import Counter
from math import exp, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.captions.ngrams import Corpus, corpus_of
from core.metrics.cider import CIDEr, cider, vector_of
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.types import EvaluationError, Score
from tests.core.metrics.classic import SETS, WORDS, sample

BIRDS = corpus_of("birds", [(("a red bird", "a bird"), 1), (("a blue bird",), 2), (("a dog runs",), 1)])


def evaluated(corpus: Corpus | None, caption: str, *references: str) -> Score | EvaluationError:
    return Evaluator((CIDEr,)).evaluate_one("CIDEr", sample(caption, references), ModelSettings(corpus=corpus))


def test_a_word_weighs_more_if_fewer_pairs_have_it() -> None:
    assert BIRDS.pairs == 4
    assert BIRDS.idf(("a",)) == 0.0
    assert BIRDS.idf(("bird",)) == pytest.approx(log(4 / 3))
    assert BIRDS.idf(("blue",)) == pytest.approx(log(4 / 2))
    assert BIRDS.idf(("red",)) == BIRDS.idf(("cat",)) == pytest.approx(log(4))


def test_single_words_worked_by_hand() -> None:
    """Only "bird" is shared: log(4/3) each, "red" and "cat" are log(4)."""
    bird, rare = log(4 / 3), log(4)
    ours, theirs = vector_of(("a", "bird", "cat"), BIRDS), vector_of(("a", "red", "bird"), BIRDS)
    assert cider(ours, [theirs])[0] == pytest.approx(10 * bird**2 / (bird**2 + rare**2))


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


@given(WORDS, SETS, st.lists(SETS, min_size=1, max_size=4))
def test_scores_are_those_of_a_version_with_plain_lists(
    words: list[str], references: list[list[str]], others: list[list[list[str]]]
) -> None:
    sets = [references, *others]
    corpus = corpus_of("x", [(tuple(map(" ".join, one)), 1) for one in sets])
    found = cider(vector_of(words, corpus), [vector_of(one, corpus) for one in references])

    def grams(text: list[str], n: int) -> list[str]:
        return [" ".join(text[i : i + n]) for i in range(len(text) - n + 1)]

    for n in range(1, 5):
        every = sorted({gram for text in [words, *references] for gram in grams(text, n)})
        held = {gram: sum(any(gram in grams(text, n) for text in one) for one in sets) for gram in every}
        idf = [log(len(sets) / max(1, held[gram])) for gram in every]
        total = 0.0
        for text in references:
            ours, theirs = (
                [Counter(grams(one, n))[gram] * weight for gram, weight in zip(every, idf, strict=True)]
                for one in (words, text)
            )
            norm = sqrt(sum(x * x for x in ours)) * sqrt(sum(y * y for y in theirs))
            shared = sum(min(x, y) * y for x, y in zip(ours, theirs, strict=True))
            away = max(0, len(words) - 1) - max(0, len(text) - 1)
            total += shared / norm * exp(-(away**2) / 72) if norm else 0.0
        assert found[n - 1] == pytest.approx(10 * total / len(references), abs=1e-9)
