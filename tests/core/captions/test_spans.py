import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.captions.reading.facts import Fact
from core.captions.reading.spans import fact_span
from core.captions.reading.words import words


def stated(caption: str, fact: Fact) -> str:
    start, end = fact_span(fact, words(caption))
    return caption[start:end]


@pytest.mark.parametrize(
    ("caption", "fact", "expected"),
    [
        ("A red dog runs on grass.", Fact("dog", "run on", "grass"), "dog runs on grass"),
        ("a red dog and a red cat", Fact("cat", "is", "red"), "red cat"),
        ("two women sit", Fact("women", "is", "2"), "two women"),
        ("a guy with a dog", Fact("person", "with", "dog"), "guy with a dog"),
        ("a wood table", Fact("table", "is", "wooden"), "wood table"),
        ("tennis player on court", Fact("tennis player", "on", "court"), "tennis player on court"),
        ("leaves of the tree", Fact("tree", "have", "leaf"), "leaves of the tree"),
        ("the boy", Fact("boy"), "boy"),
        ("a boy smiles", Fact("giraffe"), "a boy smiles"),
        ("a boy smiles", Fact("boy", "near", "giraffe"), "boy"),
    ],
)
def test_a_fact_spans_from_subject_to_object(caption: str, fact: Fact, expected: str) -> None:
    assert stated(caption, fact) == expected


a_word = st.sampled_from(["dog", "dogs", "red", "two", "guy", "person", "standing", "stand", "ab", "the", "zzz"])


@given(st.lists(a_word, min_size=1, max_size=8), a_word, a_word)
def test_a_span_lies_within_the_caption_and_is_never_empty(said: list[str], subject: str, other: str) -> None:
    caption = "  " + " ".join(said) + " ."
    start, end = fact_span(Fact(subject, "near", other), words(caption))
    assert 0 <= start < end <= len(caption)
    for name in {subject, other} & set(said):
        assert name in caption[start:end].split()
