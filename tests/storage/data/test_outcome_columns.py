"""Outcomes as columns, and back, those of earlier versions too."""

from types import SimpleNamespace

import pytest

from core.types import EvaluationError, Explanation, Match, Outcome, Phrase, Region, Score, Thing
from storage.data.outcome_columns import outcome_columns, outcome_of

PHRASES = (
    Phrase("man pat cat", (0, 11), 0.4, None, "incorrect", (Thing("man", (0, 3), "correct"),)),
    Phrase("man is tall", (0, 8), 0.6, 0, "not judged"),
    Phrase("dog", (0, 3), 0.6, 0, "correct", (), "denied", "no dog", "No “dog” is annotated.", (0, 1), (4, 10)),
)  # fmt: skip
REGIONS = (
    Region("abc", (4, 6), "person", False, 0.6, 1, True, "Label “person” matches “man”."),
    Region("def", (4, 6), None, True, 0.1, None, False),
)
SCORE = Score(
    "HICE-S", 0.5, "HICE-S|cut:0.5", (0.0, 1.3), {"gITC": 0.5}, Explanation({}, PHRASES, REGIONS, 0.5, "some")
)


MATCHED = Score(
    "CIDEr",
    2.5,
    "CIDEr|sigma:6.0",
    (0.0, 10.0),
    {"cider_1": 2.5},
    Explanation(
        matches=(
            Match("a dog", "words", 2, ((0, 5),), ((0, 4, 9), (1, 0, 5)), 1, 0.5, 1.25),
            Match("dog is brown", "words", 3, (), ((0, 0, 9),)),
        ),
        unlisted=7,
    ),
)


@pytest.mark.parametrize(
    "outcome", [SCORE, MATCHED, EvaluationError("HICE-S", "HICE-S|cut:0.5", "missing_text", "There is none.")]
)
def test_an_outcome_comes_back_as_it_was(outcome: Outcome) -> None:
    assert outcome_of(SimpleNamespace(**outcome_columns(outcome))) == outcome


def test_an_outcome_stored_before_there_were_marks_gets_them_by_its_cut() -> None:
    columns = outcome_columns(SCORE) | {
        "cut": 0.6,
        "phrases": [["a dog", 0, 5, 0.6, 1], ["a hat", 11, 16, 0.59, 0]],
        "regions": [["abc", 4, 6, "dog", False, 0.7, 0], ["def", 4, 6, None, True, 0.2, 0]],
    }
    outcome = outcome_of(SimpleNamespace(**columns))
    assert isinstance(outcome, Score)
    assert [phrase.mark for phrase in outcome.explanation.phrases] == ["correct", "incorrect"]
    assert [region.mentioned for region in outcome.explanation.regions] == [True, False]
    assert outcome.explanation.phrases[0].things == ()


def test_a_phrase_stored_before_denials_were_read_is_stated() -> None:
    columns = outcome_columns(SCORE) | {"phrases": [["a dog", 0, 5, 0.6, 1, "correct", [["dog", 2, 5, "correct"]]]]}
    columns |= {"regions": [["abc", 4, 6, "dog", False, 0.7, 0]]}
    outcome = outcome_of(SimpleNamespace(**columns))
    assert isinstance(outcome, Score)
    (phrase,) = outcome.explanation.phrases
    assert (phrase.kind, phrase.shown, phrase.things) == ("stated", "", (Thing("dog", (2, 5), "correct"),))


def test_a_phrase_stored_with_its_best_region_alone_belongs_to_this_region() -> None:
    stored = [["dogs", 0, 4, 0.6, 1, "correct", [], "stated", "dogs", "."], ["hat", 5, 8, 0.1, None, "not judged", []]]
    outcome = outcome_of(SimpleNamespace(**(outcome_columns(SCORE) | {"phrases": stored})))
    assert isinstance(outcome, Score)
    assert [phrase.linked for phrase in outcome.explanation.phrases] == [(1,), ()]


def test_without_marks_and_without_a_cut_nothing_counts_as_judged() -> None:
    columns = outcome_columns(SCORE) | {"cut": None, "phrases": [["a dog", 0, 5, 0.9, 0]]}
    columns |= {"regions": [["abc", 4, 6, "dog", False, 0.9, 0]]}
    outcome = outcome_of(SimpleNamespace(**columns))
    assert isinstance(outcome, Score)
    assert [phrase.mark for phrase in outcome.explanation.phrases] == ["not judged"]
    assert [region.mentioned for region in outcome.explanation.regions] == [False]
