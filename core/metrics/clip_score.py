"""CLIPScore and RefCLIPScore: how well CLIP's features of caption and image agree.

RefCLIPScore also uses references.

Hessel, Holtzman, Forbes, Le Bras and Choi, "CLIPScore: A Reference-free Evaluation Metric for Image Captioning", EMNLP
2021, https://arxiv.org/abs/2104.08718, section 3. The prompt before each text and the weight of the cosine are as in
jmhessel/clipscore@1036465.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
import numpy.typing as npt

from core.errors import BadImage, error_kind
from core.images.pictures import file_of
from core.metrics.base import Metric
from core.models import Checkpoint, ModelSettings, check_options
from core.models.checkpoints import CLIP_B32
from core.models.weights import find_weights
from core.signature import signature
from core.types import EvaluationError, Outcome, Sample, Score

if TYPE_CHECKING:
    from core.models.clip import ClipEncoder

FloatArray = npt.NDArray[np.float32]

PROMPT = "A photo depicts "  # precedes every caption and every reference
W = 2.5  # the paper's w: rescales the usual range of the cosine to [0, 1]


def cosine(a: FloatArray, b: FloatArray) -> float:
    """Return the cosine of the angle between two feature vectors, in [-1, 1].

    a, b: vectors of the same length, shape [E].
    """
    x, y = a.astype(np.float64), b.astype(np.float64)
    return float(np.clip(x @ y / (np.linalg.norm(x) * np.linalg.norm(y)), -1.0, 1.0))


def clip_score(image: FloatArray, candidate: FloatArray) -> float:
    """Return CLIPScore: w times the cosine of both features, at least 0.

    The factor w is 2.5. If the cosine is negative, the result is 0. So the result is in [0, 2.5] (section 3, "CLIP-S").
    """
    return W * max(cosine(image, candidate), 0.0)


def best_reference_cosine(candidate: FloatArray, references: Sequence[FloatArray]) -> float:
    """Return the largest cosine of a caption with a reference, in [0, 1]; 0 if all are negative."""
    return max(0.0, *(cosine(candidate, reference) for reference in references))


def ref_clip_score(clip_score: float, reference_cosine: float) -> float:
    """Return the harmonic mean of CLIPScore and reference cosine, in [0, 10/7].

    The result is 0 if either of the two values is 0. Source: the CLIPScore paper, section 3, "RefCLIP-S".
    """
    total = clip_score + reference_cosine
    return 2 * clip_score * reference_cosine / total if total > 0 else 0.0


class CLIPScore(Metric):
    """CLIPScore, which needs no references."""

    name: ClassVar[str] = "CLIPScore"
    paper: ClassVar[str] = "https://arxiv.org/abs/2104.08718"
    scale: ClassVar[tuple[float, float]] = (0.0, W)
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = (CLIP_B32,)
    meanings: ClassVar[Mapping[str, str]] = {
        "cosine": "Similarity of caption and picture, from -1 to 1.",
        "clip_score": "CLIPScore of caption and picture.",
        "reference_cosine": "Similarity of the caption to the most similar reference, from 0 to 1.",
    }

    def __init__(self, encoder: "ClipEncoder") -> None:
        self._encoder = encoder

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Load CLIP from settings.model, by default ViT-B/32. Raises ModelUnavailable."""
        check_options(settings.options, ())
        weights = find_weights(
            settings.model or CLIP_B32.repo, "CLIPScore"
        )  # reports missing weights before torch loads
        from core.models.clip import load_clip

        return cls(load_clip(weights, settings.device))

    def signature(self) -> str:
        """Return e.g. ``CLIPScore|model:openai/clip-vit-base-patch32@3d74acf9a28c|precision:float32|w:2.5|...``."""
        return signature(self.name, model=self._encoder.weights, w=W, precision="float32")

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome per sample, in order, lazily."""
        for sample in samples:
            try:
                yield self._score_one(sample)
            except BadImage as error:
                yield EvaluationError(self.name, self.signature(), error_kind(error), str(error))

    def _score_one(self, sample: Sample) -> Score:
        image, candidate, _ = self._features(sample)
        parts = {"cosine": cosine(image, candidate)}
        return Score(self.name, clip_score(image, candidate), self.signature(), self.scale, parts)

    def _features(self, sample: Sample) -> tuple[FloatArray, FloatArray, list[FloatArray]]:
        image = self._encoder.image_features(file_of(sample.image))
        texts = (sample.candidate, *(sample.references if self.requires_references else ()))
        candidate, *references = (self._encoder.text_features(PROMPT + text) for text in texts)
        return image, candidate, references


class RefCLIPScore(CLIPScore):
    """RefCLIPScore: CLIPScore combined with the similarity to the closest reference."""

    name: ClassVar[str] = "RefCLIPScore"
    scale: ClassVar[tuple[float, float]] = (0.0, 2 * W / (W + 1))
    requires_references: ClassVar[bool] = True

    def _score_one(self, sample: Sample) -> Score:
        image, candidate, references = self._features(sample)
        without, closest = clip_score(image, candidate), best_reference_cosine(candidate, references)
        parts = {"clip_score": without, "reference_cosine": closest}
        return Score(self.name, ref_clip_score(without, closest), self.signature(), self.scale, parts)
