"""Alpha-CLIP in full size with random weights: real shapes and real work, scores that mean nothing."""

from collections.abc import Sequence
from typing import Any

import torch

from core.models.clip.alpha_clip import AlphaClip
from core.models.clip.text import CONTEXT, ClipText
from core.models.runtime.torchvision_ops import prepare_torchvision

SEED = 0


class Letters:
    """Stands in for CLIP's tokenizer, whose vocabulary comes with the weights: a token a letter."""

    def __call__(self, texts: Sequence[str], max_length: int = CONTEXT, **settings: Any) -> dict[str, torch.Tensor]:
        rows = [[49406, *(ord(letter) % 256 for letter in text)][: max_length - 1] + [49407] for text in texts]
        longest = max(map(len, rows))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
        return {"input_ids": ids, "attention_mask": mask}


def random_alpha_clip(batch_size: int | None = None) -> AlphaClip:
    """Return Alpha-CLIP ViT-L/14 at 224 px."""
    prepare_torchvision()
    torch.manual_seed(SEED)
    from transformers import (
        CLIPTextConfig,
        CLIPTextModelWithProjection,
        CLIPVisionConfig,
        CLIPVisionModelWithProjection,
    )

    vision = CLIPVisionConfig(
        num_channels=4, hidden_size=1024, intermediate_size=4096, num_hidden_layers=24, num_attention_heads=16,
        patch_size=14, image_size=224, projection_dim=768,
    )  # fmt: skip
    text = CLIPTextConfig(
        hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12, projection_dim=768,
        eos_token_id=49407,
    )  # fmt: skip
    words = ClipText(CLIPTextModelWithProjection(text), Letters())
    return AlphaClip(CLIPVisionModelWithProjection(vision), words, "random", batch_size=batch_size)
