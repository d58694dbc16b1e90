import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.score_reading.score_text import find_score, score_is_complete


@pytest.mark.parametrize(
    ("answer", "value", "units", "decimals"),
    [
        ("0.85", 0.85, 0, (2, 3)),
        ("0.0", 0.0, 0, (2,)),
        (".85", 0.85, None, (1, 2)),
        ("1.", 1.0, 0, ()),
        ("0.", 0.0, 0, ()),
        ("Score: 0.7", 0.7, 7, (9,)),
        ("The rating is 0.85.", 0.85, 14, (16, 17)),
        ("Rating 1: 0.8", 0.8, 10, (12,)),
        ("1.0 out of 1", 1.0, 0, (2,)),
        ("0.5 because 3", 0.5, 0, (2,)),
        ("3 dogs, so 0.25", 0.25, 11, (13, 14)),
    ],
)
def test_the_score_and_the_places_of_its_digits_are_found(
    answer: str, value: float, units: int | None, decimals: tuple[int, ...]
) -> None:
    found = find_score(answer)
    assert found is not None
    assert (found.value, found.units, found.decimals) == (value, units, decimals)


@pytest.mark.parametrize("answer", ["", "abc", "1.2.3", "0,85", "85%", "8/10", "1 / 10", "the 1st of 2nd", "v0.5"])
def test_text_without_a_score_has_none(answer: str) -> None:
    assert find_score(answer) is None


@pytest.mark.parametrize(("answer", "value"), [("1.5", 1.5), ("-0.5", -0.5), ("85", 85.0), ("Score: 8.5", 8.5)])
def test_a_number_out_of_range_is_handed_on_as_it_is(answer: str, value: float) -> None:
    found = find_score(answer)
    assert found is not None and found.value == value


@pytest.mark.parametrize(
    ("answer", "ambiguous"),
    [("0.8 or 0.9", True), ("0 or 1", True), ("1.0 out of 1.0", False), ("Rating 1: 0.8", False), ("0.8-0.9", True)],
)
def test_an_answer_with_several_different_scores_is_marked_ambiguous(answer: str, ambiguous: bool) -> None:
    found = find_score(answer)
    assert found is not None and found.ambiguous is ambiguous


@pytest.mark.parametrize(
    ("answer", "complete"),
    [
        ("0.", False),
        ("0.8", False),
        ("0.85", True),
        ("0.80", False),
        ("0.805", True),
        ("0.8 ", True),
        ("1.0", False),
        ("1.0\n", True),
        ("1.5", False),
        ("Rating 1: 0.8", False),
        ("Rating 1: 0.85", True),
    ],
)
def test_an_answer_is_complete_when_more_text_cannot_change_its_score(answer: str, complete: bool) -> None:
    assert score_is_complete(answer) is complete


@given(st.text(alphabet="0123456789. ab/%-,", max_size=12), st.sampled_from(["", " ", " and more", " or 0.3", "5"]))
def test_what_follows_a_complete_score_changes_nothing_that_is_used(answer: str, rest: str) -> None:
    cut = next((end for end in range(len(answer)) if score_is_complete(answer[:end])), None)
    if cut is None:
        return
    whole, early = find_score(answer + rest), find_score(answer[:cut])
    assert early is not None
    if whole is None or whole.start != early.start:
        return  # what follows turned the number into something else: a version, a percentage
    assert whole.text.startswith(early.text)
    assert whole.decimals[:2] == early.decimals[:2]


@pytest.mark.parametrize(
    ("answer", "value", "start"),
    [
        ("Score (0.0~1.0): 0.75", 0.75, 17),
        ("Score (0~1): 1", 1.0, 13),
        ("On a scale of 0.0 to 1.0, I rate it 0.75", 0.75, 36),
        ("Between 0.0 and 1.0: 0.3", 0.3, 21),
        ("[0.0, 1.0] 0.6", 0.6, 11),
        ("I rate it 0.4 (0.0-1.0)", 0.4, 10),
        ("0.85 out of 1.0", 0.85, 0),
        ("0.9 out of a maximum of 1.0", 0.9, 0),
    ],
)
def test_the_scale_that_an_answer_repeats_is_not_its_score(answer: str, value: float, start: int) -> None:
    found = find_score(answer)
    assert found is not None
    assert (found.value, found.start, found.ambiguous) == (value, start, False)


@pytest.mark.parametrize("answer", ["Score (0.0~1.0):", "On a scale of 0.0 to 1.0.", "0 to 1", "[0, 1]", "out of 1.0"])
def test_a_scale_alone_is_no_score(answer: str) -> None:
    assert find_score(answer) is None


@pytest.mark.parametrize("answer", ["On a scale of 0 to 10, I rate it 7", "On a scale of 1 to 5 it is a 4"])
def test_a_score_on_another_scale_is_out_of_range_and_not_that_scales_end(answer: str) -> None:
    found = find_score(answer)
    assert found is not None and found.text == answer.split()[-1]


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("Fluency 0.9, relevance 0.5. Overall score: 0.6", 0.6),
        ("0.75, or a score of 0.8", 0.75),
        ("0.0 and 1.0 and 0.5 and 0.7", 0.5),
        ("0.0: nothing fits.\n1.0: all fits.", 0.0),
        ("1.0 is best; I say 0.4", 0.4),
        ("If 0.0 is the worst and 1.0 is perfect, 0.7.", 0.7),
        ("The highest score is 1.0, this is 0.2", 0.2),
        ("1.0 = best, 0.0 = worst. Score: 0.35", 0.35),
        ("0.0: The caption does not describe it at all.\n1.0: The caption is accurate.\n\n0.6", 0.6),
        ("1.0 is a lot; 0.4 may do", 0.4),
        ("0.0 to 0.3", 0.3),
    ],
)
def test_what_stays_open_is_flagged(answer: str, value: float) -> None:
    found = find_score(answer)
    assert found is not None and (found.value, found.ambiguous) == (value, True)


@pytest.mark.parametrize(
    ("answer", "complete"),
    [
        ("Score: 0.85", True),
        ("0.0 ", False),
        ("1.0,", False),
        ("0.0~1.0", False),
        ("Score (0.0~1.0): 0.7", False),
        ("Score (0.0~1.0): 0.75", True),
        ("Score (0.0~1.0): 0.7\n", True),
        ("On a scale of 0.0 to 1.0, I rate it 0.75", True),
        ("1.0 is best; I say 0.45", False),
        ("Score: 1.0\n", True),
        ("0.0: The caption does not describe it.\n0.35", False),
        ("0.0: The caption does not describe it.\n0.35: A part.\n", False),
        ("Of three parts 0.25 ", False),
        ("Its fluency is good, so I give it 0.85.\n", True),
    ],
)
def test_decoding_goes_on_while_the_number_may_be_the_scales(answer: str, complete: bool) -> None:
    assert score_is_complete(answer) is complete
