from pathlib import Path

import pytest

from core.errors import BadSetting
from core.metrics.fleur import CRITERIA, Fleur, RefFleur
from core.models import ModelSettings
from core.types import EvaluationError, ImageRef, Outcome, Sample, Score
from tests.core.fakes import FakeVlm

PROMPT = "Your task is to evaluate and rate the caption on a scale of 0.0 to 1.0 based on the given Grading Criteria. (Print Real Number Score ONLY)\n\nGrading Criteria:\n\n0.0: The caption does not describe the image at all.\n1.0: The caption accurately and clearly describes the image.\n\nCaption: A dog runs.\n\nScore(Choose a rating from 0.0 to 1.0):"  # noqa: E501
REFERENCE_PROMPT = "Your task is to evaluate and rate the candidate caption on a scale of 0.0 to 1.0 based on the given Grading Criteria. (Print Real Number Score ONLY)\n\nGrading Criteria:\n\n0.0: The caption does not describe the image at all.\n1.0: The caption accurately and clearly describes the image.\n\nReference Captions: A  dog .\nTwo\n\nCandidate Caption: A dog runs.\n\nScore(Choose a rating from 0.0 to 1.0):"  # noqa: E501


def sample(image: ImageRef, caption: str, references: tuple[str, ...] = ()) -> Sample:
    return Sample(f"{image.name}-{caption}", image, caption, references)


def value(outcome: Outcome) -> float:
    assert isinstance(outcome, Score), outcome
    return outcome.value


def test_the_prompt_is_the_published_one_around_the_caption_in_single_spaces(image: ImageRef) -> None:
    vlm = FakeVlm()
    list(Fleur(vlm).score([sample(image, "  A dog\n runs. ")]))
    assert vlm.histories == [[PROMPT]]


def test_the_reference_prompt_joins_references_as_they_are(image: ImageRef) -> None:
    vlm = FakeVlm()
    list(RefFleur(vlm).score([sample(image, "A dog runs.", ("A  dog .", "Two"))]))
    assert vlm.histories == [[REFERENCE_PROMPT]]


@pytest.mark.parametrize(
    ("criteria", "heads"),
    [
        ("0.0: Wrong.\n1.0: Right.", " based on the given Grading Criteria. (Print|0.0: Wrong.\n1.0: Right."),
        ("intermediate", " based on the given Grading Criteria. (Print|describe the image.\n0.7: The caption almost"),
        ("none", "of 0.0 to 1.0. (Print Real Number Score ONLY)\n\nCaption: A dog\n\nScore("),
    ],
)
def test_criteria_are_the_users_or_the_ablations_and_change_the_signature(
    image: ImageRef, criteria: str, heads: str
) -> None:
    vlm = FakeVlm()
    metric = Fleur(vlm, ModelSettings(options={"criteria": criteria}))
    list(metric.score([sample(image, "A dog")]))
    assert all(words in vlm.histories[0][0] for words in heads.split("|"))
    assert CRITERIA not in vlm.histories[0][0] and metric.signature() != Fleur(vlm).signature()


def test_the_explanation_comes_first_by_option(image: ImageRef) -> None:
    vlm = FakeVlm(scores={"dog": "0.4"}, reasons={"dog": "No dog."})
    metric = Fleur(vlm, ModelSettings(options={"order": "explanation-first"}))
    (outcome,) = metric.score([sample(image, "A dog runs.")])
    assert isinstance(outcome, Score) and outcome.explanation.rationales == {"overall": "No dog."}
    assert vlm.histories[0][1:] == ["No dog.", PROMPT] and "order:explanation-first" in metric.signature()
    with pytest.raises(BadSetting, match="order must be"):
        Fleur.load(ModelSettings(options={"order": "sideways"}))


def test_an_answer_without_a_score_is_an_error_with_the_models_words(image: ImageRef) -> None:
    vlm = FakeVlm(scores={"odd": "I cannot say", "good": "0.7"})
    first, second = Fleur(vlm).score([sample(image, "odd"), sample(image, "good")])
    assert isinstance(first, EvaluationError)
    assert first.kind == "no_score" and "I cannot say" in first.message and first.signature == Fleur(vlm).signature()
    assert value(second) == pytest.approx(0.7)


def test_one_bad_picture_costs_one_error(image: ImageRef, tmp_path: Path) -> None:
    (tmp_path / "broken.jpg").write_bytes(b"\xff\xd8 no picture")
    broken = ImageRef("broken.jpg", tmp_path / "broken.jpg")
    samples = [sample(broken, "a"), sample(image, "b"), sample(ImageRef("gone.jpg"), "c")]
    first, second, third = Fleur(FakeVlm()).score(samples)
    assert isinstance(first, EvaluationError) and first.kind == "bad_image" and "broken.jpg" in first.message
    assert value(second) == 0.5
    assert isinstance(third, EvaluationError) and third.kind == "missing_image"


@pytest.mark.parametrize("text", ["a </s> b", "an <image> here"])
def test_a_caption_with_the_models_own_marks_is_an_error(image: ImageRef, text: str) -> None:
    first, second = Fleur(FakeVlm()).score([sample(image, text), sample(image, "plain")])
    assert isinstance(first, EvaluationError) and first.kind == "control_text"
    assert isinstance(second, Score)
