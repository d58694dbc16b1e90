import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.captions.reading.words import sentences, words


def texts(caption: str) -> list[str]:
    return [word.text for word in words(caption)]


def test_words_are_lower_case_and_know_their_place() -> None:
    assert [(word.text, word.start, word.end) for word in words("A man's T-shirt.")] == [
        ("a", 0, 1),
        ("man", 2, 5),
        ("'s", 5, 7),
        ("t-shirt", 8, 15),
    ]


def test_contractions_are_cut_as_treebanks_cut_them_and_quotation_marks_and_final_marks_are_left_out() -> None:
    assert texts("it isn't the dog’s tail") == ["it", "is", "n't", "the", "dog", "'s", "tail"]
    assert texts("`` the sign says 'stop' , now '' .") == ["the", "sign", "says", "stop", ",", "now"]


def test_a_sentence_ends_at_a_mark_before_a_space() -> None:
    cut = ["Mr. Smith sits, e.g. on a sofa.", "It wears a 2.5 cm collar!", 'The sign says "Stop!"', "Yes"]
    assert [" ".join(cut)[start:end] for start, end in sentences(" ".join(cut))] == cut


@given(st.text(max_size=80))
def test_words_stand_in_order_within_the_caption(caption: str) -> None:
    found = words(caption)
    assert all(0 <= word.start < word.end <= len(caption) for word in found)
    assert all(one.end <= other.start for one, other in zip(found, found[1:], strict=False))
    assert all(caption[word.start : word.end].lower().replace("’", "'") == word.text for word in found)


@given(st.text(alphabet="ab .!?\n", max_size=60))
def test_sentences_lose_no_word(caption: str) -> None:
    cut = "".join(caption[start:end] for start, end in sentences(caption))
    assert "".join(cut.split()) == "".join(caption.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "." * 100_000 + "x",
        "x" + "!?" * 50_000 + "x",
        "x." + "'" * 100_000 + "x",
        "A. " * 33_000,
        ". " * 50_000,
        "a" * 100_000,
        "\n" * 100_000,
    ],
)
def test_the_time_to_cut_a_text_does_not_grow_with_the_square_of_its_length(text: str) -> None:
    start = time.process_time()
    cut = sentences(text)
    assert sum(len(words(text, *span)) for span in cut) <= len(text)
    assert time.process_time() - start < 30  # took minutes before, and takes a fraction of a second
