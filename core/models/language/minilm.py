"""all-MiniLM-L6-v2's transformer, in numpy: six layers of BERT (Devlin et al. 2019, section 3; GELU, post-norm).

The texts are labels and phrases of a few words, for which numpy needs milliseconds. Importing torch and transformers
would take longer than all other work together.

Numbers are float64, so that results hardly depend on the order of additions. This order depends on the texts of a
batch, the number of threads and the processor. Another order changes a cosine by up to 2e-7 in float32, but only by
1e-15 in float64.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import ModelUnavailable

Array = NDArray[np.float64]

HEADS, EPSILON = 12, 1e-12  # values from the model's config.json
_EMBEDDINGS, _LAYER = "embeddings", "encoder.layer"


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear layer: x becomes x times weight, plus bias."""

    weight: Array  # [inputs, outputs]
    bias: Array  # [outputs]

    def __call__(self, x: Array) -> Array:
        """Map features [tokens, inputs] to features [tokens, outputs]."""
        return x @ self.weight + self.bias


@dataclass(frozen=True, slots=True)
class Norm:
    """Layer normalisation over a token's features."""

    weight: Array  # [width]
    bias: Array  # [width]
    epsilon: float

    def __call__(self, x: Array) -> Array:
        """Normalise features [tokens, width]. The result has the same shape."""
        centred = x - x.mean(axis=-1, keepdims=True)
        scaled: Array = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + self.epsilon)
        return scaled * self.weight + self.bias


@dataclass(frozen=True, slots=True)
class Layer:
    """Self-attention, then a feed-forward network, each with a residual connection and a norm."""

    heads: int
    asked: Linear  # weights of queries, keys and values, in this order: [width, 3 width]
    attended: Linear
    attended_norm: Norm
    wide: Linear
    narrow: Linear
    norm: Norm

    def __call__(self, x: Array, texts: Sequence[slice]) -> Array:
        """Map the features of all texts' tokens, [tokens, width], to new features of the same shape.

        A token attends only to its own text.
        """
        asked = self.asked(x)
        seen = np.concatenate([self._attend(asked[text]) for text in texts])
        x = self.attended_norm(x + self.attended(seen))
        return self.norm(x + self.narrow(gelu(self.wide(x))))

    def _attend(self, asked: Array) -> Array:
        tokens, width = len(asked), asked.shape[1] // 3
        # [heads, tokens, features of a head]
        queries, keys, values = asked.reshape(tokens, 3, self.heads, width // self.heads).transpose(1, 2, 0, 3)
        fit = queries @ keys.transpose(0, 2, 1) / np.sqrt(width // self.heads)
        shares = np.exp(fit - fit.max(axis=-1, keepdims=True))
        seen: Array = shares / shares.sum(axis=-1, keepdims=True) @ values
        return seen.transpose(1, 0, 2).reshape(tokens, width)


@dataclass(frozen=True, slots=True)
class MiniLM:
    """The whole transformer."""

    words: NDArray[np.float32]  # word embeddings [vocabulary, width], half of all weights; float32 holds them exactly
    places: Array  # position embeddings [longest text, width]; the token type embedding number 0 is already added
    norm: Norm
    layers: tuple[Layer, ...]

    def __call__(self, texts: Sequence[Sequence[int]]) -> list[Array]:
        """Return the last hidden states [tokens, width] of each text.

        texts: token ids, already truncated to the model's maximum length.
        """
        ends = np.cumsum([len(text) for text in texts])
        bounds = [slice(end - len(text), end) for text, end in zip(texts, ends, strict=True)]
        x = self.norm(np.concatenate([self.words[list(text)] + self.places[: len(text)] for text in texts]))
        for layer in self.layers:
            x = layer(x, bounds)
        return [x[text] for text in bounds]


def gelu(x: Array) -> Array:
    """Return GELU: x times the cumulative normal distribution at x."""
    from scipy.special import erf  # imported late, because the import takes a fifth of a second

    activated: Array = x * 0.5 * (1 + erf(x / np.sqrt(2)))
    return activated


def read_minilm(weights: Path) -> MiniLM:
    """Read the weights of all-MiniLM-L6-v2 from its file model.safetensors.

    Raises OSError for a missing file, ModelUnavailable for an incomplete file.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        return minilm(load_file(weights), HEADS, EPSILON)
    except SafetensorError as error:
        raise ModelUnavailable(f"{weights.name}: the file is broken ({error}); download it again") from error


def minilm(weights: Mapping[str, NDArray[np.float32]], heads: int, epsilon: float) -> MiniLM:
    """Build the transformer from its weights. Raises KeyError for a missing weight.

    weights: the names are those of the class BertModel in the library transformers. heads: number of attention heads.
    epsilon: added to a variance in the norms.
    """

    def linear(*names: str) -> Linear:
        parts = [(weights[f"{name}.weight"].T, weights[f"{name}.bias"]) for name in names]
        joined = np.concatenate([weight for weight, _ in parts], axis=1)
        return Linear(joined.astype(np.float64, order="C"), _exact(np.concatenate([bias for _, bias in parts])))

    def norm(name: str) -> Norm:
        return Norm(_exact(weights[f"{name}.LayerNorm.weight"]), _exact(weights[f"{name}.LayerNorm.bias"]), epsilon)

    def layer(name: str) -> Layer:
        attention = f"{name}.attention"
        return Layer(
            heads,
            asked=linear(*(f"{attention}.self.{part}" for part in ("query", "key", "value"))),
            attended=linear(f"{attention}.output.dense"),
            attended_norm=norm(f"{attention}.output"),
            wide=linear(f"{name}.intermediate.dense"),
            narrow=linear(f"{name}.output.dense"),
            norm=norm(f"{name}.output"),
        )

    one_sentence = weights[f"{_EMBEDDINGS}.token_type_embeddings.weight"][0]
    return MiniLM(
        weights[f"{_EMBEDDINGS}.word_embeddings.weight"],
        _exact(weights[f"{_EMBEDDINGS}.position_embeddings.weight"]) + one_sentence,
        norm(_EMBEDDINGS),
        tuple(layer(name) for name in _layers(weights)),
    )


def _exact(weight: NDArray[np.float32]) -> Array:
    return weight.astype(np.float64)


def _layers(weights: Mapping[str, NDArray[np.float32]]) -> Iterator[str]:
    number = 0
    while f"{_LAYER}.{number}.intermediate.dense.bias" in weights:
        yield f"{_LAYER}.{number}"
        number += 1
