"""Metrics of three kinds that need no model: of the caption alone, with references, with regions."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Self

from core.long_work.progress import report
from core.metrics import Metric
from core.metrics.hice import HICE
from core.models import Checkpoint, ModelSettings
from core.regions import masks
from core.types import Explanation, Outcome, Phrase, Region, Sample, Score


class Lengths(Metric):
    """Scores by the length of the caption, and remembers with which settings it was loaded."""

    name: ClassVar[str] = "Lengths"
    scale: ClassVar[tuple[float, float]] = (0.0, 100.0)
    loaded: ClassVar[list[ModelSettings]] = []
    first: ClassVar[Callable[[], Any]] = staticmethod(lambda: None)  # what is done before a sample is judged

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        cls.loaded.append(settings)
        return cls()

    def signature(self) -> str:
        return f"{self.name}|capscope:test"

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        for sample in samples:
            report("Counting letters", 0, 1)
            self.first()
            yield Score(self.name, float(len(sample.candidate)), self.signature(), self.scale)


class Blind(Lengths):
    """Needs neither a picture nor weights."""

    name = "Blind"
    needs_image = False


class References(Lengths):
    """Needs references."""

    name = "References"
    requires_references = True


class Absent(Lengths):
    """Needs weights that are nowhere."""

    name = "Absent"
    checkpoints = (Checkpoint("encoder", "no-such-owner/no-such-model", "0" * 40, 1.5, "MIT"),)


class Regions(HICE):
    """Explains itself with one phrase and two regions: the left half and the whole picture."""

    loaded: ClassVar[list[ModelSettings]] = []

    def __init__(self) -> None:
        pass

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        cls.loaded.append(settings)
        return cls()

    def signature(self) -> str:
        return f"{self.name}|capscope:test"

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        for sample in samples:
            assert sample.image.height is not None and sample.image.width is not None
            size = (sample.image.height, sample.image.width)
            half = masks.from_counts([0, size[0] * (size[1] // 2), size[0] * (size[1] - size[1] // 2)], size)
            regions = (
                Region(half, size, "left", False, 2.0, 0, True),
                Region(masks.full(size), size, None, True, 1.0, None, True),
            )
            phrases = (Phrase(sample.candidate[:3], (0, 3), 2.0, 0, "correct"),)
            explanation = Explanation({}, phrases, regions, 1.5, "halves")
            yield Score(self.name, 1.25, self.signature(), (0.0, 2.5), {}, explanation)
