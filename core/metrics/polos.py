"""Polos: a metric learned from human judgements, over text and image features.

Wada, Kaneda, Saito and Sugiura, "Polos: Multimodal Metric Learning from Human Feedback for Image Captioning", CVPR
2024, https://arxiv.org/abs/2402.18091.

For each reference, two kinds of features are joined. The first are RoBERTa's mixed hidden states of candidate and
reference. The second are CLIP's features of candidate, reference and image. A regression maps them to [0, 1] (section
3; core/models/polos.py). The score is the maximum over the references.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
import numpy.typing as npt

from core.errors import BadImage, ModelUnavailable, error_kind
from core.images.pictures import file_of
from core.metrics.base import Metric
from core.models import Checkpoint, ModelSettings, check_options
from core.models.checkpoints import CLIP_B32, POLOS, SIMCSE_ROBERTA
from core.signature import signature
from core.types import EvaluationError, Outcome, Sample, Score

if TYPE_CHECKING:
    from core.models.polos import PolosModel

FloatArray = npt.NDArray[np.float32]


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
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = (
        *(POLOS, SIMCSE_ROBERTA),
        replace(CLIP_B32, purpose="tokenizer and configuration; for training also the image and text encoders"),
    )
    meanings: ClassVar[Mapping[str, str]] = {"per_reference": "The score with each reference. The largest one counts."}

    def __init__(self, model: "PolosModel", batch_size: int = 1) -> None:
        self._model, self._batch_size = model, batch_size

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Load the checkpoint settings.model, or the published checkpoint on this computer.

        Raises ModelUnavailable, whose text says how to get the checkpoint, and BadSetting for unknown options.
        """
        check_options(settings.options, ("roberta", "clip"))
        path = Path(settings.model).expanduser() if settings.model else POLOS.file
        if not path.is_file():  # reported before torch loads
            raise ModelUnavailable(
                f"Polos has no checkpoint at {path}. Name another file with --model, or download the published one: "
                f"{POLOS.how(cls.name)}"
            )
        from core.models.polos import load_polos

        return cls(load_polos(path, settings), settings.batch_size if settings.strict_reference else 1)

    def signature(self) -> str:
        """Return e.g. ``Polos|layer_norm:sample|model:reprod.ckpt@0123456789ab|capscope:0.2.0``."""
        layer_norm = "sample" if self._batch_size == 1 else f"batch of {self._batch_size}"
        return signature(self.name, model=self._model.weights, layer_norm=layer_norm)

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome per sample, in order, lazily."""
        for start in range(0, len(samples), self._batch_size):
            batch = samples[start : start + self._batch_size]
            images = [self._image(sample) for sample in batch]
            pairs = [(one, image) for one, image in zip(batch, images, strict=True) if isinstance(image, np.ndarray)]
            rows = iter(self._estimates(pairs) if pairs else ())
            for image in images:
                yield self._as_score(next(rows)) if isinstance(image, np.ndarray) else image

    def _image(self, sample: Sample) -> FloatArray | EvaluationError:
        try:
            return self._model.image_features(file_of(sample.image))
        except BadImage as error:
            return EvaluationError(self.name, self.signature(), error_kind(error), str(error))

    def _estimates(self, pairs: Sequence[tuple[Sample, FloatArray]]) -> list[tuple[float, ...]]:
        references = cut_to_fewest([sample.references for sample, _ in pairs])
        images = np.stack([image for _, image in pairs])
        scores = self._model.estimate(images, [sample.candidate for sample, _ in pairs], references)
        return [tuple(row) for row in scores.tolist()]

    def _as_score(self, per_reference: tuple[float, ...]) -> Score:
        # The largest score counts, so an additional reference never lowers the result.
        parts = {"per_reference": per_reference}
        return Score(self.name, max(per_reference), self.signature(), self.scale, parts)
