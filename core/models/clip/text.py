"""CLIP's text encoder, shared by the encoders that compare regions with texts."""

from collections.abc import Sequence
from typing import Any

import torch

from core.models.runtime.device import torch_device
from core.models.runtime.token_limit import TokensRead, tokens_read
from core.models.runtime.torchvision_ops import prepare_torchvision
from core.models.weights.hub import from_cache
from core.regions.protocols import Features

CONTEXT = 77  # maximum tokens of a text, including start and end; a longer text is cut before its end token


class ClipText:
    """CLIP's text encoder with its tokenizer."""

    def __init__(self, tower: Any, tokenizer: Any, batch_size: int = 64) -> None:
        self._tower, self._tokenizer, self._batch_size = tower.eval().requires_grad_(False), tokenizer, batch_size

    def encode(self, texts: Sequence[str]) -> Features:
        """Return the texts' features: unit vectors [len(texts), E]."""
        batches = [list(texts[start : start + self._batch_size]) for start in range(0, len(texts), self._batch_size)]
        with torch.inference_mode():
            return unit(torch.cat([self._features(batch) for batch in batches]))

    def tokens_read(self, text: str) -> TokensRead:
        """Return how many tokens of a text the encoder reads, and how many the text has.

        The start and end tokens are included.
        """
        return tokens_read(self._tokenizer, text, CONTEXT)

    def _features(self, texts: list[str]) -> torch.Tensor:
        tokens = self._tokenizer(texts, padding=True, truncation=True, max_length=CONTEXT, return_tensors="pt")
        features: torch.Tensor = self._tower(
            input_ids=tokens["input_ids"].to(self._tower.device),
            attention_mask=tokens["attention_mask"].to(self._tower.device),
        ).text_embeds
        return features


def unit(features: torch.Tensor) -> Features:
    """Scale features [N, E] to length 1; returns float64 numpy."""
    normalised: Features = torch.nn.functional.normalize(features.double(), dim=-1).cpu().numpy()
    return normalised


def load_clip_text(repo: str, revision: str, device: str) -> ClipText:
    """Load a CLIP's text encoder and tokenizer from the hub's cache. Raises ModelUnavailable."""
    prepare_torchvision()
    from transformers import AutoTokenizer, CLIPTextModelWithProjection

    tower = from_cache(CLIPTextModelWithProjection, repo, "0.6 to 1.7 GB", revision)
    tokenizer = from_cache(AutoTokenizer, repo, "0.6 to 1.7 GB", revision)
    return ClipText(tower.to(torch_device(device)), tokenizer)
