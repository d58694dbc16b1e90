"""Facts F: cases worked by hand, texts that cannot be read, and its agreement with people on Flickr8k-Expert."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from core.metrics.facts_f import FactsF
from core.models import ModelSettings
from core.types import EvaluationError, Match, Outcome, Score
from tests.core.metrics.classic import flickr8k, sample


@cache
def metric() -> FactsF:
    """Return the metric with explanations. Loading its parser takes a second."""
    return FactsF.load(ModelSettings(explain=True))


def judged(caption: str, *references: str) -> Outcome:
    (outcome,) = metric().score([sample(caption, references)])
    return outcome


def test_shared_missing_and_made_up_facts_worked_by_hand() -> None:
    """Caption: dog, brown dog, cat. References: dog, black dog, grass, dog on grass. Only "dog" is shared."""
    outcome = judged("A brown dog and a cat.", "A black dog on grass.")
    assert isinstance(outcome, Score)
    matches = {one.text: (bool(one.places), bool(one.references)) for one in outcome.explanation.matches}
    assert matches == {
        "dog": (True, True),
        "brown dog": (True, False),
        "cat": (True, False),
        "black dog": (False, True),
        "grass": (False, True),
        "dog on grass": (False, True),
    }
    assert outcome.components == {"precision": pytest.approx(1 / 3), "recall": pytest.approx(1 / 4)}
    assert outcome.value == pytest.approx(2 / 7)


def test_facts_have_their_places_in_the_caption_and_in_every_reference() -> None:
    outcome = judged("A dog runs.", "Two dogs.", "The big dog sleeps.")
    assert isinstance(outcome, Score)
    assert outcome.explanation.matches[0] == Match("dog", "fact", 1, ((2, 5),), ((0, 4, 8), (1, 8, 11)))


def test_facts_have_the_words_of_the_text_that_states_them() -> None:
    outcome = judged("Two dogs eat dog food.", "A cup of tea.")
    assert isinstance(outcome, Score)
    words = [match.text for match in outcome.explanation.matches]
    assert words == ["dogs", "two dogs", "food", "dogs eat dog food", "dog food", "tea", "cup", "cup of tea"]


def test_synonyms_are_the_same_fact() -> None:
    outcome = judged("A red car.", "A red automobile.")
    assert isinstance(outcome, Score) and outcome.value == 1.0


def test_equal_captions_have_the_score_1_and_captions_without_a_common_fact_0() -> None:
    same, other = judged("A man rides a horse.", "A man rides a horse."), judged("A cat sleeps.", "A red bus.")
    assert isinstance(same, Score) and same.value == 1.0
    assert isinstance(other, Score) and other.value == 0.0


def test_a_denied_thing_is_no_stated_fact() -> None:
    outcome = judged("There is no dog.", "A dog.")
    assert isinstance(outcome, Score) and outcome.value == 0.0


@pytest.mark.parametrize(
    ("caption", "references", "words"),
    [
        ("Ein Hund läuft über die grüne Wiese.", ["A dog runs."], "The caption does not look English"),
        ("A dog runs.", ["Ein Hund läuft über die grüne Wiese."], "The references do not look English"),
        ("一只狗在草地上奔跑。", ["A dog runs."], "The caption does not look English"),
    ],
)
def test_texts_in_another_language_get_an_error_and_no_score(caption: str, references: list[str], words: str) -> None:
    outcome = judged(caption, *references)
    assert isinstance(outcome, EvaluationError) and outcome.kind == "not_english" and words in outcome.message


def test_one_english_reference_is_enough() -> None:
    outcome = judged("A dog runs.", "Ein Hund läuft über die grüne Wiese.", "A dog runs.")
    assert isinstance(outcome, Score) and outcome.value == 1.0


WORDS = st.lists(st.sampled_from("a the brown dog cat man on grass with rides red car and no .".split()), max_size=12)


@settings(max_examples=40, deadline=None)
@given(WORDS, st.lists(WORDS, min_size=1, max_size=3))
def test_precision_and_recall_are_the_shares_of_listed_facts(words: list[str], texts: list[list[str]]) -> None:
    outcome = judged(" ".join(words), *map(" ".join, texts))
    if isinstance(outcome, EvaluationError):
        return
    found = outcome.explanation.matches
    stated, shared = [one for one in found if one.places], [one for one in found if one.places and one.references]
    assert outcome.components["precision"] == pytest.approx(len(shared) / max(1, len(stated)))
    assert (outcome.value == 0) == (not shared)


@pytest.mark.slow
def test_agreement_with_people_on_flickr8k_expert_is_the_documented_one(shared_dir: Path) -> None:
    samples = flickr8k(shared_dir)
    outcomes = list(FactsF.load(ModelSettings()).score(samples))
    scores = [one.value if isinstance(one, Score) else None for one in outcomes]
    pairs = [(score, said) for score, one in zip(scores, samples, strict=True) for said in one.judgements]
    assert None not in scores and len(pairs) == 16_992
    values, people = zip(*pairs, strict=True)
    assert 100 * kendalltau(values, people, variant="c").statistic == pytest.approx(
        45.70, abs=0.05
    )  # few trees may differ by processor
    assert 100 * kendalltau(values, people, variant="b").statistic == pytest.approx(53.25, abs=0.05)
