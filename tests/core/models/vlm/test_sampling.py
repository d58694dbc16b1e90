"""Scores as the mean of sampled answers of a served model, which gives no probabilities."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from fastapi.responses import JSONResponse
from PIL import Image

from core.errors import BadSetting, NoScore
from core.metrics.fleur import Fleur
from core.metrics.general_judge import GeneralJudge
from core.metrics.vlm_judge import written_score
from core.models import Endpoint, ModelSettings
from core.models.vlm.sampling import Sampling, sampling_of
from core.score_reading.sampled import mean_of_answers
from core.types import EvaluationError, ImageRef, Sample, Score
from tests.served_llava import ServedLlava, serving

SAMPLED = {"samples": "3", "temperature": "1"}


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    Image.new("RGB", (8, 6), "red").save(tmp_path / "dog.png")
    return Sample("dog", ImageRef("dog.png", tmp_path / "dog.png"), "A dog.")


@pytest.fixture
def server() -> ServedLlava:
    """A server whose answers are those of `texts`, in turn."""
    return ServedLlava(None)


@pytest.fixture
def url(server: ServedLlava) -> Iterator[str]:
    with serving(server.app()) as address:
        yield address


def answers(server: ServedLlava, *texts: str) -> None:
    """Let the server answer with the texts in turn, after the test question, without probabilities."""
    numbers = count(-1)

    def answer(body: Any) -> JSONResponse:
        number = next(numbers)
        text = "0.5" if number < 0 else texts[number % len(texts)]
        usage = {"prompt_tokens": 100, "completion_tokens": 4, "total_tokens": 104}
        message = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        return JSONResponse({"model": "llava", "choices": [message], "usage": usage})

    server.instead = answer


def judged(url: str, sample: Sample, metric: Any = Fleur, **options: str) -> Any:
    wanted = ModelSettings(endpoint=Endpoint(url), options={"template": "chat", **SAMPLED, **options})
    loaded = metric.load(wanted)
    (outcome,) = loaded.score([sample])
    return outcome


def test_a_score_is_the_mean_of_the_sampled_answers_and_costs_the_tokens_of_all(
    server: ServedLlava, url: str, sample: Sample
) -> None:
    answers(server, "0.8", "Score: 0.7", "0.9")
    outcome = judged(url, sample)
    assert isinstance(outcome, Score) and outcome.value == pytest.approx(0.8)
    assert sorted(outcome.components["sampled"]) == [0.7, 0.8, 0.9]
    assert outcome.components["sampled_sd"] == pytest.approx(0.1)
    assert outcome.usage is not None and (outcome.usage.answers, outcome.usage.total) == (3, 312)
    assert {"samples:3", "temperature:1", "digits:sampled"} <= set(outcome.signature.split("|"))
    bodies = server.asked[1:]
    assert [body["temperature"] for body in bodies] == [1.0] * 3 and not any("logprobs" in body for body in bodies)


def test_answers_without_a_score_are_counted_and_left_out(server: ServedLlava, url: str, sample: Sample) -> None:
    answers(server, "0.8", "I cannot say.", "0.6")
    outcome = judged(url, sample)
    assert outcome.value == pytest.approx(0.7) and outcome.components["unread"] == 1.0


def test_no_answer_with_a_score_is_an_error(server: ServedLlava, url: str, sample: Sample) -> None:
    answers(server, "Nice picture.")
    outcome = judged(url, sample)
    assert isinstance(outcome, EvaluationError) and outcome.kind == "no_score" and outcome.usage is not None


def test_a_general_judge_is_sampled_too(server: ServedLlava, url: str, sample: Sample) -> None:
    answers(server, "8", "6", "10")
    outcome = judged(url, sample, GeneralJudge)
    assert outcome.value == pytest.approx(0.8) and sorted(outcome.components["sampled"]) == [0.6, 0.8, 1.0]


@pytest.mark.parametrize(
    "options",
    [{"samples": "3"}, {"temperature": "1"}, {"samples": "1", "temperature": "1"}, {"samples": "3", "temperature": "0"},
     {"samples": "many", "temperature": "1"}, {"samples": "101", "temperature": "1"},
     {"samples": "3", "temperature": "nan"}],
)  # fmt: skip
def test_half_an_option_or_one_out_of_range_is_refused(options: dict[str, str]) -> None:
    with pytest.raises(BadSetting):
        sampling_of(options)


def test_sampling_is_asked_for_by_two_options() -> None:
    assert sampling_of(SAMPLED) == Sampling(3, 1.0) and sampling_of({}) is None


def test_only_a_server_samples() -> None:
    with pytest.raises(BadSetting, match="model server"):
        Fleur.load(ModelSettings(options=SAMPLED))


def test_written_scores_are_read_as_a_single_answer_is() -> None:
    assert [written_score(text) for text in ("0.85", "1.0", "0", "Score: .5")] == [0.85, 1.0, 0.0, 0.5]
    assert isinstance(written_score("7"), NoScore) and isinstance(written_score(""), NoScore)
    found = mean_of_answers(["0.5"], written_score)
    assert not isinstance(found, NoScore) and found.components == {"raw": 0.5, "sampled": (0.5,)}
