"""ROUGE-L: how many words of a caption stand in a reference in the same order.

Lin, "ROUGE: A Package for Automatic Evaluation of Summaries", 2004, https://aclanthology.org/W04-1013, section 3.1.
Beta and several references as in the COCO evaluation (Chen et al., 2015): the largest precision and the largest recall
may come from different references.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from core.captions.tokens import tokens
from core.datasets.benchmark import Published
from core.models import Checkpoint, ModelSettings, check_options
from core.signature import signature
from core.types import Outcome, Sample, Score

BETA = 1.2  # weight of recall in the F measure


@dataclass(frozen=True, slots=True)
class Overlap:
    """ROUGE-L of one caption, and its parts; each in [0, 1]."""

    value: float
    precision: float  # largest share of the caption's words in the common subsequence with one reference
    recall: float  # largest share of a reference's words in it


def rouge_l(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> Overlap:
    """Return ROUGE-L of a caption's tokens; references: the tokens of each reference, at least one."""
    common = [common_length(candidate, reference) for reference in references]
    precision = max(common) / max(1, len(candidate))
    recall = max(length / max(1, len(reference)) for length, reference in zip(common, references, strict=True))
    return Overlap(f_measure(precision, recall), precision, recall)


def common_length(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the length of the longest common subsequence: words that a and b hold in the same order, with gaps.

    The bits of one whole number stand for the words of b. So a text of n words takes n steps, not n times n: Hyyrö,
    "Bit-Parallel LCS-length Computation Revisited", 2004.
    """
    places: dict[str, int] = {}
    for place, word in enumerate(b):
        places[word] = places.get(word, 0) | 1 << place
    every = (1 << len(b)) - 1
    free = every  # the bit of a word of b is 0 if a longer common subsequence ends there
    for word in a:
        if matching := free & places.get(word, 0):
            free = (free + matching | free - matching) & every
    return len(b) - free.bit_count()


def f_measure(precision: float, recall: float) -> float:
    """Return the F measure with weight BETA, in [0, 1]; 0 if precision or recall is 0."""
    if precision == 0 or recall == 0:
        return 0.0
    return (1 + BETA**2) * precision * recall / (recall + BETA**2 * precision)


class RougeL:
    """ROUGE-L with several references."""

    name: ClassVar[str] = "ROUGE-L"
    paper: ClassVar[str] = "https://aclanthology.org/W04-1013"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    needs_image: ClassVar[bool] = False
    requires_references: ClassVar[bool] = True
    shows_regions: ClassVar[bool] = False
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = ()
    meanings: ClassVar[Mapping[str, str]] = {
        "lcs_precision": "Largest share of the caption's words that a reference holds in the same order.",
        "lcs_recall": "Largest share of a reference's words that the caption holds in the same order.",
    }
    published: ClassVar[tuple[Published, ...]] = ()

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Return the metric. Raises BadSetting for options, because it has none."""
        check_options(settings.options, ())
        return cls()

    def signature(self) -> str:
        """Return ``ROUGE-L|beta:1.2|tokens:ptb|capscope:0.2.0``."""
        return signature(self.name, tokens="ptb", beta=BETA)

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome per sample, in order, lazily."""
        for sample in samples:
            found = rouge_l(tokens(sample.candidate), [tokens(text) for text in sample.references])
            parts = {"lcs_precision": found.precision, "lcs_recall": found.recall}
            yield Score(self.name, found.value, self.signature(), self.scale, parts)
