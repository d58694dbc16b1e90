import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.score_reading.score_text import find_score, score_is_complete


@pytest.mark.parametrize(
    ("answer", "value", "units", "decimals"),
    [
        ("0.85", 0.85, 0, (2, 3)),
        (".85", 0.85, None, (1, 2)),
        ("1.", 1.0, 0, ()),
        ("The rating is 0.85.", 0.85, 14, (16, 17)),
        ("Rating 1: 0.8", 0.8, 10, (12,)),
        ("1.0 out of 1", 1.0, 0, (2,)),
        ("3 dogs, so 0.25", 0.25, 11, (13, 14)),
    ],
)
def test_the_score_and_the_places_of_its_digits_are_found(
    answer: str, value: float, units: int | None, decimals: tuple[int, ...]
) -> None:
    found = find_score(answer)
    assert found is not None
    assert (found.value, found.units, found.decimals) == (value, units, decimals)


@pytest.mark.parametrize(
    "answer", ["abc", "1.2.3", "0,85", "85%", "1 / 10", "the 1st of 2nd", "v0.5", "Score (0.0~1.0):", "[0, 1]"]
)
def test_text_without_a_score_has_none(answer: str) -> None:
    assert find_score(answer) is None


@pytest.mark.parametrize(("answer", "value"), [("-0.5", -0.5), ("Score: 8.5", 8.5)])
def test_a_number_out_of_range_is_handed_on_as_it_is(answer: str, value: float) -> None:
    found = find_score(answer)
    assert found is not None and found.value == value


@pytest.mark.parametrize(
    ("answer", "complete"),
    [
        ("0.8", False),
        ("0.85", True),
        ("0.80", False),
        ("0.805", True),
        ("0.8 ", True),
        ("1.0", False),
        ("1.5", False),
        ("Rating 1: 0.85", True),
        ("Score: 0.85", True),
        ("1.0,", False),
        ("0.0~1.0", False),
        ("Score (0.0~1.0): 0.75", True),
        ("Score (0.0~1.0): 0.7\n", True),
        ("On a scale of 0.0 to 1.0, I rate it 0.75", True),
        ("1.0 is best; I say 0.45", False),
        ("Score: 1.0\n", True),
        ("0.0: The caption does not describe it.\n0.35", False),
        ("Of three parts 0.25 ", False),
        ("Its fluency is good, so I give it 0.85", False),
        ("Its fluency is good, so I give it 0.85.\n", True),
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


@pytest.mark.parametrize("answer", ["On a scale of 0 to 10, I rate it 7", "On a scale of 1 to 5 it is a 4"])
def test_a_score_on_another_scale_is_out_of_range_and_not_that_scales_end(answer: str) -> None:
    found = find_score(answer)
    assert found is not None and found.text == answer.split()[-1]


@pytest.mark.parametrize(
    ("answer", "value", "ambiguous"),
    [
        ("0 or 1", 0.0, True),
        ("0.8-0.9", 0.8, True),
        ("Score (0.0~1.0): 0.75", 0.75, False),
        ("On a scale of 0.0 to 1.0, I rate it 0.75", 0.75, False),
        ("Between 0.0 and 1.0: 0.3", 0.3, False),
        ("[0.0, 1.0] 0.6", 0.6, False),
        ("0.85 out of 1.0", 0.85, False),
        ("0.9 out of a maximum of 1.0", 0.9, False),
        ("Fluency 0.9, relevance 0.5. Overall score: 0.6", 0.6, True),
        ("0.75, or a score of 0.8", 0.75, True),
        ("0.0 and 1.0 and 0.5 and 0.7", 0.5, True),
        ("0.0: nothing fits.\n1.0: all fits.", 0.0, True),
        ("The highest score is 1.0, this is 0.2", 0.2, True),
        ("0.0: The caption does not describe it at all.\n1.0: The caption is accurate.\n\n0.6", 0.6, True),
        ("0.0 to 0.3", 0.3, True),
    ],
)
def test_the_scale_that_an_answer_repeats_is_not_its_score_and_several_scores_are_flagged(
    answer: str, value: float, ambiguous: bool
) -> None:
    found = find_score(answer)
    assert found is not None and (found.value, found.ambiguous) == (value, ambiguous)
