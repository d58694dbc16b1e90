"""Give the references of a data set to metrics that need a corpus."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from core.captions.ngrams import Corpus, corpus_of
from core.metrics import Metric
from core.models import ModelSettings
from storage import Repository

KEPT = 4  # maximum number of corpora in memory; a corpus of 100,000 image-caption pairs takes about 200 MB


@dataclass(frozen=True, slots=True)
class _Kept:
    stamp: Hashable  # changes when samples or scores of the data set change
    sets: Sequence[tuple[tuple[str, ...], int]]
    corpus: Corpus


class Corpora:
    """The references of data sets. They are read again after a data set has changed."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._kept: dict[str, _Kept] = {}  # key: data set

    def settings(self, metric: type[Metric], dataset: str | None, settings: ModelSettings) -> ModelSettings:
        """Return the settings, with the data set's corpus of references if needed.

        The metric decides whether a corpus is needed. dataset None: the sample is in no data set; the evaluator then
        returns an error for the sample. Raises NotFound.
        """
        if dataset is None or not metric.needs_corpus:
            return settings
        return replace(settings, corpus=self._corpus(dataset))

    def _corpus(self, dataset: str) -> Corpus:
        stamp, kept = self._repository.analysis.stamp(dataset), self._kept.pop(dataset, None)
        if kept is None or kept.stamp != stamp:
            sets = self._repository.samples.reference_sets(dataset)
            same = kept is not None and kept.sets == sets  # the references are unchanged, so the corpus is used again
            kept = _Kept(stamp, sets, kept.corpus if kept is not None and same else corpus_of(dataset, sets))
        self._kept[dataset] = kept
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return kept.corpus
