"""Polos's networks: frozen encoders, and a trained head of scalar mix, ten-part feature vector and regression.

Wada et al., "Polos: Multimodal Metric Learning from Human Feedback for Image Captioning", CVPR 2024, sections 3.2-3.3,
computed as in keio-smilab24/Polos@839d64d (polos_estimator.py, scalar_mix.py, feedforward.py). The modules are named so
that the keys of the published weights fit.

Texts are encoded without padding, alone or with texts of the same length. So other texts in a batch change a text's
features only by rounding. If a text is encoded alone, its features are exactly reproducible.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from core.costs import timed
from core.models.clip import ClipEncoder, by_length

FloatArray = npt.NDArray[np.float32]

HIDDEN_SIZES = (2304, 1152)  # upstream polos-trainer.yaml
DROPOUT = 0.1  # share of hidden units, and of whole hidden states in the scalar mix, that training sets to 0
TEXTS_KEPT = 32  # maximum number of texts whose features stay in memory, about 40 kB for each token
PREFIX = "A photo depicts "  # prefix for CLIP's text tower, as in CLIPScore; source: upstream polos_estimator.py
TEXT_PARTS, CLIP_PARTS = 4, 6  # numbers of text features and CLIP features that feature_vector joins, in this order


class PolosEncoder:
    """RoBERTa and CLIP with their tokenizers, on one device in float32."""

    def __init__(self, roberta: Any, tokenizer: Any, clip: ClipEncoder, tokenizers: tuple[str, str]) -> None:
        """Take the models. tokenizers: repositories or folders of RoBERTa's and CLIP's tokenizers."""
        self.device, self.clip, self.tokenizers = clip.device, clip, tokenizers
        self.roberta = roberta.to(self.device).float().eval().requires_grad_(False)
        self._tokenizer = tokenizer
        self._longest = int(roberta.config.max_position_embeddings) - 2  # positions start at padding_idx + 1
        self.layers = int(roberta.config.num_hidden_layers) + 1  # hidden states: the embeddings and every layer (13)
        self.text_width = int(roberta.config.hidden_size)  # of RoBERTa's hidden states (768)
        self.clip_width = int(clip.model.config.projection_dim)  # of CLIP's space for texts and images (512)

    def encode_texts(self, texts: Sequence[str]) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """Return each text's hidden states and CLIP's projected feature [E], which is not normalised.

        The hidden states are [L, T, D] for L layers (including the embeddings), T tokens and width D.
        """
        limit = {"truncation": True, "max_length": self._longest}
        hidden = by_length([self._tokenizer(text, **limit).input_ids for text in texts], self._hidden_states)
        return list(zip(hidden, self.clip.texts([PREFIX + text for text in texts]), strict=True))

    def _hidden_states(self, ids: torch.Tensor) -> list[torch.Tensor]:
        output = self.roberta(input_ids=ids.to(self.device), output_hidden_states=True)
        return list(torch.stack(output.hidden_states, dim=1))  # for each text: [hidden states, tokens, width]


def normalised(texts: Sequence[torch.Tensor]) -> torch.Tensor:
    """Layer-normalise the hidden states [L, T, D] of each text's token 0.

    Returns float32 [N, L, D]. In each layer, the mean and the biased variance are computed over all tokens of all
    texts. Before the square root is taken, 1e-12 is added to the variance. This is ELMo's scalar mix, as in the
    authors' scalar_mix.py. With several texts, each result depends on the other texts. To avoid this, pass one text at
    a time.
    """
    states = torch.cat(list(texts), dim=1).double()
    mean, variance = states.mean(dim=(1, 2)), states.var(dim=(1, 2), unbiased=False)
    first = torch.stack([text[:, 0] for text in texts]).double()
    return ((first - mean[:, None]) * (variance + 1e-12).rsqrt()[:, None]).float()


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


class PolosHead(nn.Module):
    """The trained component of Polos: a scalar mix of hidden states, and a regression to a score in [0, 1]."""

    def __init__(self, layers: int, width: int, hidden_sizes: Sequence[int] = HIDDEN_SIZES) -> None:
        super().__init__()
        self.scalar_mix = ScalarMix(layers)
        steps: OrderedDict[str, nn.Module] = OrderedDict()
        for number, (inner, outer) in enumerate(pairwise([width, *hidden_sizes]), start=1):
            steps[f"linear_{number}"] = nn.Linear(inner, outer)
            steps[f"activation_{number}"], steps[f"dropout_{number}"] = nn.Tanh(), nn.Dropout(DROPOUT)
        steps[f"linear_{len(hidden_sizes) + 1}"] = nn.Linear([width, *hidden_sizes][-1], 1)
        self.ff = nn.Sequential(nn.Sequential(OrderedDict(ff=nn.Sequential(steps))), nn.Sigmoid())

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

    def sentences(self, states: torch.Tensor) -> torch.Tensor:
        """Mix layer-normalised hidden states of token 0, [N, L, D], to sentence vectors [N, D]."""
        mixed: torch.Tensor = self.scalar_mix(states)
        return mixed

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Map feature vectors [N, 4 D + 6 E] to scores [N] in [0, 1]."""
        scores: torch.Tensor = self.ff(features)
        return scores.squeeze(dim=1)


def feature_vector(
    reference: torch.Tensor,
    candidate: torch.Tensor,
    image: torch.Tensor,
    candidate_clip: torch.Tensor,
    reference_clip: torch.Tensor,
) -> torch.Tensor:
    """Join features to the vector of ten parts that the authors' code uses.

    Inputs are sentence vectors [N, D] and CLIP features [N, E]. The result is [N, 4 D + 6 E]. By the paper's equations
    3 and 4, reference_clip and a second candidate_clip would also be parts, but the published weights lack these two.
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
        self._text = lru_cache(TEXTS_KEPT)(lambda text: encoder.encode_texts([text])[0])

    def image_features(self, path: Path) -> FloatArray:
        """Return CLIP's feature vector (shape [E]) of the picture at path. Raises BadImage."""
        return self._encoder.clip.image_features(path)

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

    def _encoded(self, texts: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor]:
        states, clip = zip(*(self._text(text) for text in texts), strict=True)
        return self._head.sentences(normalised(states)), torch.stack(clip)
