"""Plain CLIP on masked crops: encodes regions if there is no Alpha-CLIP checkpoint.

A region is cropped to its box and padded to a square. The padding, and pixels outside the region's mask, get CLIP's
mean colour. Unlike Alpha-CLIP, this encoder does not see the surroundings of the region.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from core.errors import BadMask
from core.long_work.progress import report
from core.models.clip.openai import MEAN
from core.models.clip.pixels import picture, standardised
from core.models.clip.text import ClipText, load_clip_text, unit
from core.models.runtime.device import torch_device, usual_batch
from core.models.runtime.token_limit import TokensRead
from core.models.runtime.torchvision_ops import prepare_torchvision
from core.models.weights.checkpoints import CLIP_L14
from core.models.weights.hub import from_cache
from core.regions import masks
from core.regions.protocols import Features
from core.types import ImageRef, ImageRegion


class CropClip:
    """A RegionEncoder that uses any CLIP model of the library transformers."""

    weight = 2.5  # CLIPScore's w

    def __init__(self, vision: Any, text: ClipText, weights: str, batch_size: int | None = None) -> None:
        self._vision, self._text, self._weights = vision.eval().requires_grad_(False), text, weights
        self._batch_size = batch_size or usual_batch(vision.device)

    @property
    def name(self) -> str:
        """Return the encoder's name, as it appears in the signatures of scores."""
        return f"clip-crops/{self._weights}"

    def encode_regions(self, image: ImageRef, regions: Sequence[ImageRegion]) -> Features:
        """Return the regions' features: unit vectors [len(regions), E].

        batch_size regions are encoded at a time. Raises BadImage, BadMask.
        """
        rgb = picture(image)
        encoded: list[Features] = []
        for start in range(0, len(regions), self._batch_size):
            report("Comparing regions", start, len(regions))
            encoded.append(self._encode(rgb, regions[start : start + self._batch_size]))
        report("Comparing regions", len(regions), len(regions))
        return np.concatenate(encoded)

    def encode_texts(self, texts: Sequence[str]) -> Features:
        """Return the texts' features: unit vectors [len(texts), E].

        Texts with more than CLIP's 77 tokens are truncated.
        """
        return self._text.encode(texts)

    def tokens_read(self, text: str) -> TokensRead:
        """Return how many tokens of a text the encoder reads, and how many the text has."""
        return self._text.tokens_read(text)

    def _encode(self, rgb: torch.Tensor, regions: Sequence[ImageRegion]) -> Features:
        side = int(self._vision.config.image_size)
        crops = [standardised(masked_crop(rgb, region), side, "pad") for region in regions]
        with torch.inference_mode():
            return unit(self._vision(pixel_values=torch.stack(crops).to(self._vision.device)).image_embeds)


def masked_crop(rgb: torch.Tensor, region: ImageRegion) -> torch.Tensor:
    """Return a region on a square of CLIP's mean colour, float32 [3, side, side].

    The whole picture is returned unchanged. Raises BadMask for an empty mask, or for a mask whose size differs from the
    picture's [3, height, width].
    """
    height, width = rgb.shape[1:]
    if region.is_full:
        return rgb
    box = masks.box(region.rle, region.size)
    if region.size != (height, width) or box is None:
        raise BadMask(f"a mask on a picture of {width}×{height} px", f"{region.size}, box {box}")
    left, top, right, bottom = box
    side = max(right - left, bottom - top)
    x, y = (side - (right - left)) // 2, (side - (bottom - top)) // 2
    square = torch.tensor(MEAN)[:, None, None].repeat(1, side, side)
    inside = torch.from_numpy(np.ascontiguousarray(masks.decode(region.rle, region.size)[top:bottom, left:right]))
    place = square[:, y : y + bottom - top, x : x + right - left]
    place[:, inside] = rgb[:, top:bottom, left:right][:, inside]
    return square


def load_crop_clip(repo: str = CLIP_L14.repo, revision: str = CLIP_L14.revision, device: str = "auto") -> CropClip:
    """Load a CLIP from the hub's cache or a folder, without a download. Raises ModelUnavailable."""
    prepare_torchvision()
    from transformers import CLIPVisionModelWithProjection

    text = load_clip_text(repo, revision, device)
    vision = from_cache(CLIPVisionModelWithProjection, repo, "1.7 GB", revision)
    return CropClip(vision.to(torch_device(device)), text, f"{repo}@{revision[:12]}")
