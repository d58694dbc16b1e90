from typing import Any

import pytest

from core.errors import ModelUnavailable, NoScore
from core.metrics.judge import GeneralJudge, read_number
from core.models import ModelSettings
from core.models.vlm import Reply
from core.types import ImageRef, Sample, Score
from tests.core.fakes import FakeVlm


def reply(*tokens: tuple[str, dict[str, float]]) -> Reply:
    return Reply(tuple(text for text, _ in tokens), (), likely=tuple(likely for _, likely in tokens))


def test_a_number_is_the_expectation_of_the_likely_ones_on_the_scale() -> None:
    found = read_number(reply(("8", {"8": 0.6, "9": 0.2, "seven": 0.1, "11": 0.05})))
    assert found.value == pytest.approx((8 * 0.6 + 9 * 0.2) / 0.8 / 10)
    assert found.raw == 0.8 and found.components == {"raw": 0.8, "mass": pytest.approx(0.8)}


END = ("", {"</s>": 1.0})


@pytest.mark.parametrize(
    ("tokens", "number"),
    [
        # A first digit 1 that was not written is read as 10: (9 · 0.6 + 10 · 0.3 + 8 · 0.1) / 10.
        ([("9", {"9": 0.6, "1": 0.3, "8": 0.1}), END], 9.2),
        # The model wrote 1 and 0. After 1, it ends with 0.2, so this means 1: 0.9 · (0.8 · 10 + 0.2 · 1) + 0.1 · 9.
        ([("1", {"1": 0.9, "9": 0.1}), ("0", {"0": 0.8, "</s>": 0.2}), END], 0.9 * 8.2 + 0.1 * 9),
        ([("1", {"1": 0.5, "2": 0.5}), ("", {"</s>": 0.75, "0": 0.25})], 0.5 * (0.75 + 2.5) + 0.5 * 2),
        # Whole numbers are single tokens: 10 is listed, so 1 is 1.
        ([("9", {"9": 0.6, "10": 0.2, "1": 0.2})], 9 * 0.6 + 10 * 0.2 + 0.2),
        ([("10", {"10": 0.7, "9": 0.3})], 9.7),
        ([("0", {"0": 0.9, "5": 0.1}), END], 0.5),
    ],
)
def test_every_number_that_could_have_been_written_is_read_whole(
    tokens: list[tuple[str, dict[str, float]]], number: float
) -> None:
    assert read_number(reply(*tokens)).value == pytest.approx(number / 10)


def test_a_model_that_tells_no_probabilities_gives_its_raw_number() -> None:
    assert read_number(Reply(("7",), ())).value == 0.7


@pytest.mark.parametrize(
    ("text", "kind"), [("I cannot say.", "no_score"), ("11", "out_of_range"), ("7/10", "no_score"), ("7.5", "no_score")]
)
def test_what_holds_no_whole_number_of_the_scale_is_none(text: str, kind: str) -> None:
    with pytest.raises(NoScore) as found:
        read_number(Reply((text,), ()))
    assert found.value.kind == kind


def NumbersVlm(**said: Any) -> FakeVlm:
    """A model that answers with whole numbers, without probabilities."""
    return FakeVlm(in_digits=False, **said)


@pytest.fixture
def sample(image: ImageRef) -> Sample:
    return Sample("dog", image, "A  dog {top}")


def test_the_caption_stands_in_the_prompt_as_plain_text_and_the_reason_is_told_the_number(sample: Sample) -> None:
    vlm = NumbersVlm(scores={"A dog": "8"}, reasons={"A dog": "It fits."})
    (outcome,) = GeneralJudge(vlm, ModelSettings(explain=True)).score([sample])
    assert isinstance(outcome, Score) and outcome.value == 0.8
    assert dict(outcome.explanation.rationales) == {"overall": "It fits."}
    asked, told, why = vlm.histories[0]
    assert "from 0 to 10." in asked and "\n\nCaption: A dog {top}\n\n" in asked
    assert (told, why) == ("8", GeneralJudge.why)


def test_without_a_server_it_says_what_to_give() -> None:
    with pytest.raises(ModelUnavailable, match="--endpoint URL or set CAPSCOPE_ENDPOINT"):
        GeneralJudge.load(ModelSettings())
