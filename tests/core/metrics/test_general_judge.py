from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image

from core.errors import ModelUnavailable, NoScore
from core.metrics.general_judge import ASPECTS, WHY, GeneralJudge, expected
from core.models import ModelSettings
from core.models.vlm.protocol import Reply
from core.score_reading.smoothing import Smoothed
from core.types import EvaluationError, ImageRef, Sample, Score
from tests.core.fakes import FakeConversations, FakeVlm


def reply(*tokens: tuple[str, dict[str, float]]) -> Reply:
    return Reply(tuple(text for text, _ in tokens), (), likely=tuple(likely for _, likely in tokens))


def smoothed(answer: Reply, top: int = 10) -> Smoothed:
    found = expected(answer, top)
    assert isinstance(found, Smoothed), found
    return found


def test_a_number_is_the_expectation_of_the_likely_ones_on_the_scale() -> None:
    found = smoothed(reply(("8", {"8": 0.6, "9": 0.2, "seven": 0.1, "11": 0.05})))
    assert found.value == pytest.approx((8 * 0.6 + 9 * 0.2) / 0.8 / 10)
    assert found.raw == 0.8 and found.components == {"raw": 0.8, "mass": pytest.approx(0.8)}


def test_words_before_the_number_are_passed_over() -> None:
    answer = reply(("Score", {"Score": 0.9}), (":", {":": 1.0}), (" 85", {" 85": 0.5, " 75": 0.5}))
    assert smoothed(answer, 100).value == pytest.approx(0.8)


def test_a_number_of_several_tokens_is_taken_as_it_stands() -> None:
    found = smoothed(reply(("1", {"1": 0.9, "9": 0.1}), ("0", {"0": 1.0})))
    assert found.value == found.raw == 1.0 and "mass" not in found.components


def test_a_model_that_tells_no_probabilities_gives_its_raw_number() -> None:
    assert smoothed(Reply(("7",), ())).value == 0.7


@pytest.mark.parametrize(
    ("text", "kind"), [("I cannot say.", "no_score"), ("11", "out_of_range"), ("7/10", "no_score"), ("7.5", "no_score")]
)
def test_what_holds_no_whole_number_of_the_scale_is_none(text: str, kind: str) -> None:
    found = expected(Reply((text,), ()), 10)
    assert isinstance(found, NoScore) and found.kind == kind


def test_a_refusal_stays_one() -> None:
    refused = NoScore("refused", "no")
    assert expected(refused, 10) is refused


class Numbers(FakeConversations):
    """Answers with the whole number that is told for the aspect asked for."""

    def ask_score(self, texts: Sequence[str]) -> list[Reply]:
        self._add(texts)
        return [Reply((self._find(self.vlm.scores, history, "5"),), ()) for history in self.histories]


class NumbersVlm(FakeVlm):
    def open(self, images: Sequence[Image.Image], rows: Sequence[int]) -> Numbers:
        return Numbers(self, super().open(images, rows).histories)


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
