"""Metrics of other packages with every fault: each costs an outcome with words, and never the run."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import pytest

from core.errors import BadImage, Cancelled, ModelUnavailable
from core.metrics import Metric
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.types import EvaluationError, Explanation, ImageRef, Outcome, Sample, Score

PLAIN = "Faulty|capscope:test"


class Faulty(Metric):
    """Answers as its test says, one sample after the other."""

    name = "Faulty"
    needs_image = False
    answer: ClassVar[Callable[[Sample], Iterator[Any]]]

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        return cls()

    def signature(self) -> str:
        return PLAIN

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        for sample in samples:
            yield from type(self).answer(sample)


def judged(
    answer: Callable[[Sample], Iterator[Any]], captions: str = "a b c d e", batch_size: int = 3
) -> list[Outcome]:
    class Answering(Faulty):
        pass

    Answering.answer = staticmethod(answer)  # type: ignore[assignment]
    samples = [Sample(caption, ImageRef(""), caption) for caption in captions.split()]
    return list(Evaluator((Answering,)).evaluate("Faulty", samples, ModelSettings(batch_size=batch_size)))


def good(sample: Sample) -> Score:
    """Score a caption by its place in the alphabet, so that a score shows whose it is."""
    return Score("Faulty", (ord(sample.candidate) - ord("a")) / 10, PLAIN)


def raising(problem: Exception) -> Callable[[Sample], Iterator[Any]]:
    """Return an answer that is good for all captions but c, where it fails."""

    def answer(sample: Sample) -> Iterator[Outcome]:
        if sample.candidate == "c":
            raise problem
        yield good(sample)

    return answer


def told(outcomes: Sequence[Outcome]) -> EvaluationError:
    """Return the error of c, having seen that the other captions have their own scores."""
    values = [outcome.value if isinstance(outcome, Score) else None for outcome in outcomes]
    assert values == [0.0, 0.1, None, 0.3, 0.4]
    assert isinstance(outcomes[2], EvaluationError) and outcomes[2].signature == PLAIN
    return outcomes[2]


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (Score("Faulty", math.nan, PLAIN), "failed", "Faulty returned nan instead of a score."),
        (Score("Faulty", 1.5, PLAIN), "failed", "Faulty returned 1.5, outside its scale 0 to 1."),
        (Score("Faulty", "0.5", PLAIN), "failed", "returned '0.5' instead"),  # type: ignore[arg-type]
        (Score("Faulty", 0.5, PLAIN, (1.0, 0.0)), "failed", "returned the scale (1.0, 0.0)"),
        (Score("Faulty", 0.5, PLAIN, components={"p": (0.5, math.inf)}), "failed", "components that are not numbers"),
        (Score("Faulty", 0.5, PLAIN, components=None), "failed", "AttributeError"),  # type: ignore[arg-type]
        (EvaluationError("Faulty", PLAIN, "other", "a\0b\ud800"), "other", "ab?"),
        (Score("Faulty", 0.5, "Faulty|run:2"), "failed", "changed its signature from 'Faulty|capscope:test' to"),
        (EvaluationError("Faulty", PLAIN, "too tired", "I sleep"), "other", "too tired: I sleep"),  # type: ignore[arg-type]
        (0.5, "failed", "Faulty returned 0.5, not a Score or EvaluationError"),
    ],
)
def test_a_faulty_answer_becomes_an_outcome_with_words(answer: Any, kind: str, words: str) -> None:
    error = told(judged(lambda sample: iter([answer if sample.candidate == "c" else good(sample)])))
    assert error.kind == kind and words in error.message


def test_an_exception_costs_its_own_sample_and_is_quoted_with_its_place() -> None:
    """Messages are stored and exported, so they must not show folders of this computer."""
    error = told(judged(raising(ZeroDivisionError("no words\nto divide by"))))
    assert error.kind == "failed" and str(Path(__file__).parent) not in error.message
    quoted = "failed on this caption: ZeroDivisionError: no words to divide by (test_outcome_checks.py, line "
    assert quoted in error.message


def test_a_bad_picture_keeps_its_kind() -> None:
    error = told(judged(raising(BadImage("c.png is no picture"))))
    assert (error.kind, error.message) == ("bad_image", "c.png is no picture")


@pytest.mark.parametrize("times", [0, 2])
def test_a_sample_with_no_outcome_or_two_does_not_give_the_next_ones_their_neighbours_scores(times: int) -> None:
    error = told(judged(lambda sample: iter([good(sample)] * (times if sample.candidate == "c" else 1))))
    assert error.message == "Faulty did not return exactly one result for this caption."


def test_numbers_of_numpy_are_kept_as_plain_numbers_and_texts_without_characters_that_cannot_be_stored() -> None:
    score = Score("Faulty", np.float32(0.5), PLAIN, components={"raw": np.float64(0.25), "p": [np.float32(1)]})  # type: ignore[dict-item]
    score = replace(score, explanation=Explanation({"overall": "a\0b"}))
    (outcome,) = judged(lambda sample: iter([score]), "a")
    wanted = {"value": 0.5, "components": {"raw": 0.25, "p": (1.0,)}, "explanation": Explanation({"overall": "ab"})}
    assert outcome == replace(score, **wanted)  # type: ignore[arg-type]
    assert isinstance(outcome, Score) and type(outcome.value) is float


def test_errors_that_end_a_run_on_purpose_still_end_it() -> None:
    with pytest.raises(Cancelled):
        judged(raising(Cancelled("stopped")))


def test_the_samples_of_a_batch_with_a_fault_are_asked_about_alone_and_the_others_together() -> None:
    asked: list[str] = []

    class Batched(Faulty):
        def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
            asked.append("".join(sample.candidate for sample in samples))
            if "c" in asked[-1]:
                raise RuntimeError("c")
            return iter([good(sample) for sample in samples])

    samples = [Sample(caption, ImageRef(""), caption) for caption in "abcdefghi"]
    outcomes = list(Evaluator((Batched,)).evaluate("Faulty", samples, ModelSettings(batch_size=4)))
    assert [isinstance(outcome, Score) for outcome in outcomes] == [place != 2 for place in range(9)]
    assert asked == ["abcd", "a", "b", "c", "d", "efgh", "i"]


def test_a_metric_that_cannot_be_loaded_or_signed_is_told_in_one_sentence() -> None:
    class Unloadable(Faulty):
        @classmethod
        def load(cls, settings: ModelSettings) -> Self:
            raise KeyError("head.weight")

    class Wordless(Faulty):
        def signature(self) -> str:
            return 7  # type: ignore[return-value]

    for kind, words in (
        (Unloadable, r"Faulty cannot be loaded: KeyError: 'head.weight' \(test_outcome_checks.py, line \d+\)"),
        (Wordless, "must return its signature as one line of text, found 7"),
    ):
        with pytest.raises(ModelUnavailable, match=words):
            Evaluator((kind,)).signature("Faulty", ModelSettings())
