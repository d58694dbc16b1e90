import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.caption_words import PHRASE_KINDS, have, say

WORDS = [
    *("a", "dog", "Two", "someone", "one", "in front of", "in front", "next to", "none", "gray", "often", "look like"),
]
captions = st.lists(
    st.lists(st.sampled_from([*WORDS, ",", "\n", "-", "7", "é", "_"]), max_size=6).map(" ".join)
    | st.lists(st.sampled_from(["ten", "man", "no", ".", "é"]), max_size=3).map("".join),
    max_size=8,
)


@pytest.mark.parametrize("kind", PHRASE_KINDS)
@given(captions)
def test_kinds_are_those_of_a_search_caption_by_caption(kind: str, given_captions: list[str]) -> None:
    pattern = re.compile(rf"\b(?:{PHRASE_KINDS[kind]})\b", re.IGNORECASE)
    expected = [pattern.search(caption) is not None for caption in given_captions]
    assert have(given_captions, kind).tolist() == expected


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ("red", [0, 2, 3]),
        ("RED, blue", [0, 2, 3, 4]),
        ("red  stop", [2]),
        ("red shirt", []),
        ("c.r, (", []),
        ("Äpfel", [5]),
    ],
)
def test_words_are_whole_in_any_case_and_never_reach_over_the_end_of_a_caption(words: str, places: list[int]) -> None:
    given_captions = ["A red car.", "Two redheads", "a red STOP sign", "red", "shirt, blue", "drei äpfel"]
    assert np.flatnonzero(say(given_captions, words)).tolist() == places
