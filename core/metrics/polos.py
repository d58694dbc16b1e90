"""Polos: a metric learned from human judgements, over text and image features.

Wada, Kaneda, Saito and Sugiura, "Polos: Multimodal Metric Learning from Human Feedback for Image Captioning", CVPR
2024, https://arxiv.org/abs/2402.18091.

For each reference, two kinds of features are joined. The first are RoBERTa's mixed hidden states of candidate and
reference. The second are CLIP's features of candidate, reference and image. A regression maps them to [0, 1] (section
3; core/models/polos.py). The score is the maximum over the references.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Protocol, Self

import numpy as np
import numpy.typing as npt

from core.errors import BadImage, error_kind
from core.images.pictures import file_of
from core.metrics.base import Metric
from core.metrics.truncation import MEANINGS, truncation
from core.models import Checkpoint, ModelSettings
from core.models.checkpoints import CLIP_B32, POLOS, SIMCSE_ROBERTA
from core.models.device import TokensRead
from core.signature import signature
from core.types import EvaluationError, Outcome, Sample, Score

FloatArray = npt.NDArray[np.float32]


class Regressor(Protocol):
    """The methods of the model that the metric uses."""

    weights: str  # name of the weights in signatures

    def image_features(self, path: Path) -> FloatArray:
        """Return CLIP's feature vector (shape [E]) of the picture at path. Raises BadImage."""
        ...

    def estimate(
        self, images: FloatArray, candidates: Sequence[str], references: Sequence[Sequence[str]]
    ) -> FloatArray:
        """Return scores [N, R] in [0, 1], one for each candidate and reference.

        images: [N, E]. candidates: N texts. references: R texts for each candidate.
        """
        ...

    def tokens_read(self, text: str) -> TokensRead:
        """Return how many tokens of a text the model reads, and how many the text has."""
        ...


def best_over_references(scores: Sequence[float]) -> float:
    """Return the largest of the scores. Each reference has one score.

    So an additional reference never lowers the result.
    """
    return max(scores)


def cut_to_fewest(references: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Truncate every list of references to the length of the shortest list.

    The authors' code also does this in its batches, because torchnlp's collate_tensors uses zip.
    """
    fewest = min(len(texts) for texts in references)
    return [texts[:fewest] for texts in references]


class Polos(Metric):
    """The metric Polos. By default each sample is its own batch, so that its score does not depend on other samples.

    With strict_reference, batches are computed as in the authors' code. Then one layer norm is used for all samples of
    a batch. All lists of references are truncated to the shortest list.
    """

    name: ClassVar[str] = "Polos"
    paper: ClassVar[str] = "https://arxiv.org/abs/2402.18091"
    requires_references: ClassVar[bool] = True
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = (POLOS, SIMCSE_ROBERTA, CLIP_B32)
    meanings: ClassVar[Mapping[str, str]] = MEANINGS

    def __init__(self, model: Regressor, batch_size: int = 1) -> None:
        self._model, self._batch_size = model, batch_size

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Load the checkpoint of settings.model.

        Raises ModelUnavailable, whose text says how to get the checkpoint.
        """
        from core.models.polos_checkpoint import load_polos

        return cls(load_polos(settings), settings.batch_size if settings.strict_reference else 1)

    def signature(self) -> str:
        """Return e.g. ``Polos|layer_norm:sample|model:reprod.ckpt@0123456789ab|capscope:0.2.0``."""
        layer_norm = "sample" if self._batch_size == 1 else f"batch of {self._batch_size}"
        return signature(self.name, model=self._model.weights, layer_norm=layer_norm)

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome per sample, in order, lazily."""
        for start in range(0, len(samples), self._batch_size):
            yield from self._score_batch(samples[start : start + self._batch_size])

    def _score_batch(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        images = [self._image(sample) for sample in samples]
        whole = [(s, image) for s, image in zip(samples, images, strict=True) if not isinstance(image, EvaluationError)]
        estimates = iter(self._estimates(whole))
        for sample, image in zip(samples, images, strict=True):
            yield image if isinstance(image, EvaluationError) else self._as_score(sample, next(estimates))

    def _image(self, sample: Sample) -> FloatArray | EvaluationError:
        try:
            return self._model.image_features(file_of(sample.image))
        except BadImage as error:
            return EvaluationError(self.name, self.signature(), error_kind(error), str(error))

    def _estimates(self, whole: Sequence[tuple[Sample, FloatArray]]) -> list[tuple[float, ...]]:
        if not whole:
            return []
        references = cut_to_fewest([sample.references for sample, _ in whole])
        images = np.stack([image for _, image in whole])
        scores = self._model.estimate(images, [sample.candidate for sample, _ in whole], references)
        return [tuple(row) for row in scores.tolist()]

    def _as_score(self, sample: Sample, per_reference: tuple[float, ...]) -> Score:
        value = best_over_references(per_reference)
        read = [self._model.tokens_read(text) for text in (sample.candidate, *sample.references)]
        parts = {"per_reference": per_reference, **truncation(read[0], read[1 : 1 + len(per_reference)])}
        return Score(self.name, value, self.signature(), self.scale, parts)
