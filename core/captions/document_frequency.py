"""Frequency of n-grams (sequences of n words) in the references of a data set.

CIDEr weighs n-grams by their inverse document frequency: Vedantam, Zitnick and Parikh, "CIDEr: Consensus-based Image
Description Evaluation", CVPR 2015, https://arxiv.org/abs/1411.5726, section 3.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import log

from core.captions.tokens import NGram, ngrams, tokens

LONGEST = 4  # n of the longest n-grams


@dataclass(frozen=True, slots=True)
class Corpus:
    """Counts of the n-grams in a data set's references.

    Two corpora are equal if their names, numbers of pairs and fingerprints are equal.
    """

    dataset: str
    pairs: int  # number of image-caption pairs that have references
    fingerprint: str  # 12 hex digits, which do not depend on the order of the pairs
    holding: Mapping[NGram, int] = field(compare=False, repr=False)  # key: n-gram; value: number of pairs containing it

    def idf(self, gram: NGram) -> float:
        """Return the n-gram's inverse document frequency: log(number of pairs / number of pairs with the n-gram).

        The result is at least 0. An unknown n-gram counts as if one pair had it.
        """
        return log(self.pairs) - log(self.holding.get(gram, 1))

    @property
    def varies(self) -> bool:
        """Whether n-grams differ between the pairs of a caption and its picture.

        N-grams that all pairs have in common carry no information.
        """
        return any(count != self.pairs for count in self.holding.values())

    @property
    def name(self) -> str:
        """The corpus's name, size and fingerprint, for a signature."""
        return f"{self.dataset}, {self.pairs} pairs, {self.fingerprint}"


def corpus_of(dataset: str, sets: Iterable[tuple[Sequence[str], int]]) -> Corpus:
    """Return the n-gram counts of a data set's references.

    sets: lists of references, each with the number of pairs that have exactly these references. A pair is a caption
    with its picture.
    """
    holding: Counter[NGram] = Counter()
    pairs = total = 0
    for references, count in sets:
        if not references:
            continue
        words = [tokens(text) for text in references]
        found = {gram for each in words for n in range(1, LONGEST + 1) for gram in ngrams(each, n)}
        for gram in found:
            holding[gram] += count
        pairs += count
        total += count * int.from_bytes(sha256("\0".join(references).encode()).digest())
    return Corpus(dataset, pairs, sha256(str(total).encode()).hexdigest()[:12], holding)
