import json
from pathlib import Path

import pytest

from core.metrics.asking import filled
from core.metrics.expert import EXPLANATION_PROMPT, SCORE_PROMPT, Expert, read_explanation
from core.models import ModelSettings
from core.types import ImageRef, Sample, Score
from tests.core.fakes import FakeVlm

ANSWER = "Fluency: Fluent.\nRelevance: It fits.\nDescriptiveness: Brief."
READ = {"fluency": "Fluent.", "relevance": "It fits.", "descriptiveness": "Brief."}


@pytest.fixture
def sample(image: ImageRef) -> Sample:
    return Sample("1", image, "A  dog.")


def test_both_turns_are_held(sample: Sample) -> None:
    vlm = FakeVlm(scores={"dog": "0.6"}, reasons={"dog": ANSWER})
    (outcome,) = Expert(vlm, ModelSettings(explain=True)).score([sample])
    assert isinstance(outcome, Score) and outcome.metric == "EXPERT"
    assert outcome.explanation.rationales == READ
    first, told, second = vlm.histories[0]
    assert first == SCORE and told == "0.60009765625"
    assert "Caption: A dog.\n" in second and "and be closely relevant" in second


def test_a_partial_explanation_is_kept_and_the_rest_marked_missing(sample: Sample) -> None:
    vlm = FakeVlm(reasons={"dog": "Relevance: It fits."})
    (outcome,) = Expert(vlm, ModelSettings(explain=True)).score([sample])
    assert isinstance(outcome, Score)
    assert outcome.explanation.rationales == {"relevance": "It fits."}
    assert outcome.components["missing_fluency"] == outcome.components["missing_descriptiveness"] == 1.0
    assert "missing_relevance" not in outcome.components


@pytest.mark.parametrize(
    "answer",
    [
        ANSWER,
        "- Fluency: Fluent.\n- Relevance: It fits.\n- Descriptiveness: Brief.",
        "**Fluency:** Fluent.\n\n**Relevance:** It fits.\n\n**Descriptiveness:** Brief.",
        "Descriptiveness: Brief.\nFluency: Fluent.\nRelevance: It fits.",
        "Sure, here it is:\n\n### Fluency:\nFluent.\n### Relevance:\nIt fits.\n### Descriptiveness:\nBrief.\n",
    ],
)
def test_an_explanation_is_read_in_many_forms(answer: str) -> None:
    assert read_explanation(answer) == READ


@pytest.mark.parametrize(
    ("answer", "texts"),
    [
        ("Fluency: only this", {"fluency": "only this"}),
        ("Fluency:\nRelevance: r", {"relevance": "r"}),
        ("Fluency: \nRelevance: r\nDescriptiveness: d", {"relevance": "r", "descriptiveness": "d"}),
        ("It is fine.", {"overall": "It is fine."}),
        (" ", {}),
    ],
)
def test_what_a_partial_answer_says_is_kept(answer: str, texts: dict[str, str]) -> None:
    assert read_explanation(answer) == texts


def test_a_criterion_named_in_a_sentence_is_no_heading() -> None:
    read = read_explanation("Fluency: its fluency: good\nRelevance: the relevance is high")
    assert read == {"fluency": "its fluency: good", "relevance": "the relevance is high"}


def test_golden_answers_are_read_as_the_published_code_reads_them(shared_dir: Path) -> None:
    cases = json.loads((shared_dir / "golden" / "fleur" / "fleur.json").read_text())["explanation_parse"]["cases"]
    for case in cases:
        if case["strict_reference"] is not None:
            assert read_explanation(case["text"]) == case["strict_reference"]


SCORE = "Evaluate the caption and assign a score on a scale of 0.0 to 1.0.\n\nCaption: A dog.\n\nScore (0.0~1.0):"
EXPLANATION = "Provide a brief explanation for the score based on three criteria: Fluency, Relevance, and Descriptiveness.\n\nCaption: A dog.\n\nEvaluation Criteria:\n- Fluency: Whether the caption is fluent, natural, and grammatically correct.\n- Relevance: Whether the sentence correctly describes the visual content and be closely relevant to the image.\n- Descriptiveness: Whether the sentence is a precise, informative caption that describes important details of the image.\n\nOutput Format:\nFluency: {Provide explanation here.}\nRelevance: {Provide explanation here.}\nDescriptiveness: {Provide explanation here.}"  # noqa: E501


def test_the_prompts_are_the_published_ones_and_braces_in_a_caption_stay_as_they_are() -> None:
    assert (filled(SCORE_PROMPT, "A dog."), filled(EXPLANATION_PROMPT, "A dog.")) == (SCORE, EXPLANATION)
    assert "Caption: a {caption} sign\n" in filled(EXPLANATION_PROMPT, "a {caption} sign")
