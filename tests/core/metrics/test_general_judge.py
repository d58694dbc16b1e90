from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from core.errors import ModelUnavailable, NoScore
from core.metrics.judge import ASPECTS, WHY, GeneralJudge, read_number
from core.models import ModelSettings
from core.models.vlm import Reply
from core.score_reading.smoothing import Smoothed
from core.types import EvaluationError, ImageRef, Sample, Score
from tests.core.fakes import FakeVlm


def reply(*tokens: tuple[str, dict[str, float]]) -> Reply:
    return Reply(tuple(text for text, _ in tokens), (), likely=tuple(likely for _, likely in tokens))


def smoothed(answer: Reply, top: int = 10) -> Smoothed:
    found = read_number(answer, top)
    assert isinstance(found, Smoothed), found
    return found


def test_a_number_is_the_expectation_of_the_likely_ones_on_the_scale() -> None:
    found = smoothed(reply(("8", {"8": 0.6, "9": 0.2, "seven": 0.1, "11": 0.05})))
    assert found.value == pytest.approx((8 * 0.6 + 9 * 0.2) / 0.8 / 10)
    assert found.raw == 0.8 and found.components == {"raw": 0.8, "mass": pytest.approx(0.8)}


def test_words_before_the_number_are_passed_over() -> None:
    answer = reply(("Score", {"Score": 0.9}), (":", {":": 1.0}), (" 85", {" 85": 0.5, " 75": 0.5}))
    assert smoothed(answer, 100).value == pytest.approx(0.8)


END = ("", {"</s>": 1.0})


@pytest.mark.parametrize(
    ("tokens", "top", "number"),
    [
        # A first digit 1 that was not written is read as 10: (9 · 0.6 + 10 · 0.3 + 8 · 0.1) / 10.
        ([("9", {"9": 0.6, "1": 0.3, "8": 0.1}), END], 10, 9.2),
        # The model wrote 1 and 0. After 1, it ends with 0.2, so this means 1: 0.9 · (0.8 · 10 + 0.2 · 1) + 0.1 · 9.
        ([("1", {"1": 0.9, "9": 0.1}), ("0", {"0": 0.8, "</s>": 0.2}), END], 10, 0.9 * 8.2 + 0.1 * 9),
        ([("1", {"1": 0.5, "2": 0.5}), ("", {"</s>": 0.75, "0": 0.25})], 10, 0.5 * (0.75 + 2.5) + 0.5 * 2),
        # Whole numbers are single tokens: 10 is listed, so 1 is 1.
        ([("9", {"9": 0.6, "10": 0.2, "1": 0.2})], 10, 9 * 0.6 + 10 * 0.2 + 0.2),
        ([("10", {"10": 0.7, "9": 0.3})], 10, 9.7),
        ([("85", {"85": 0.5, "90": 0.5})], 100, 87.5),
        # 85 in digits: 7 is read as 7 and the same next digits, 1 as 100.
        ([("8", {"8": 0.6, "7": 0.3, "1": 0.1}), ("5", {"5": 0.5, "0": 0.5}), END], 100, 0.6 * 82.5 + 0.3 * 72.5 + 10),
        ([("1", {"1": 1.0}), ("0", {"0": 1.0}), ("0", {"0": 0.9, "</s>": 0.1})], 100, 91.0),
        ([("0", {"0": 0.9, "5": 0.1}), END], 10, 0.5),
    ],
)
def test_every_number_that_could_have_been_written_is_read_whole(
    tokens: list[tuple[str, dict[str, float]]], top: int, number: float
) -> None:
    assert smoothed(reply(*tokens), top).value == pytest.approx(number / top)


def test_a_model_that_tells_no_probabilities_gives_its_raw_number() -> None:
    assert smoothed(Reply(("7",), ())).value == 0.7


@pytest.mark.parametrize(
    ("text", "kind"), [("I cannot say.", "no_score"), ("11", "out_of_range"), ("7/10", "no_score"), ("7.5", "no_score")]
)
def test_what_holds_no_whole_number_of_the_scale_is_none(text: str, kind: str) -> None:
    found = read_number(Reply((text,), ()), 10)
    assert isinstance(found, NoScore) and found.kind == kind


def NumbersVlm(**said: Any) -> FakeVlm:
    """A model that answers with whole numbers, without probabilities."""
    return FakeVlm(in_digits=False, **said)


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    Image.new("RGB", (8, 6), "red").save(tmp_path / "dog.png")
    return Sample("dog", ImageRef("dog.png", tmp_path / "dog.png"), "A  dog {top}")


def test_the_caption_stands_in_the_prompt_as_plain_text_and_the_reason_is_told_the_number(sample: Sample) -> None:
    vlm = NumbersVlm(scores={"A dog": "8"}, reasons={"A dog": "It fits."})
    (outcome,) = GeneralJudge(vlm, ModelSettings(explain=True)).score([sample])
    assert isinstance(outcome, Score) and outcome.value == 0.8
    assert dict(outcome.explanation.rationales) == {"overall": "It fits."}
    asked, told, why = vlm.histories[0]
    assert "from 0 to 10." in asked and "\n\nCaption: A dog {top}\n\n" in asked
    assert (told, why) == ("8", WHY)


def test_criteria_are_asked_one_by_one_and_their_mean_is_the_score(sample: Sample) -> None:
    vlm = NumbersVlm(scores={"fluency": "10", "relevance": "4", "descriptiveness": "7"})
    (outcome,) = GeneralJudge(vlm, ModelSettings(explain=True, options={"criteria": "each"})).score([sample])
    assert isinstance(outcome, Score) and outcome.value == pytest.approx(0.7)
    assert {name: outcome.components[name] for name in ASPECTS} == {
        "fluency": 1.0,
        "relevance": 0.4,
        "descriptiveness": 0.7,
    }
    assert set(outcome.explanation.rationales) == set(ASPECTS)


def test_one_criterion_without_a_number_leaves_the_sample_without_a_score(sample: Sample) -> None:
    vlm = NumbersVlm(scores={"relevance": "who knows"})
    (outcome,) = GeneralJudge(vlm, ModelSettings(options={"criteria": "each"})).score([sample])
    assert isinstance(outcome, EvaluationError) and outcome.kind == "no_score"


def test_scales_and_criteria_have_signatures_of_their_own() -> None:
    options = ({}, {"scale": "100"}, {"criteria": "each"}, {"scale": "100", "criteria": "each"})
    signed = {GeneralJudge(NumbersVlm(), ModelSettings(options=chosen)).signature() for chosen in options}
    assert len(signed) == 4


def test_without_a_server_it_says_what_to_give() -> None:
    with pytest.raises(ModelUnavailable, match="--endpoint URL or set CAPSCOPE_ENDPOINT"):
        GeneralJudge.load(ModelSettings())
