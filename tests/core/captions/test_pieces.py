from hypothesis import given
from hypothesis import strategies as st

from core.captions.reading.factual import MEASURES, PREPOSITIONS, RENAMED
from core.captions.reading.pieces import Piece, pieces, readings
from core.captions.reading.words import words

TABLE = readings(["fire hydrant", "tennis racket"])


def cut(caption: str) -> list[Piece]:
    return list(pieces(words(caption), TABLE))


def test_a_run_of_words_that_says_one_thing_is_one_piece() -> None:
    found = cut("a group of people in front of a fire hydrant")
    assert [piece.wording for piece in found] == ["a", "group of", "people", "in front of", "a", "fire hydrant"]
    assert [piece.seen for piece in found] == ["a", "some", "people", "on", "a", "hydrant"]


def test_a_piece_covers_all_its_words() -> None:
    caption = "cat on the top of a box"
    place = cut(caption)[1]
    assert caption[place.start : place.end] == "on the top of"
    assert place.wording == "on top of"


def test_articles_are_skipped_inside_prepositions_only() -> None:
    assert [piece.kind for piece in cut("fire the hydrant")] == ["word", "word", "word"]


def test_the_longest_run_wins() -> None:
    assert [piece.wording for piece in cut("on the left side of it")] == ["at the left of", "it"]


def test_different_wordings_of_one_place_are_said_alike() -> None:
    assert {cut(f"cat {way} box")[1].wording for way in ("beneath", "underneath", "below")} == {"under"}


@given(st.lists(st.sampled_from([*" ".join([*PREPOSITIONS, *MEASURES, *RENAMED]).split(), "cat", "the"]), max_size=12))
def test_pieces_cover_every_word_once_in_order(said: list[str]) -> None:
    caption = " ".join(said)
    found = cut(caption)
    spoken = [caption[piece.start : piece.end] for piece in found]
    assert " ".join(spoken).split() == [word.text for word in words(caption)]
