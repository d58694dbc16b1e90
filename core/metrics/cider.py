"""CIDEr: how similar a caption is to its references in words that say much.

Vedantam, Zitnick and Parikh, "CIDEr: Consensus-based Image Description Evaluation", CVPR 2015,
https://arxiv.org/abs/1411.5726. This is CIDEr-D of section 6, as in the COCO evaluation (Chen et al., 2015).

An n-gram weighs more if few pictures have it in their references. So a score depends on a corpus: the references of the
data set. Scores of different corpora cannot be compared, and the signature names the corpus.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, fsum, sqrt
from typing import ClassVar, Self

from core.captions.corpus import LONGEST, Corpus
from core.captions.tokens import NGram, ngrams, tokens
from core.datasets.benchmark import Published
from core.models import Checkpoint, ModelSettings, check_options
from core.signature import signature
from core.types import Outcome, Sample, Score

SIGMA = 6.0  # of the penalty for another length, in words
SCALED = 10.0  # CIDEr-D is ten times the mean cosine


@dataclass(frozen=True, slots=True)
class Vector:
    """The n-grams of a text, weighted by tf-idf (equation 1)."""

    weights: tuple[Mapping[NGram, float], ...]  # for n = 1 to 4
    norms: tuple[float, ...]
    pairs: int  # pairs of neighbouring words, which the COCO evaluation takes for the length


def vector_of(words: Sequence[str], corpus: Corpus) -> Vector:
    """Return the vector of a text's tokens."""
    counted = [Counter(ngrams(words, n)) for n in range(1, LONGEST + 1)]
    weights = tuple({gram: count * corpus.idf(gram) for gram, count in counts.items()} for counts in counted)
    norms = tuple(sqrt(fsum(weight * weight for weight in one.values())) for one in weights)
    return Vector(weights, norms, max(0, len(words) - 1))


def similarity(candidate: Vector, reference: Vector, n: int) -> float:
    """Return the similarity of two texts by n-grams of n words, in [0, 1] (CIDEr-D_n for one reference).

    A caption gains nothing if it repeats an n-gram more often than the reference, and loses if its length differs.
    """
    ours, theirs = candidate.weights[n - 1], reference.weights[n - 1]
    norms = candidate.norms[n - 1] * reference.norms[n - 1]
    if norms == 0:
        return 0.0
    shared = fsum(min(ours[gram], theirs[gram]) * theirs[gram] for gram in ours.keys() & theirs.keys())
    return shared / norms * exp(-((candidate.pairs - reference.pairs) ** 2) / (2 * SIGMA**2))


def cider(candidate: Vector, references: Sequence[Vector]) -> tuple[float, ...]:
    """Return ten times the mean similarity to the references, for n = 1 to 4, each in [0, 10]."""
    means = (fsum(similarity(candidate, one, n) for one in references) / len(references) for n in range(1, LONGEST + 1))
    return tuple(min(SCALED, SCALED * mean) for mean in means)


class CIDEr:
    """CIDEr-D with the idf of the data set that is scored."""

    name: ClassVar[str] = "CIDEr"
    paper: ClassVar[str] = "https://arxiv.org/abs/1411.5726"
    scale: ClassVar[tuple[float, float]] = (0.0, SCALED)
    needs_image: ClassVar[bool] = False
    requires_references: ClassVar[bool] = True
    needs_corpus: ClassVar[bool] = True  # the idf is that of the data set
    shows_regions: ClassVar[bool] = False
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = ()
    meanings: ClassVar[Mapping[str, str]] = {
        "cider_1": "Similarity by single words, from 0 to 10. Words of few pictures weigh more.",
        "cider_2": "Similarity by runs of two words, from 0 to 10.",
        "cider_3": "Similarity by runs of three words, from 0 to 10.",
        "cider_4": "Similarity by runs of four words, from 0 to 10. The score is the mean of all four.",
    }
    published: ClassVar[tuple[Published, ...]] = ()

    def __init__(self, corpus: Corpus | None) -> None:
        """Take the references of the data set; None: no sample can be scored."""
        self._corpus = corpus
        self._references = lru_cache(1_024)(self._vectors)  # captions of a picture share their references

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Return the metric with the corpus of the settings. Raises BadSetting for options, because it has none."""
        check_options(settings.options, ())
        return cls(settings.corpus)

    def signature(self) -> str:
        """Return e.g. ``CIDEr|corpus:flickr8k, 5664 pairs, 0123456789ab|sigma:6.0|tokens:ptb|capscope:0.2.0``."""
        corpus = "none" if self._corpus is None else self._corpus.name
        return signature(self.name, corpus=corpus, sigma=SIGMA, tokens="ptb")

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome per sample, in order, lazily."""
        for sample in samples:
            yield self._score_one(sample)

    def _score_one(self, sample: Sample) -> Outcome:
        assert self._corpus is not None  # the evaluator gives no sample to a metric that lacks its corpus
        candidate = vector_of(tokens(sample.candidate), self._corpus)
        by_length = cider(candidate, self._references(sample.references))
        parts = {f"cider_{n}": value for n, value in enumerate(by_length, 1)}
        return Score(self.name, fsum(by_length) / LONGEST, self.signature(), self.scale, parts)

    def _vectors(self, references: tuple[str, ...]) -> list[Vector]:
        assert self._corpus is not None
        return [vector_of(tokens(text), self._corpus) for text in references]
