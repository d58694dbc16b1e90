"""BLEU, ROUGE-L and CIDEr with their explanations: cases worked by hand, and properties that hold for all texts."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.captions.ngrams import MOST, MOST_PLACES, Corpus, corpus_of, token_spans, tokens
from core.metrics.bleu import Bleu4, matched_ngrams, most_in_one_reference
from core.metrics.cider import CIDEr
from core.metrics.classic import Classic
from core.metrics.evaluator import Evaluator
from core.metrics.rouge_l import RougeL, common_length, rouge_l
from core.models import ModelSettings
from core.types import EvaluationError, Match, Score
from tests.core.metrics.classic import SETS, WORDS, sample

# -- BLEU --


def test_a_caption_of_punctuation_alone_has_no_words_and_the_score_0() -> None:
    (outcome,) = Bleu4.load(ModelSettings()).score([sample("?!", ("a cat",))])
    assert isinstance(outcome, Score) and outcome.value == 0.0


# -- ROUGE-L --


def test_texts_without_words_have_the_score_0() -> None:
    assert rouge_l([], [["dog"]])[0] == rouge_l(["dog"], [[]])[0] == rouge_l([], [[]])[0] == 0.0


def test_texts_of_the_greatest_length_are_compared_without_a_table_of_all_pairs_of_words() -> None:
    assert common_length(["a", "b"] * 5_000, ["b", "a"] * 5_000) == 9_999


# -- CIDEr --

BIRDS = corpus_of("birds", [(("a red bird", "a bird"), 1), (("a blue bird",), 2), (("a dog runs",), 1)])


def evaluated(corpus: Corpus | None, caption: str, *references: str) -> Score | EvaluationError:
    return Evaluator((CIDEr,)).evaluate_one("CIDEr", sample(caption, references), ModelSettings(corpus=corpus))


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


# -- explanations --

CAPTION = "A dog, a dog runs!"
REFERENCES = ("The dog runs.", "Look: a dog")


def explained(metric: type[Classic], caption: str, references: Sequence[str], corpus: Corpus | None = None) -> Score:
    (outcome,) = metric.load(ModelSettings(explain=True, corpus=corpus)).score([sample(caption, references)])
    assert isinstance(outcome, Score)
    return outcome


def test_each_ngram_has_its_places_in_the_caption_and_in_each_reference() -> None:
    found = explained(Bleu4, CAPTION, REFERENCES).explanation
    assert [(one.text, one.size, one.counted) for one in found.matches] == [
        ("a", 1, 1), ("dog", 1, 1), ("runs", 1, 1), ("a dog", 2, 1), ("dog runs", 2, 1),
    ]  # fmt: skip
    assert [CAPTION[start:end] for start, end in found.matches[3].places] == ["A dog", "a dog"]
    assert found.matches[1].references == ((0, 4, 7), (1, 8, 11))
    assert found.unlisted == 0


def test_the_longest_words_in_order_have_their_places_in_both_texts() -> None:
    (match,) = explained(RougeL, "A big dog runs", ["the dog slowly runs"]).explanation.matches
    assert match == Match("dog runs", "sequence", 2, ((6, 14),), ((0, 4, 7), (0, 15, 19)), 2)


def test_precision_and_recall_of_two_references_show_both_subsequences() -> None:
    found = explained(RougeL, "a dog runs", ["dog", "a dog on the snow"]).explanation.matches
    assert [(one.text, one.references[0][0]) for one in found] == [("a dog", 1), ("dog", 0)]


def test_the_ngram_that_adds_most_to_cider_comes_first_with_its_idf() -> None:
    corpus = corpus_of("birds", [(("a red bird", "a bird"), 1), (("a blue bird",), 2), (("a dog runs",), 1)])
    score = explained(CIDEr, "a red bird", ["a red bird", "a bird"], corpus)
    found = score.explanation.matches
    assert found[0].text == "a red bird" and found[-1].text == "a" and found[-1].weight == 0.0
    assert found[0].idf == pytest.approx(corpus.idf(("a", "red", "bird")))
    assert sum(one.weight or 0.0 for one in found) == pytest.approx(score.value)


def test_long_captions_list_a_bounded_number_of_matches_and_count_the_others() -> None:
    caption = " ".join(f"w{number}" for number in range(1_000))
    found = explained(Bleu4, caption, [caption] * 20).explanation
    assert len(found.matches) == 4 * MOST and found.unlisted == 1_000 + 999 + 998 + 997 - 4 * MOST
    often = explained(Bleu4, "a " * 500, ["a " * 500] * 20).explanation.matches
    assert all(len(one.places) <= MOST_PLACES and len(one.references) <= MOST_PLACES for one in often)
    (whole,) = explained(RougeL, caption, [caption] * 20).explanation.matches
    assert whole.places == ((0, len(caption)),) and whole.size == 1_000


@given(WORDS, SETS)
def test_counted_ngrams_of_bleu_are_those_of_its_precisions(words: list[str], texts: list[list[str]]) -> None:
    references = [" ".join(text) for text in texts]
    found = explained(Bleu4, " ".join(words), references).explanation.matches
    most = most_in_one_reference(tuple(map(tokens, references)))
    for n in range(1, 5):
        assert sum(one.counted or 0 for one in found if one.size == n) == matched_ngrams(words, most, n)


@given(st.text() | st.text(alphabet="aA bİΣ’…—'\"(.1,ß"))
def test_each_token_has_a_place_in_the_text_as_it_was_typed(text: str) -> None:
    spans = token_spans(text)
    assert len(spans) == len(tokens(text))
    assert all(0 <= start < end <= len(text) for start, end in spans)
    for (start, end), token in zip(spans, tokens(text), strict=True):
        assert tokens(text[start:end])[:1] in ((token,), ()) or not text[start:end].isascii()
