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


def sample(image: ImageRef, caption: str, references: tuple[str, ...] = ("r",)) -> Sample:
    return Sample(caption, image, caption, references)


def test_a_metric_is_loaded_at_its_first_use_and_again_for_other_settings_only(evaluator: Evaluator) -> None:
    assert Counting.loads == []
    for options in ({}, {}, {"a": "b"}):
        evaluator.signature("counting", ModelSettings(options=options))
    assert Counting.loads == [ModelSettings(), ModelSettings(options={"a": "b"})]


def test_outcomes_come_one_by_one_in_order_and_a_sample_that_cannot_be_scored_costs_one_error(
    evaluator: Evaluator, tmp_path: Path
) -> None:
    (tmp_path / "a.png").write_bytes(b"any")
    image = ImageRef("a.png", tmp_path / "a.png")
    samples = [
        sample(image, "a"),
        sample(ImageRef("gone.png"), "b"),
        sample(image, "c", ()),
        sample(ImageRef("moved.png", tmp_path / "moved.png"), "d"),
        sample(image, "eeeee"),
    ]
    outcomes = evaluator.evaluate("Counting", samples, ModelSettings(batch_size=1))
    assert Counting.asked == []
    found = [next(outcomes)]
    assert Counting.asked == ["a"]
    found += outcomes
    kinds = [outcome.kind if isinstance(outcome, EvaluationError) else outcome.value for outcome in found]
    assert kinds == [1.0, "missing_image", "missing_references", "missing_image", 5.0]
    assert {outcome.signature for outcome in found} == {"Counting|capscope:test"}
