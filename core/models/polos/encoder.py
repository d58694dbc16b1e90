"""Polos's frozen encoders: RoBERTa (SimCSE) for hidden states, CLIP for text and image features.

Texts are encoded without padding, alone or with texts of the same length. So other texts in a batch change a text's
features only by rounding. If a text is encoded alone, its features are exactly reproducible.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from core.models.clip.openai import clip_transform
from core.models.runtime.token_limit import TokensRead, least_read, tokens_read

if TYPE_CHECKING:
    from PIL import Image

PREFIX = "A photo depicts "  # prefix for CLIP's text tower, as in CLIPScore; source: upstream polos_estimator.py
TEXTS_AT_A_TIME = 64  # number of texts of the same length per batch

TokenIds = Sequence[int]


@dataclass(frozen=True, slots=True, eq=False)
class TextFeatures:
    """Polos's features of one text, float32 by default.

    In the shapes, L is the number of hidden states (embeddings and layers), D their width.
    """

    first: torch.Tensor  # [L, D]: L hidden states of token 0, each with D values
    total: torch.Tensor  # [L] float64: for each hidden state, sum of its values over all tokens and dims
    squares: torch.Tensor  # [L] float64: for each hidden state, sum of its squared values over all tokens and dims
    count: int  # number of tokens times number of dims
    clip: torch.Tensor  # [E]: CLIP's projected text feature, not normalised


class PolosEncoder:
    """RoBERTa and CLIP with their tokenizers, on one device in float32."""

    def __init__(
        self, roberta: Any, roberta_tokenizer: Any, clip: Any, clip_tokenizer: Any, device: torch.device
    ) -> None:
        self.device = device
        self.roberta = roberta.to(device).float().eval().requires_grad_(False)
        self.clip = clip.to(device).float().eval().requires_grad_(False)
        self._roberta_tokenizer, self._clip_tokenizer = roberta_tokenizer, clip_tokenizer
        self._transform = clip_transform(clip.config.vision_config.image_size)

    @property
    def layers(self) -> int:
        """Number of hidden states: the embeddings and every layer (13 for the base model)."""
        return int(self.roberta.config.num_hidden_layers) + 1

    @property
    def text_width(self) -> int:
        """Width of RoBERTa's hidden states (768 for the base model)."""
        return int(self.roberta.config.hidden_size)

    @property
    def clip_width(self) -> int:
        """Width of CLIP's shared space for texts and images (512 for ViT-B)."""
        return int(self.clip.config.projection_dim)

    @property
    def tokenizers(self) -> tuple[str, str]:
        """Repositories or folders of RoBERTa's and CLIP's tokenizers."""
        return str(self._roberta_tokenizer.name_or_path), str(self._clip_tokenizer.name_or_path)

    def encode_texts(self, texts: Sequence[str]) -> list[TextFeatures]:
        """Encode texts in groups of equal length; returns features in the texts' order."""
        hidden = _by_length([self._roberta_ids(text) for text in texts], self._hidden_states)
        clip = _by_length([self._clip_ids(text) for text in texts], self._clip_texts)
        return [summarised(states, feature) for states, feature in zip(hidden, clip, strict=True)]

    def tokens_read(self, text: str) -> TokensRead:
        """Return how many tokens of a text are read, and how many tokens it has.

        RoBERTa and CLIP have different limits. The numbers are for the encoder that reads the smaller share of the
        text.
        """
        clip = tokens_read(self._clip_tokenizer, PREFIX + text, self._longest_clip)
        roberta = tokens_read(self._roberta_tokenizer, text, self._longest_roberta)
        return least_read(roberta, clip)

    def encode_images(self, images: Sequence["Image.Image"]) -> torch.Tensor:
        """Encode PIL images. Returns CLIP's projected image features [N, E], not normalised."""
        pixels = torch.stack([self._transform(image) for image in images]).to(self.device)
        with torch.inference_mode():
            features: torch.Tensor = self.clip.get_image_features(pixel_values=pixels).pooler_output
        return features.clone()

    def _roberta_ids(self, text: str) -> TokenIds:
        ids: TokenIds = self._roberta_tokenizer(text, truncation=True, max_length=self._longest_roberta).input_ids
        return ids

    def _clip_ids(self, text: str) -> TokenIds:
        ids: TokenIds = self._clip_tokenizer(PREFIX + text, truncation=True, max_length=self._longest_clip).input_ids
        return ids

    @property
    def _longest_roberta(self) -> int:
        return int(self.roberta.config.max_position_embeddings) - 2  # RoBERTa's positions start at padding_idx + 1 = 2

    @property
    def _longest_clip(self) -> int:
        return int(self.clip.config.text_config.max_position_embeddings)

    def _hidden_states(self, ids: torch.Tensor) -> list[torch.Tensor]:
        output = self.roberta(input_ids=ids.to(self.device), output_hidden_states=True)
        return list(torch.stack(output.hidden_states, dim=1))  # for each text: [hidden states, tokens, width]

    def _clip_texts(self, ids: torch.Tensor) -> list[torch.Tensor]:
        return list(self.clip.get_text_features(input_ids=ids.to(self.device)).pooler_output)  # [width] for each text


def normalised(texts: Sequence[TextFeatures]) -> torch.Tensor:
    """Layer-normalise the hidden states of each text's token 0.

    Returns float32 [N, L, D]. In each layer, the mean and the biased variance are computed over all tokens of all
    texts. Before the square root is taken, 1e-12 is added to the variance. This is ELMo's scalar mix, as in the
    authors' scalar_mix.py. With several texts, each result depends on the other texts. To avoid this, pass one text at
    a time.
    """
    count = sum(text.count for text in texts)
    mean = torch.stack([text.total for text in texts]).sum(dim=0) / count
    variance = torch.stack([text.squares for text in texts]).sum(dim=0) / count - mean.square()
    first = torch.stack([text.first for text in texts]).double()
    scale = (variance.clamp(min=0) + 1e-12).rsqrt()
    return ((first - mean[:, None]) * scale[:, None]).float()


def summarised(states: torch.Tensor, clip: torch.Tensor) -> TextFeatures:
    """Return Polos's features of a text.

    states: the hidden states [L, T, D] of L layers (including the embeddings) and T tokens, with width D. clip: the
    text's CLIP feature [E].
    """
    exact = states.double()
    return TextFeatures(
        first=states[:, 0].clone(),
        total=exact.sum(dim=(1, 2)),
        squares=exact.square().sum(dim=(1, 2)),
        count=states.shape[1] * states.shape[2],
        clip=clip.clone(),
    )


def _by_length(ids: Sequence[TokenIds], encode: Callable[[torch.Tensor], list[torch.Tensor]]) -> list[torch.Tensor]:
    """Encode texts in groups of equal length, which need no padding.

    ids: the tokens of each text. encode: encodes one group. Returns the results in the order of ids.
    """
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for place, tokens in enumerate(ids):
        groups[len(tokens)].append(place)
    results: dict[int, torch.Tensor] = {}
    with torch.inference_mode():
        for places in groups.values():
            for start in range(0, len(places), TEXTS_AT_A_TIME):
                some = places[start : start + TEXTS_AT_A_TIME]
                results |= zip(some, encode(torch.tensor([list(ids[place]) for place in some])), strict=True)
    return [results[place] for place in range(len(ids))]
