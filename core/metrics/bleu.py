"""BLEU-1 to BLEU-4: the share of a caption's n-grams that its references hold.

Papineni, Roukos, Ward and Zhu, "BLEU: a Method for Automatic Evaluation of Machine Translation", ACL 2002,
https://aclanthology.org/P02-1040, section 2.

The paper scores a whole corpus. Here each caption has a score of its own, as in the COCO evaluation (Chen et al. 2015).
Two small numbers keep a precision of 0 from making the whole score 0: BLEU-4 of short captions is tiny, but not 0.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, prod
from typing import ClassVar, Self

from core.captions.tokens import NGram, ngrams, tokens
from core.datasets.benchmark import Published
from core.models import Checkpoint, ModelSettings, check_options
from core.signature import signature
from core.types import Outcome, Sample, Score

TINY, SMALL = 1e-15, 1e-9  # added above and below each fraction
LONGEST = 4  # n of the longest n-grams


@dataclass(frozen=True, slots=True)
class Parts:
    """BLEU of one caption, and its parts."""

    value: float  # [0, 1]
    precisions: tuple[float, ...]  # modified n-gram precision for n = 1, 2 ..., [0, 1] (section 2.1)
    brevity_penalty: float  # [0, 1] (section 2.2)


def bleu(candidate: Sequence[str], references: Sequence[tuple[str, ...]], longest: int = LONGEST) -> Parts:
    """Return BLEU of a caption's tokens, with n-grams of 1 to `longest` tokens.

    references: the tokens of each reference, at least one.
    """
    most = most_in_one_reference(tuple(references))
    matched = [matched_ngrams(candidate, most, n) for n in range(1, longest + 1)]
    total = [max(0, len(candidate) - n + 1) for n in range(1, longest + 1)]
    precisions = [(count + TINY) / (of + SMALL) for count, of in zip(matched, total, strict=True)]
    penalty = brevity_penalty(len(candidate), closest_length(len(candidate), [len(one) for one in references]))
    return Parts(penalty * prod(precisions) ** (1 / longest), tuple(precisions), penalty)


@lru_cache(1_024)
def most_in_one_reference(references: tuple[tuple[str, ...], ...]) -> Mapping[NGram, int]:
    """Return for each n-gram how often the reference with most of it holds it (Max_Ref_Count, section 2.1)."""
    most: Counter[NGram] = Counter()
    for words in references:
        most |= Counter(gram for n in range(1, LONGEST + 1) for gram in ngrams(words, n))
    return most


def matched_ngrams(candidate: Sequence[str], most: Mapping[NGram, int], n: int) -> int:
    """Return how many n-grams match; each counts at most as often as in one reference (Count_clip)."""
    return sum(min(count, most.get(gram, 0)) for gram, count in Counter(ngrams(candidate, n)).items())


def closest_length(length: int, lengths: Sequence[int]) -> int:
    """Return the reference length closest to the caption's, of two equally close ones the shorter."""
    return min(lengths, key=lambda other: (abs(other - length), other))


def brevity_penalty(length: int, reference_length: int) -> float:
    """Return exp(1 - r / c) for a caption shorter than its reference, otherwise 1."""
    ratio = (length + TINY) / (reference_length + SMALL)
    return exp(1 - 1 / ratio) if ratio < 1 else 1.0


class Bleu4:
    """BLEU-4: n-grams of one to four words."""

    name: ClassVar[str] = "BLEU-4"
    longest: ClassVar[int] = 4
    paper: ClassVar[str] = "https://aclanthology.org/P02-1040"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    needs_image: ClassVar[bool] = False
    requires_references: ClassVar[bool] = True
    shows_regions: ClassVar[bool] = False
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = ()
    meanings: ClassVar[Mapping[str, str]] = {
        "precision_1": "Share of the caption's words that a reference has.",
        "precision_2": "Share of the caption's pairs of neighbouring words that a reference has.",
        "precision_3": "Share of the caption's runs of three words that a reference has.",
        "precision_4": "Share of the caption's runs of four words that a reference has.",
        "brevity_penalty": "1 unless the caption is shorter than the reference of closest length; then less.",
    }
    published: ClassVar[tuple[Published, ...]] = ()

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Return the metric. Raises BadSetting for options, because it has none."""
        check_options(settings.options, ())
        return cls()

    def signature(self) -> str:
        """Return e.g. ``BLEU-4|length:closest|smoothing:coco|tokens:ptb|capscope:0.2.0``."""
        return signature(self.name, tokens="ptb", length="closest", smoothing="coco")

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome per sample, in order, lazily."""
        for sample in samples:
            found = bleu(tokens(sample.candidate), [tokens(text) for text in sample.references], self.longest)
            parts = {f"precision_{n}": min(1.0, part) for n, part in enumerate(found.precisions, 1)}
            parts["brevity_penalty"] = found.brevity_penalty
            yield Score(self.name, found.value, self.signature(), self.scale, parts)


class Bleu3(Bleu4):
    """BLEU-3: n-grams of one to three words."""

    name: ClassVar[str] = "BLEU-3"
    longest: ClassVar[int] = 3


class Bleu2(Bleu4):
    """BLEU-2: single words and pairs of words."""

    name: ClassVar[str] = "BLEU-2"
    longest: ClassVar[int] = 2


class Bleu1(Bleu4):
    """BLEU-1: single words."""

    name: ClassVar[str] = "BLEU-1"
    longest: ClassVar[int] = 1
