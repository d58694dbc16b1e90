"""Full-size models with random weights: real shapes and real work, so that the machinery can be tried and timed.

The scores mean nothing, and the signature says so.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from core.captions.phrases import PhraseExtractor
from core.models.clip.alpha import AlphaClip
from core.models.clip.text import CONTEXT, ClipText
from core.models.hice.protocol import HiceParts
from core.models.runtime.torchvision_ops import prepare_torchvision
from core.models.sam.detector import BoxDetector, prepare_ultralytics
from core.models.sam.geometry import Boxes, Rgb
from core.models.sam.mobile_sam import MobileSam, assembled

SEED, BOXES = 0, 24


class SomeBoxes(BoxDetector):
    """Runs its network, then gives seeded boxes: random weights are never sure enough of one."""

    def boxes(self, rgb: Rgb) -> Boxes:
        """Return BOXES boxes [BOXES, 4] on the picture."""
        super().boxes(rgb)
        sides = np.array([rgb.shape[1], rgb.shape[0]])
        corners = np.random.default_rng(SEED).random((BOXES, 2, 2)) * sides
        boxes: Boxes = np.concatenate([corners.min(axis=1), corners.max(axis=1) + 1], axis=1)
        return boxes


class Letters:
    """Stands in for CLIP's tokenizer, whose vocabulary comes with the weights: a token a letter."""

    def __call__(self, texts: Sequence[str], max_length: int = CONTEXT, **settings: Any) -> dict[str, torch.Tensor]:
        rows = [[49406, *(ord(letter) % 256 for letter in text)][: max_length - 1] + [49407] for text in texts]
        longest = max(map(len, rows))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
        return {"input_ids": ids, "attention_mask": mask}


def random_parts(phrases: PhraseExtractor) -> HiceParts:
    """Return MobileSAMv2 with a YOLOv8x-seg detector, and Alpha-CLIP ViT-L/14, with seeded random weights."""
    torch.manual_seed(SEED)
    return HiceParts(phrases, random_mobile_sam(), random_alpha_clip())


def random_mobile_sam() -> MobileSam:
    """Return MobileSAMv2 in its default sizes."""
    prepare_ultralytics()
    from ultralytics.models.sam.build import build_mobile_sam
    from ultralytics.nn.tasks import SegmentationModel

    sam = build_mobile_sam()
    detector = SomeBoxes(SegmentationModel("yolov8x-seg.yaml", nc=1, verbose=False))
    return assembled(detector, sam, sam.image_encoder, "random", torch.device("cpu"))


def random_alpha_clip(batch_size: int | None = None) -> AlphaClip:
    """Return Alpha-CLIP ViT-L/14 at 224 px."""
    prepare_torchvision()
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
