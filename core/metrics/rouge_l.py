"""ROUGE-L: how many words of a caption are in a reference in the same order.

Lin, "ROUGE: A Package for Automatic Evaluation of Summaries", 2004, https://aclanthology.org/W04-1013, section 3.1.
Beta and the use of several references are as in the COCO evaluation (Chen et al., 2015). The largest precision and the
largest recall may come from different references.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from core.captions.ngrams import sequence_match, tokens
from core.metrics.classic import Classic
from core.types import Explanation, Sample

BETA = 1.2  # weight of recall in the F measure


def rouge_l(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> tuple[float, float, float]:
    """Return ROUGE-L of a caption's tokens, the best precision and the best recall, each in [0, 1].

    references: the tokens of each reference, at least one. Precision and recall are the shares of the caption's words
    and of a reference's words in the longest common subsequence.
    """
    common = [common_length(candidate, reference) for reference in references]
    precision = max(common) / max(1, len(candidate))
    recall = max(length / max(1, len(reference)) for length, reference in zip(common, references, strict=True))
    return f_measure(precision, recall), precision, recall


def common_length(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the length of the longest common subsequence.

    This is the largest number of words that a and b have in the same order, with gaps.
    """
    last = (1 << len(b)) - 1
    for row in _rows(a, b):
        last = row
    return len(b) - last.bit_count()


def common_pairs(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Return the indices in a and b of each word of a longest common subsequence, in order."""
    rows, found = list(_rows(a, b)), []
    i, j = len(a) - 1, len(b) - 1
    while i >= 0 and j >= 0:
        if a[i] == b[j]:
            found.append((i, j))
            i, j = i - 1, j - 1
        elif rows[i] >> j & 1:  # the longest common subsequence does not need the word b[j]
            j -= 1
        else:
            i -= 1
    return found[::-1]


def _rows(a: Sequence[str], b: Sequence[str]) -> Iterator[int]:
    """Yield one whole number after each word of a.

    Each bit of the number represents one word of b. The bit is 1 if this word does not extend the longest common
    subsequence. So a text of n words takes n steps, not n times n: Hyyrö, "Bit-Parallel LCS-length Computation
    Revisited", 2004.
    """
    places: dict[str, int] = {}
    for place, word in enumerate(b):
        places[word] = places.get(word, 0) | 1 << place
    every = (1 << len(b)) - 1
    free = every
    for word in a:
        if matching := free & places.get(word, 0):
            free = (free + matching | free - matching) & every
        yield free


def f_measure(precision: float, recall: float) -> float:
    """Return the F measure with weight BETA, in [0, 1]; 0 if precision or recall is 0."""
    if precision == 0 or recall == 0:
        return 0.0
    return (1 + BETA**2) * precision * recall / (recall + BETA**2 * precision)


class RougeL(Classic):
    """ROUGE-L with several references."""

    name: ClassVar[str] = "ROUGE-L"
    paper: ClassVar[str] = "https://aclanthology.org/W04-1013"
    meanings: ClassVar[Mapping[str, str]] = {
        "lcs_precision": (
            "Share of the caption's words that occur in a reference in the same order. If there are several "
            "references, the value is the largest share."
        ),
        "lcs_recall": (
            "Share of a reference's words that occur in the caption in the same order. If there are several "
            "references, the value is the largest share."
        ),
    }

    def signed(self) -> Mapping[str, str | float]:
        """Return the settings that are part of the signature: tokens and beta."""
        return {"tokens": "ptb", "beta": BETA}

    def value_of(self, sample: Sample) -> tuple[float, Mapping[str, float]]:
        """Return ROUGE-L, with precision and recall."""
        score, precision, recall = rouge_l(tokens(sample.candidate), [tokens(text) for text in sample.references])
        return score, {"lcs_precision": precision, "lcs_recall": recall}

    def matches(self, sample: Sample) -> Explanation:
        """Return the words that caption and reference have in the same order.

        The words are compared with the reference that has the best precision. If another reference has the best recall,
        the caption is compared with this reference too. In this case, the words of both comparisons are returned.
        """
        words, references = tokens(sample.candidate), [tokens(text) for text in sample.references]
        common = [common_length(words, reference) for reference in references]
        shares = [length / max(1, len(reference)) for length, reference in zip(common, references, strict=True)]
        best = dict.fromkeys((common.index(max(common)), shares.index(max(shares))))
        pairs = {number: common_pairs(words, references[number]) for number in best if common[number]}
        return Explanation(
            matches=tuple(
                sequence_match(sample.candidate, sample.references[number], number, found)
                for number, found in pairs.items()
            )
        )
