"""Polos's head (scalar mix, ten-part feature vector, regression) and the whole model for scoring.

Wada et al., "Polos: Multimodal Metric Learning from Human Feedback for Image Captioning", CVPR 2024, sections 3.2-3.3,
computed as in keio-smilab24/Polos@839d64d (polos_estimator.py, scalar_mix.py, feedforward.py). The modules are named so
that the keys of the published weights fit.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from core.costs import timed
from core.images.pictures import open_rgb
from core.models.polos.encoder import PolosEncoder, TextFeatures, normalised
from core.models.runtime.token_limit import TokensRead

FloatArray = npt.NDArray[np.float32]

HIDDEN_SIZES = (2304, 1152)  # upstream polos-trainer.yaml
DROPOUT = 0.1  # share of hidden units, and of whole hidden states in the scalar mix, that training sets to 0
TEXTS_KEPT = 2048  # maximum number of texts whose features stay in memory, about 40 kB for each text
IMAGES_KEPT = 8192  # maximum number of images whose features stay in memory, 2 kB for each image


class ScalarMix(nn.Module):
    """Weighted mean of the hidden states (Peters et al. 2018): gamma times the softmax-weighted sum."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.scalar_parameters = nn.ParameterList([nn.Parameter(torch.zeros(1)) for _ in range(layers)])
        self.gamma = nn.Parameter(torch.ones(1))
        self.register_buffer("dropout_mask", torch.zeros(layers))  # not used, but part of the published weights
        self.register_buffer("dropout_fill", torch.full((layers,), -1e20))
        self.dropout_fill: torch.Tensor

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """Mix layer-normalised hidden states [N, L, D] to [N, D]."""
        scalars = torch.cat(list(self.scalar_parameters))
        if self.training:
            scalars = torch.where(torch.rand_like(scalars) < DROPOUT, self.dropout_fill, scalars)
        weights = scalars.softmax(dim=0)
        return self.gamma * (weights[:, None] * states).sum(dim=1)


class FeedForward(nn.Module):
    """Linear, tanh and dropout for every hidden size, then one linear unit."""

    def __init__(self, width: int, hidden_sizes: Sequence[int]) -> None:
        super().__init__()
        parts: OrderedDict[str, nn.Module] = OrderedDict()
        for number, size in enumerate(hidden_sizes, start=1):
            parts[f"linear_{number}"] = nn.Linear(width, size)
            parts[f"activation_{number}"] = nn.Tanh()
            parts[f"dropout_{number}"] = nn.Dropout(DROPOUT)
            width = size
        parts[f"linear_{len(hidden_sizes) + 1}"] = nn.Linear(width, 1)
        self.ff = nn.Sequential(parts)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Map features [N, width] to [N, 1]."""
        output: torch.Tensor = self.ff(features)
        return output


class PolosHead(nn.Module):
    """The trained component of Polos: a scalar mix of hidden states, and a regression to a score in [0, 1]."""

    def __init__(self, layers: int, width: int, hidden_sizes: Sequence[int] = HIDDEN_SIZES) -> None:
        super().__init__()
        self.scalar_mix = ScalarMix(layers)
        self.ff = nn.Sequential(FeedForward(width, hidden_sizes), nn.Sigmoid())

    @classmethod
    def from_state(cls, state: Mapping[str, torch.Tensor]) -> "PolosHead":
        """Build the head (the trained component of Polos) from its weights.

        Raises KeyError or RuntimeError for weights of another model.
        """
        layers = sum(key.startswith("scalar_mix.scalar_parameters.") for key in state)
        linears = sum(key.startswith("ff.0.ff.linear_") and key.endswith(".weight") for key in state)
        shapes = [state[f"ff.0.ff.linear_{number}.weight"].shape for number in range(1, linears + 1)]
        head = cls(layers, shapes[0][1], [shape[0] for shape in shapes[:-1]])
        head.load_state_dict(dict(state), strict=True)
        return head

    @property
    def first_weight(self) -> torch.Tensor:
        """The first layer's weight, [units, features]."""
        weight: torch.Tensor = self.ff[0].ff.linear_1.weight  # type: ignore[union-attr, assignment]
        return weight

    def sentences(self, states: torch.Tensor) -> torch.Tensor:
        """Mix layer-normalised hidden states of token 0, [N, L, D], to sentence vectors [N, D]."""
        mixed: torch.Tensor = self.scalar_mix(states)
        return mixed

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Map feature vectors [N, 4 D + 6 E] to scores [N] in [0, 1]."""
        scores: torch.Tensor = self.ff(features)
        return scores.squeeze(dim=1)


TEXT_PARTS, CLIP_PARTS = 4, 6  # numbers of text features and CLIP features that feature_vector joins, in this order


def feature_vector(
    reference: torch.Tensor,
    candidate: torch.Tensor,
    image: torch.Tensor,
    candidate_clip: torch.Tensor,
    reference_clip: torch.Tensor,
) -> torch.Tensor:
    """Join features to the vector of ten parts that the authors' code uses.

    Inputs are sentence vectors [N, D] and CLIP features [N, E]. The result is [N, 4 D + 6 E]. By the paper's equations
    3 and 4, reference_clip and a second candidate_clip would also be parts. The published weights were trained without
    these two.
    """
    parts = [
        *(reference, candidate, (candidate - reference).abs(), candidate * reference),
        *(image, candidate_clip, (image - candidate_clip).abs(), image * candidate_clip),
        *((reference_clip - candidate_clip).abs(), reference_clip * candidate_clip),
    ]
    return torch.cat(parts, dim=1)


def feature_width(encoder: PolosEncoder) -> int:
    """Return the length of the feature vector for this encoder: 6,144 for RoBERTa base with CLIP ViT-B."""
    return TEXT_PARTS * encoder.text_width + CLIP_PARTS * encoder.clip_width


class PolosModel:
    """Polos's encoders and head together. Features of recent texts and images are cached in memory."""

    def __init__(self, encoder: PolosEncoder, head: PolosHead, weights: str) -> None:
        self.weights = weights  # the name of the weights in signatures
        self._encoder = encoder
        self._head = head.to(encoder.device).float().eval()
        self._text = lru_cache(TEXTS_KEPT)(self._encoded_alone)
        self._image = lru_cache(IMAGES_KEPT)(self._opened_and_encoded)

    def image_features(self, path: Path) -> FloatArray:
        """Return CLIP's feature vector (shape [E]) of the picture at path. Raises BadImage."""
        return self._image(path, path.stat().st_mtime_ns if path.exists() else 0)

    def estimate(
        self, images: FloatArray, candidates: Sequence[str], references: Sequence[Sequence[str]]
    ) -> FloatArray:
        """Return scores [N, R] in [0, 1] for images [N, E], with N candidates and R references for each.

        As in the authors' code, the layer norm covers the whole batch: all candidates together, all first references
        together, all second references together, and so on. So a sample's score is independent of other samples only in
        a batch of one.
        """
        with torch.inference_mode(), timed("model"):
            image = torch.from_numpy(images).to(self._encoder.device)
            candidate, candidate_clip = self._encoded(candidates)
            columns = []
            for texts in zip(*references, strict=True):
                reference, reference_clip = self._encoded(texts)
                features = feature_vector(reference, candidate, image, candidate_clip, reference_clip)
                columns.append(self._head(features))
            scores: FloatArray = torch.stack(columns, dim=1).cpu().numpy()
        return scores

    def tokens_read(self, text: str) -> TokensRead:
        """Return how many tokens of a text are read, and how many tokens it has.

        RoBERTa and CLIP have different limits. The numbers are for the encoder that reads the smaller share of the
        text.
        """
        return self._encoder.tokens_read(text)

    def _encoded(self, texts: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return sentence vectors [N, D] and CLIP features [N, E]."""
        features = [self._text(text) for text in texts]
        return self._head.sentences(normalised(features)), torch.stack([text.clip for text in features])

    def _encoded_alone(self, text: str) -> TextFeatures:
        return self._encoder.encode_texts([text])[0]

    def _opened_and_encoded(self, path: Path, changed: int) -> FloatArray:
        picture = open_rgb(path)
        with timed("model"):
            image: FloatArray = self._encoder.encode_images([picture])[0].cpu().numpy()
        return image
