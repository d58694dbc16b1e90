"""Outcomes as columns, and back."""

import json
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
    stored = json.loads(json.dumps(outcome_columns(outcome)))
    assert outcome_of(SimpleNamespace(**stored)) == outcome
