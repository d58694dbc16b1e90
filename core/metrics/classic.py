"""Common base of BLEU, ROUGE-L and CIDEr.

These metrics compare a caption only with its references.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Self

from core.metrics.base import Metric
from core.models import ModelSettings, check_options
from core.signature import signature
from core.types import Explanation, Outcome, Sample, Score

_UNEXPLAINED = Explanation()  # one empty explanation, which all scores share


class Classic(Metric):
    """Base of metrics that need neither pictures nor model weights, and have no options.

    A subclass adds its name, paper and the meanings of its components, and the three methods below.
    """

    needs_image: ClassVar[bool] = False
    requires_references: ClassVar[bool] = True
    shows_matches: ClassVar[bool] = True

    def __init__(self, settings: ModelSettings) -> None:
        """Keep the data set's corpus, and whether scores must be explained.

        Raises BadSetting if an option is set, because the metric has none.
        """
        check_options(settings.options, ())
        self.corpus, self._explains = settings.corpus, settings.explain

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Return the metric. Raises BadSetting if an option is set, because the metric has none."""
        return cls(settings)

    def signature(self) -> str:
        """Return e.g. ``BLEU-4|length:closest|smoothing:coco|tokens:ptb|capscope:0.2.0``."""
        return signature(self.name, **self.signed())

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome per sample, in order, lazily."""
        signed = self.signature()
        for sample in samples:
            value, parts = self.value_of(sample)
            explanation = self.matches(sample) if self._explains else _UNEXPLAINED
            yield Score(self.name, value, signed, self.scale, parts, explanation)

    def signed(self) -> Mapping[str, str | float]:
        """Return the settings that follow the metric's name in the signature."""
        raise NotImplementedError

    def value_of(self, sample: Sample) -> tuple[float, Mapping[str, float]]:
        """Return the score and its components."""
        raise NotImplementedError

    def matches(self, sample: Sample) -> Explanation:
        """Return the words that explain the score.

        Each match is one sequence of words, with its places in the caption and in references.
        """
        raise NotImplementedError
