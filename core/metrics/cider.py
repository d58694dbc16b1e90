"""CIDEr: how similar a caption is to its references, with more weight on informative words.

Vedantam, Zitnick and Parikh, "CIDEr: Consensus-based Image Description Evaluation", CVPR 2015,
https://arxiv.org/abs/1411.5726. This is CIDEr-D of section 6, as in the COCO evaluation (Chen et al., 2015).

An n-gram has more weight if it is in the references of few pictures. So a score depends on a corpus: the references of
the data set. Scores with different corpora cannot be compared. The signature names the corpus.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import exp, fsum, sqrt
from typing import ClassVar

from core.captions.ngrams import LONGEST, Corpus, NGram, explained_by, ngrams, shared_ngrams, tokens
from core.metrics.classic import Classic
from core.models import ModelSettings
from core.types import Explanation, Sample

SIGMA = 6.0  # standard deviation of the length penalty, in words
SCALED = 10.0  # CIDEr-D is ten times the mean cosine


@dataclass(frozen=True, slots=True)
class Vector:
    """The n-grams of a text, weighted by tf-idf (equation 1)."""

    weights: tuple[Mapping[NGram, float], ...]  # weights of a text's n-grams: one mapping for each n from 1 to 4
    norms: tuple[float, ...]
    pairs: int  # number of pairs of neighbouring words, which the COCO evaluation uses in place of the text's length


def vector_of(words: Sequence[str], corpus: Corpus) -> Vector:
    """Return the weighted n-grams of a text. words: the text's tokens."""
    counted = [Counter(ngrams(words, n)) for n in range(1, LONGEST + 1)]
    weights = tuple({gram: count * corpus.idf(gram) for gram, count in counts.items()} for counts in counted)
    norms = tuple(sqrt(fsum(weight * weight for weight in one.values())) for one in weights)
    return Vector(weights, norms, max(0, len(words) - 1))


def similarity(candidate: Vector, reference: Vector, n: int) -> float:
    """Return the similarity of two texts by n-grams of n words, in [0, 1].

    This is CIDEr-D_n for one reference. Repeating an n-gram more often than the reference does not raise the
    similarity. A difference in length lowers it.
    """
    return fsum(addends(candidate, reference, n).values())


def addends(candidate: Vector, reference: Vector, n: int) -> Mapping[NGram, float]:
    """Return how much each shared n-gram of n words adds to the similarity of two texts."""
    ours, theirs = candidate.weights[n - 1], reference.weights[n - 1]
    norms = candidate.norms[n - 1] * reference.norms[n - 1]
    if norms == 0:
        return {}
    factor = exp(-((candidate.pairs - reference.pairs) ** 2) / (2 * SIGMA**2)) / norms
    return {gram: min(ours[gram], theirs[gram]) * theirs[gram] * factor for gram in ours.keys() & theirs.keys()}


def cider(candidate: Vector, references: Sequence[Vector]) -> tuple[float, ...]:
    """Return ten times the mean similarity to the references, for n = 1 to 4, each in [0, 10]."""
    means = (fsum(similarity(candidate, one, n) for one in references) / len(references) for n in range(1, LONGEST + 1))
    return tuple(min(SCALED, SCALED * mean) for mean in means)


class CIDEr(Classic):
    """CIDEr-D. The weights of n-grams come from the data set that is scored."""

    name: ClassVar[str] = "CIDEr"
    paper: ClassVar[str] = "https://arxiv.org/abs/1411.5726"
    scale: ClassVar[tuple[float, float]] = (0.0, SCALED)
    needs_corpus: ClassVar[bool] = True  # True: the idf is computed from the data set
    meanings: ClassVar[Mapping[str, str]] = {
        "cider_1": "Similarity by single words, from 0 to 10. Words that occur with few pictures weigh more.",
        "cider_2": "Similarity by sequences of two words, from 0 to 10.",
        "cider_3": "Similarity by sequences of three words, from 0 to 10.",
        "cider_4": "Similarity by sequences of four words, from 0 to 10. The score is the mean of all four.",
    }

    def __init__(self, settings: ModelSettings) -> None:
        """Take the references of the data set. Without them no sample can be scored.

        Raises BadSetting if an option is set, because the metric has none.
        """
        super().__init__(settings)
        self._references = lru_cache(1_024)(self._vectors)  # cached, because captions of a picture share references

    def signed(self) -> Mapping[str, str | float]:
        """Return the settings that are part of the signature: corpus, sigma and tokens.

        A corpus is written as "birds, 5664 pairs, 0123456789ab". This is the data set's name, the number of
        image-caption pairs, and a fingerprint.
        """
        corpus = "none" if self.corpus is None else self.corpus.name
        return {"corpus": corpus, "sigma": SIGMA, "tokens": "ptb"}

    def value_of(self, sample: Sample) -> tuple[float, Mapping[str, float]]:
        """Return CIDEr, and as its components the similarity for n-grams of each length."""
        by_length = cider(self._vector(sample.candidate), self._references(sample.references))
        return fsum(by_length) / LONGEST, {f"cider_{n}": value for n, value in enumerate(by_length, 1)}

    def matches(self, sample: Sample) -> Explanation:
        """Return the matched n-grams, largest contribution to the score first.

        Each match states the n-gram's idf and its contribution (addend).
        """
        assert self.corpus is not None
        candidate, references = self._vector(sample.candidate), self._references(sample.references)
        found = []
        for n in range(1, LONGEST + 1):
            added: Counter[NGram] = Counter()
            for one in references:
                added.update(addends(candidate, one, n))
            for match in shared_ngrams(sample.candidate, sample.references, n):
                gram = tuple(match.text.split(" "))
                weight = SCALED * added[gram] / len(references) / LONGEST
                found.append(replace(match, idf=self.corpus.idf(gram), weight=weight))
        return explained_by(sorted(found, key=lambda match: -(match.weight or 0.0)))

    def _vector(self, text: str) -> Vector:
        assert self.corpus is not None  # the evaluator passes no sample to a metric without its corpus
        return vector_of(tokens(text), self.corpus)

    def _vectors(self, references: tuple[str, ...]) -> list[Vector]:
        return [self._vector(text) for text in references]
