import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.captions.sentences import sentences


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("It is fluent. It is short.", ["It is fluent.", "It is short."]),
        ("Mr. Smith sits, e.g. on a sofa. It is 4.5 m!", ["Mr. Smith sits, e.g. on a sofa.", "It is 4.5 m!"]),
        (
            "A shop, a bar, etc. and more. Shops, etc. The end",
            ["A shop, a bar, etc. and more.", "Shops, etc.", "The end"],
        ),
        ("The J. Doe sign. Seen at No. 4.", ["The J. Doe sign.", "Seen at No. 4."]),
        ('It says "Stop!" Then it ends.', ['It says "Stop!"', "Then it ends."]),
        ("The score is 0.833984375. Why? Because!", ["The score is 0.833984375.", "Why?", "Because!"]),
        ("  no end ", ["no end"]),
        (" . ", ["."]),
        ("   ", []),
    ],
)
def test_a_text_is_cut_where_sentences_end(text: str, cut: list[str]) -> None:
    assert [one.text for one in sentences({"overall": text})] == cut


@given(st.dictionaries(st.text(max_size=5), st.text(alphabet="ab.!? \n\"'Mr", max_size=60), max_size=3))
def test_sentences_stand_where_they_say_and_nothing_but_white_space_is_between(rationales: dict[str, str]) -> None:
    found = sentences(rationales)
    for aspect, text in rationales.items():
        own = [one for one in found if one.aspect == aspect]
        assert all(text[one.start : one.end] == one.text and one.text.strip() == one.text != "" for one in own)
        ends = [0, *(place for one in own for place in (one.start, one.end)), len(text)]
        assert ends == sorted(ends)
        assert "".join(text[a:b] for a, b in zip(ends[::2], ends[1::2], strict=True)).strip() == ""


@pytest.mark.parametrize("text", ["." * 100_000 + "x", "e.g. " * 20_000, "A. " * 33_000, '."' * 50_000 + "x"])
def test_the_time_to_cut_an_explanation_does_not_grow_with_the_square_of_its_length(text: str) -> None:
    start = time.process_time()
    (*_, last) = sentences({"overall": text})
    assert last.end == len(text.rstrip())
    assert time.process_time() - start < 30  # took minutes before, and takes a fraction of a second
