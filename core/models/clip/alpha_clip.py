"""Alpha-CLIP: a CLIP whose image encoder also takes a mask, so that it describes one region of a picture.

Sun et al., "Alpha-CLIP: A CLIP Model Focusing on Wherever You Want", CVPR 2024. Checkpoint keys are as in
SunzeY/AlphaCLIP@e5676c9 alpha_clip/model.py. The image encoder is transformers' CLIP with a fourth input channel for
the mask. This is possible because conv1(image) + conv1_alpha(alpha) equals one convolution over the four channels.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from core.errors import ModelUnavailable
from core.long_work.progress import report
from core.models.clip.openai import State, to_transformers, vision_sizes
from core.models.clip.pixels import alpha, checked_geometry, picture, standardised
from core.models.clip.text import ClipText, load_clip_text, unit
from core.models.runtime.device import torch_device, usual_batch
from core.models.runtime.token_limit import TokensRead
from core.models.runtime.torchvision_ops import prepare_torchvision
from core.models.weights.checkpoints import CLIP_L14
from core.models.weights.files import read_weights, weights_name
from core.regions.protocols import Features
from core.types import ImageRef, ImageRegion

if TYPE_CHECKING:
    from transformers import CLIPVisionModelWithProjection

# The published image towers. Key: (patch size, side in px). Value: the CLIP whose text tower was used in training.
TEXT_TOWERS = {
    (14, 224): (CLIP_L14.repo, CLIP_L14.revision),
    (14, 336): ("openai/clip-vit-large-patch14-336", "ce19dc912ca5cd21c8a653c79e251e808ccabcd1"),
    (16, 224): ("openai/clip-vit-base-patch16", "57c216476eefef5ab752ec549e440a49ae4ae5f3"),
}


class AlphaClip:
    """A RegionEncoder that encodes each region as the whole picture with the region's mask."""

    weight = 2.5  # CLIPScore's factor w; it enlarges raw cosines, which are only 0.2 to 0.3 for matching pairs

    def __init__(
        self, vision: Any, text: ClipText, weights: str, geometry: str = "pad", batch_size: int | None = None
    ) -> None:
        self._vision, self._text = vision.eval().requires_grad_(False), text
        self._weights, self._geometry = weights, checked_geometry(geometry)
        self._batch_size = batch_size or usual_batch(vision.device)

    @property
    def name(self) -> str:
        """Return the encoder's name, as it appears in the signatures of scores.

        The name states the weights, and how pictures and masks become square.
        """
        return f"alpha-clip/{self._weights}/{self._geometry}"

    def encode_regions(self, image: ImageRef, regions: Sequence[ImageRegion]) -> Features:
        """Return the regions' features: unit vectors [len(regions), E].

        batch_size regions are encoded at a time. Raises BadImage, BadMask.
        """
        rgb = picture(image)
        side = int(self._vision.config.image_size)
        pixels = standardised(rgb, side, self._geometry)
        size = (rgb.shape[1], rgb.shape[2])
        alphas = (alpha(region, size, side, self._geometry) for region in regions)
        encoded: list[Features] = []
        for batch in _batches(alphas, self._batch_size):
            report("Comparing regions", sum(map(len, encoded)), len(regions))
            encoded.append(self._encode(pixels, batch))
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

    def _encode(self, pixels: torch.Tensor, alphas: torch.Tensor) -> Features:
        four_channels = torch.cat([pixels.expand(len(alphas), -1, -1, -1), alphas], dim=1).to(self._vision.device)
        with torch.inference_mode():
            return unit(self._vision(pixel_values=four_channels).image_embeds)


def alpha_tower(state: State) -> "CLIPVisionModelWithProjection":
    """Build the image encoder from a published state dict.

    Raises ModelUnavailable for missing or unexpected keys.
    """
    prepare_torchvision()
    from transformers import CLIPVisionConfig, CLIPVisionModelWithProjection

    if "conv1_alpha.weight" not in state or "proj" not in state:
        raise ModelUnavailable(
            f"this file has no Alpha-CLIP image encoder (conv1_alpha, proj). Its first weights are {sorted(state)[:3]}"
        )
    joined = {f"visual.{key}": tensor for key, tensor in state.items() if key != "conv1_alpha.weight"}
    joined["visual.conv1.weight"] = torch.cat([state["conv1.weight"], state["conv1_alpha.weight"]], dim=1)
    config = CLIPVisionConfig(num_channels=4, projection_dim=state["proj"].shape[1], **vision_sizes(joined))
    tower = CLIPVisionModelWithProjection(config)
    try:
        tower.load_state_dict(to_transformers(joined), strict=True)
    except RuntimeError as error:
        raise ModelUnavailable(f"these are not the weights of an Alpha-CLIP image encoder: {error}") from error
    return tower.float()


def load_alpha_clip(checkpoint: Path, device: str = "auto", geometry: str = "pad", trust: bool = False) -> AlphaClip:
    """Load a published Alpha-CLIP checkpoint and the text encoder that belongs to it.

    Nothing is downloaded. Raises ModelUnavailable.
    """
    tower = alpha_tower(read_weights(checkpoint, trust))
    shape = (int(tower.config.patch_size), int(tower.config.image_size))
    if shape not in TEXT_TOWERS:
        raise ModelUnavailable(f"{checkpoint.name}: patch and image size must be in {list(TEXT_TOWERS)}, found {shape}")
    repo, revision = TEXT_TOWERS[shape]
    text = load_clip_text(repo, revision, device)
    return AlphaClip(tower.to(torch_device(device)), text, weights_name(checkpoint), geometry)


def _batches(rows: Iterator[torch.Tensor], size: int) -> Iterator[torch.Tensor]:
    held: list[torch.Tensor] = []
    for row in rows:
        held.append(row)
        if len(held) == size:
            yield torch.stack(held)
            held = []
    if held:
        yield torch.stack(held)
