"""The tokens of BLEU, ROUGE-L and CIDEr."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.captions.ngrams import PUNCTUATION, tokens
from tests.core.metrics.classic import golden_rows


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A dog's ball, isn't it?", "a dog 's ball is n't it"),
        ("They can't and cannot; he's gonna!", "they ca n't and can not he 's gon na"),
        ('He wears "58" - a 3-year-old...', "he wears 58 a 3-year-old"),
        ("at 4:30 o'clock, 1,000 m and 2.5 km", "at 4:30 o'clock 1,000 m and 2.5 km"),
        ("Mr. Smith of the U.S. (left) -LRB- right -RRB-", "mr. smith of the u.s. left right"),
        ("It’s a “big” dog & cat", "it 's a big dog & cat"),
    ],
)
def test_a_caption_is_split_as_the_treebank_does(text: str, expected: str) -> None:
    assert tokens(text) == tuple(expected.split())


def test_400_captions_are_split_as_in_the_golden_vectors(shared_dir: Path) -> None:
    rows = golden_rows(shared_dir)
    assert [one for one in rows if list(tokens(one.caption)) != one.tokens] == []


@given(st.text(max_size=200))
def test_tokens_have_no_spaces_no_upper_case_and_no_punctuation(text: str) -> None:
    for token in tokens(text):
        assert token and token == token.lower() and token not in PUNCTUATION and not any(map(str.isspace, token))


@pytest.mark.parametrize("piece", ["a", "a-", "1,", "a.", "'", ". ", "a_", "can", "ab'"])
def test_a_text_of_the_greatest_length_is_split_in_a_number_of_steps_that_grows_with_its_length(piece: str) -> None:
    assert "".join(tokens(piece * (20_000 // len(piece)))).count("zz") == 0
