"""BLEU-1 to BLEU-4: the share of a caption's n-grams that are in its references.

Papineni, Roukos, Ward and Zhu, "BLEU: a Method for Automatic Evaluation of Machine Translation", ACL 2002,
https://aclanthology.org/P02-1040, section 2.

The paper scores a whole corpus. Here each caption has its own score, as in the COCO evaluation (Chen et al. 2015). If
no n-gram of one length matches, the precision for this length would be 0, and so would the whole score. To prevent
this, a small number is added to the numerator of each precision, and another one to the denominator. So BLEU-4 of short
captions is tiny, but not 0.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import exp, prod
from typing import ClassVar

import numpy as np

from core.arrays import Floats
from core.captions.ngrams import LONGEST, NGram, explained_by, ngrams, shared_ngrams, tokens
from core.metrics.classic import Classic
from core.types import Explanation, Sample

TINY, SMALL = 1e-15, 1e-9  # against division by 0 and precision 0: TINY is added to numerators, SMALL to denominators


def bleu(
    candidate: Sequence[str], references: Sequence[tuple[str, ...]], longest: int = LONGEST
) -> tuple[float, Mapping[str, float]]:
    """Return BLEU of a caption's tokens, with n-grams of 1 to `longest` tokens, and its components (Bleu4.meanings).

    references: the tokens of each reference, at least one.
    """
    most = most_in_one_reference(tuple(references))
    matched = [matched_ngrams(candidate, most, n) for n in range(1, longest + 1)]
    total = [max(0, len(candidate) - n + 1) for n in range(1, longest + 1)]
    precisions = [(count + TINY) / (of + SMALL) for count, of in zip(matched, total, strict=True)]
    closest = closest_length(len(candidate), [len(one) for one in references])
    penalty = brevity_penalty(len(candidate), closest)
    parts = {f"precision_{n}": min(1.0, part) for n, part in enumerate(precisions, 1)}
    parts |= {"brevity_penalty": penalty, "length": float(len(candidate)), "reference_length": float(closest)}
    return penalty * prod(precisions) ** (1 / longest), parts


@lru_cache(1_024)
def most_in_one_reference(references: tuple[tuple[str, ...], ...]) -> Mapping[NGram, int]:
    """Return for each n-gram its largest count in any one reference (Max_Ref_Count, section 2.1)."""
    most: Counter[NGram] = Counter()
    for words in references:
        most |= Counter(gram for n in range(1, LONGEST + 1) for gram in ngrams(words, n))
    return most


def matched_ngrams(candidate: Sequence[str], most: Mapping[NGram, int], n: int) -> int:
    """Return how many of the candidate's n-grams of n words match.

    most: for each n-gram, its largest count in any one reference. An n-gram counts at most that often (Count_clip).
    """
    return sum(min(count, most.get(gram, 0)) for gram, count in Counter(ngrams(candidate, n)).items())


def closest_length(length: int, lengths: Sequence[int]) -> int:
    """Return the reference length closest to the caption's length; if two are equally close, the shorter."""
    return min(lengths, key=lambda other: (abs(other - length), other))


def brevity_penalty(length: int, reference_length: int) -> float:
    """Return exp(1 - r / c) for a caption shorter than its reference, otherwise 1 (section 2.2.2).

    c: length of the caption, r: length of the reference.
    """
    ratio = (length + TINY) / (reference_length + SMALL)
    return exp(1 - 1 / ratio) if ratio < 1 else 1.0


class Bleu4(Classic):
    """BLEU-4: n-grams of one to four words."""

    name: ClassVar[str] = "BLEU-4"
    longest: ClassVar[int] = 4
    paper: ClassVar[str] = "https://aclanthology.org/P02-1040"
    meanings: ClassVar[Mapping[str, str]] = {
        "precision_1": "Share of the caption's words that occur in a reference.",
        "precision_2": "Share of the caption's word pairs that occur in a reference.",
        "precision_3": "Share of the caption's sequences of three words that occur in a reference.",
        "precision_4": "Share of the caption's sequences of four words that occur in a reference.",
        "brevity_penalty": "Less than 1 if the caption is shorter than the reference of closest length; otherwise 1.",
        "length": "Number of words in the caption.",
        "reference_length": "Number of words in the reference of closest length.",
    }

    def signed(self) -> Mapping[str, str | float]:
        """Return the settings that the signature of the scores states.

        They are the settings of the COCO evaluation.
        """
        return {"tokens": "ptb", "length": "closest", "smoothing": "coco"}

    def value_of(self, sample: Sample) -> tuple[float, Mapping[str, float]]:
        """Return BLEU. Its components are precisions, brevity penalty, and the lengths of caption and reference."""
        return bleu(tokens(sample.candidate), [tokens(text) for text in sample.references], self.longest)

    @classmethod
    def corpus_value(cls, parts: Mapping[str, Floats]) -> float:
        """Return the corpus-level BLEU of many captions, as COCO's program computes it for a captioner.

        parts: each caption's components, (captions,). Counts and lengths are summed over captions before the precisions
        and the brevity penalty are computed.
        """
        length, value = parts["length"], 1.0
        for n in range(1, cls.longest + 1):
            total = np.maximum(0, length - n + 1)
            matched = np.rint(parts[f"precision_{n}"] * total)
            value *= (float(matched.sum()) + TINY) / (float(total.sum()) + SMALL)
        penalty = brevity_penalty(int(length.sum()), int(parts["reference_length"].sum()))
        return float(penalty * value ** (1 / cls.longest))

    def matches(self, sample: Sample) -> Explanation:
        """Return the matched n-grams: first single words, then pairs of words, and so on.

        N-grams of the same length are in the order of the caption.
        """
        words, most = tokens(sample.candidate), most_in_one_reference(tuple(map(tokens, sample.references)))
        groups = []
        for n in range(1, self.longest + 1):
            count = Counter(ngrams(words, n))
            shared = shared_ngrams(sample.candidate, sample.references, n)
            grams = [(one, tuple(one.text.split(" "))) for one in shared]
            groups.append([replace(one, counted=min(count[gram], most[gram])) for one, gram in grams])
        return explained_by(*groups)


class Bleu3(Bleu4):
    """BLEU-3: n-grams of one to three words."""

    name, longest = "BLEU-3", 3


class Bleu2(Bleu4):
    """BLEU-2: single words and pairs of words."""

    name, longest = "BLEU-2", 2


class Bleu1(Bleu4):
    """BLEU-1: single words."""

    name, longest = "BLEU-1", 1
