"""How common n-grams are in the references of a data set.

Vedantam, Zitnick and Parikh, "CIDEr: Consensus-based Image Description Evaluation", CVPR 2015,
https://arxiv.org/abs/1411.5726, section 3, weighs n-grams by their inverse document frequency.
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
    """The references of a data set, as counts of n-grams.

    Two data sets with equal name, number of pairs and fingerprint are equal.
    """

    dataset: str
    pairs: int  # image-caption pairs with references
    fingerprint: str  # 12 hex digits; the order of pairs has no effect
    holding: Mapping[NGram, int] = field(compare=False, repr=False)  # in how many pairs a reference holds an n-gram

    def idf(self, gram: NGram) -> float:
        """Return log(pairs / pairs that hold the n-gram), at least 0; unknown n-grams count as held by one pair."""
        return log(self.pairs) - log(self.holding.get(gram, 1))

    @property
    def varies(self) -> bool:
        """Whether an n-gram says anything about a picture: not if all pairs have the same n-grams."""
        return any(count != self.pairs for count in self.holding.values())

    @property
    def name(self) -> str:
        """The corpus in a signature."""
        return f"{self.dataset}, {self.pairs} pairs, {self.fingerprint}"


def corpus_of(dataset: str, sets: Iterable[tuple[Sequence[str], int]]) -> Corpus:
    """Return the corpus of a data set.

    sets: the references of a picture, with the number of pairs that have exactly these references.
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
