from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar, Self

import pytest

from core.metrics import Metric
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.types import EvaluationError, ImageRef, Outcome, Sample, Score


class Counting(Metric):
    """Scores by the length of the caption, and counts how often it was loaded and asked."""

    name = "Counting"
    scale = (0.0, 100.0)
    requires_references = True
    loads: ClassVar[list[ModelSettings]] = []
    asked: ClassVar[list[str]] = []

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        cls.loads.append(settings)
        return cls()

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        for sample in samples:
            self.asked.append(sample.key)
            yield Score(self.name, float(len(sample.candidate)), self.signature(), self.scale)

    def signature(self) -> str:
        return "Counting|capscope:test"


@pytest.fixture
def evaluator() -> Evaluator:
    Counting.loads.clear()
    Counting.asked.clear()
    return Evaluator((Counting,))


@pytest.fixture
def image(tmp_path: Path) -> ImageRef:
    (tmp_path / "a.png").write_bytes(b"any")
    return ImageRef("a.png", tmp_path / "a.png")


def sample(image: ImageRef, caption: str, references: tuple[str, ...] = ("r",)) -> Sample:
    return Sample(caption, image, caption, references)


def test_a_metric_is_loaded_on_first_use_and_kept(evaluator: Evaluator, image: ImageRef) -> None:
    assert Counting.loads == []
    for _ in range(2):
        evaluator.evaluate_one("counting", sample(image, "abc"), ModelSettings())
    assert Counting.loads == [ModelSettings()]


def test_other_settings_load_it_anew(evaluator: Evaluator) -> None:
    evaluator.signature("Counting", ModelSettings())
    evaluator.signature("Counting", ModelSettings(options={"a": "b"}))
    assert len(Counting.loads) == 2


def test_outcomes_come_one_by_one_and_in_order(evaluator: Evaluator, image: ImageRef) -> None:
    samples = [sample(image, "a"), sample(image, "bb")]
    outcomes = evaluator.evaluate("Counting", samples, ModelSettings(batch_size=1))
    assert Counting.asked == []
    first = next(outcomes)
    assert isinstance(first, Score) and first.value == 1.0 and Counting.asked == ["a"]
    second = next(outcomes)
    assert isinstance(second, Score) and second.value == 2.0


def test_a_sample_that_cannot_be_judged_costs_one_error(evaluator: Evaluator, image: ImageRef, tmp_path: Path) -> None:
    samples = [
        sample(image, "a"),
        sample(ImageRef("gone.png"), "b"),
        sample(image, "c", ()),
        sample(ImageRef("moved.png", tmp_path / "moved.png"), "d"),
        sample(image, "eeeee"),
    ]
    outcomes = list(evaluator.evaluate("Counting", samples, ModelSettings()))
    kinds = [outcome.kind if isinstance(outcome, EvaluationError) else outcome.value for outcome in outcomes]
    assert kinds == [1.0, "missing_image", "missing_references", "missing_image", 5.0]
    assert {outcome.signature for outcome in outcomes} == {"Counting|capscope:test"}
