"""Give the references of a data set to metrics that need a corpus."""

from collections.abc import Hashable, Sequence
from dataclasses import replace

from core.captions.ngrams import Corpus, corpus_of
from core.metrics import Metric
from core.models import ModelSettings
from storage import Repository

KEPT = 4  # maximum number of corpora in memory; a corpus of 100,000 image-caption pairs takes about 200 MB


class Corpora:
    """The references of data sets. They are read again after a data set has changed."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        # Key: data set. Value: a stamp that changes with samples or scores, the references with counts, and the corpus.
        self._kept: dict[str, tuple[Hashable, Sequence[tuple[tuple[str, ...], int]], Corpus]] = {}

    def settings(self, metric: type[Metric], dataset: str, settings: ModelSettings) -> ModelSettings:
        """Return the settings, with the data set's corpus of references if the metric needs it.

        Raises NotFound.
        """
        return replace(settings, corpus=self._corpus(dataset)) if metric.needs_corpus else settings

    def _corpus(self, dataset: str) -> Corpus:
        stamp, known = self._repository.analysis.stamp(dataset), self._kept.pop(dataset, None)
        if known is None or known[0] != stamp:
            sets = self._repository.samples.reference_sets(dataset)
            known = stamp, sets, known[2] if known and known[1] == sets else corpus_of(dataset, sets)
        self._kept[dataset] = known
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return known[2]
