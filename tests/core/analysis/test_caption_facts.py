import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.caption_facts import PHRASE_KINDS, CaptionFacts

WORDS = [
    "a",
    "dog",
    "Two",
    "someone",
    "one",
    "in front of",
    "in front",
    "next to",
    "none",
    "gray",
    "often",
    "look like",
]
captions = st.lists(
    st.lists(st.sampled_from([*WORDS, ",", "\n", "-", "7", "é", "_"]), max_size=6).map(" ".join)
    | st.lists(st.sampled_from(["ten", "man", "no", "."]), max_size=3).map("".join),
    max_size=8,
)


@pytest.mark.parametrize("kind", PHRASE_KINDS)
@given(captions)
def test_kinds_are_those_of_a_search_caption_by_caption(kind: str, given_captions: list[str]) -> None:
    pattern = re.compile(rf"\b(?:{PHRASE_KINDS[kind]})\b", re.IGNORECASE)
    expected = [pattern.search(caption) is not None for caption in given_captions]
    assert CaptionFacts(given_captions).have(kind).tolist() == expected


def test_words_are_counted_as_spaces_part_them() -> None:
    assert CaptionFacts(["two  dogs run", "", " one\nmore "]).words.tolist() == [3, 0, 2]
