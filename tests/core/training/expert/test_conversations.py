"""Score binning, merging of duplicates and the two-stage conversations."""

from collections import Counter
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadSetting
from core.metrics.expert import explanation_prompt
from core.training.expert.conversations import ExplainedCaption, bin_width_of, binned, build, mean_score
from core.types import one_line

WHY = {"fluency": "Reads well.", "relevance": "A dog, yes.", "descriptiveness": "Bare."}


def judged(**changed: Any) -> ExplainedCaption:
    row = {"id": "polaris/1", "image": "Polaris/a1.jpg", "caption": "a dog", "score": 0.5, "rationales": WHY}
    return ExplainedCaption(**{**row, **changed})


@pytest.mark.parametrize(
    ("scores", "printed"),
    [
        ([0.25], "0.3"),  # halves go up
        ([0.05], "0.1"),
        ([0.35], "0.4"),  # the float is below 7/20
        ([0.15], "0.2"),  # the float is below 3/20
        ([0.45], "0.5"),
        ([0.95], "1.0"),
        ([0.24999999], "0.2"),
        ([0.0], "0.0"),
        ([1.0], "1.0"),
        ([0.8928571428571429], "0.9"),  # 25/28
        ([0.1, 0.2], "0.2"),  # 3/20; in floats 0.15000000000000002
        ([0.7, 0.0], "0.4"),  # 7/20
        ([0.7, 0.6, 0.65], "0.7"),  # 13/20; in floats 0.6499999999999999 or so, by order
        ([0.3, 0.3, 0.1], "0.2"),  # 7/30
    ],
)
def test_a_mean_is_rounded_to_the_nearest_tenth_half_up(scores: list[float], printed: str) -> None:
    assert binned(mean_score(scores)) == printed


def test_a_conversation_is_llavas_record_with_both_stages() -> None:
    (conversation,) = build([judged(score=0.78125)])
    assert conversation.as_json() == {
        "id": "polaris/1",
        "image": "Polaris/a1.jpg",
        "conversations": [
            {
                "from": "human",
                "value": "<image>\nEvaluate the caption and assign a score on a scale of 0.0 to 1.0.\n\n"
                "Caption: a dog\n\nScore (0.0~1.0):",
            },
            {"from": "gpt", "value": "0.8"},
            {"from": "human", "value": explanation_prompt("a dog")},
            {"from": "gpt", "value": "Fluency: Reads well.\nRelevance: A dog, yes.\nDescriptiveness: Bare."},
        ],
    }


def test_the_papers_wording_can_be_taught_instead() -> None:
    (conversation,) = build([judged()], wording="paper")
    assert conversation.turns[2] == explanation_prompt("a dog", "paper")


def test_duplicates_are_averaged_before_binning_inside_and_across_data_sets() -> None:
    rows = [
        judged(score=0.25),
        judged(id="polaris/2", score=0.25),
        judged(id="nebula/1", image="Nebula/a1.jpg", score=0.9),
    ]
    (conversation,) = build(rows)
    assert conversation.turns[1] == "0.5"  # 1.4 / 3; binned first it would be 1.5 / 3


def test_the_first_of_merged_rows_gives_id_picture_and_explanation() -> None:
    other = judged(id="nebula/1", image="Nebula/a1.jpg", rationales={name: "No." for name in WHY})
    (conversation,) = build([judged(), other])
    assert (conversation.id, conversation.image) == ("polaris/1", "Polaris/a1.jpg")
    assert conversation.turns[3].startswith("Fluency: Reads well.")


def test_captions_that_differ_in_white_space_are_the_same_caption() -> None:
    (conversation,) = build([judged(caption=" a  dog "), judged(id="polaris/2")])
    assert "Caption: a dog\n" in conversation.turns[0]


def test_captions_that_differ_in_case_or_image_stay_apart() -> None:
    assert len(build([judged(), judged(caption="A dog"), judged(image="Polaris/b2.jpg")])) == 3


def test_line_breaks_in_an_explanation_become_spaces() -> None:
    (conversation,) = build([judged(rationales={**WHY, "relevance": "A dog,\nyes.\n"})])
    assert "\nRelevance: A dog, yes.\nDescriptiveness:" in conversation.turns[3]


scores_in_words = st.decimals(0, 1, places=6).map(float) | st.floats(0, 1)


@given(st.lists(scores_in_words, min_size=1, max_size=6))
def test_the_bin_is_that_of_decimal_arithmetic_and_never_further_than_half_a_bin(scores: list[float]) -> None:
    mean, printed = mean_score(scores), binned(mean_score(scores))
    assert abs(Fraction(printed) - mean) <= Fraction(1, 20)
    if len(scores) == 1:
        assert Decimal(printed) == Decimal(repr(scores[0])).quantize(Decimal("0.1"), ROUND_HALF_UP)


@given(st.lists(scores_in_words, min_size=1, max_size=6), st.randoms())
def test_the_mean_does_not_depend_on_the_order(scores: list[float], random: Any) -> None:
    shuffled = random.sample(scores, len(scores))
    assert mean_score(scores) == mean_score(shuffled)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(("x y", " x  y", "z")), scores_in_words)))
def test_every_caption_of_every_image_gives_one_conversation_in_order(rows: list[tuple[str, str, float]]) -> None:
    built = build([judged(id=str(i), image=f"{a}.jpg", caption=b, score=s) for i, (a, b, s) in enumerate(rows)])
    pairs = [(image, one_line(caption)) for image, caption, _ in rows]
    assert [each.id for each in built] == [str(pairs.index(pair)) for pair in Counter(pairs)]


@pytest.mark.parametrize(
    ("score", "width", "printed"),
    [("1/4", "0.1", "0.3"), ("1/4", "0.05", "0.25"), ("4/7", "0.05", "0.55"), ("4/7", "0.2", "0.6"),
     ("4/7", "0", "0.57143"), ("1/2", "0", "0.5"), ("1", "0", "1.0"), ("1", "0.05", "1.00"), ("0", "0.5", "0.0")],
)  # fmt: skip
def test_scores_are_rounded_to_bins_of_the_asked_width(score: str, width: str, printed: str) -> None:
    assert binned(Fraction(score), bin_width_of(width)) == printed


@pytest.mark.parametrize("width", ["0.3", "-0.1", "0.6", "0.001", "1/3", "wide", "nan", ""])
def test_a_width_that_does_not_divide_the_scale_is_refused(width: str) -> None:
    with pytest.raises(BadSetting, match="The width of bins must"):
        bin_width_of(width)
