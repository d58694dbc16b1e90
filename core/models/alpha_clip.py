"""The encoders of HICE-S that look at the picture: Alpha-CLIP, and plain CLIP on masked crops.

Sun et al., "Alpha-CLIP: A CLIP Model Focusing on Wherever You Want", CVPR 2024: a CLIP whose image encoder also takes a
mask, so that it describes one region of a picture. Checkpoint keys are as in SunzeY/AlphaCLIP@e5676c9
alpha_clip/model.py. The image encoder is transformers' CLIP with a fourth input channel for the mask. This is possible
because conv1(image) + conv1_alpha(alpha) equals one convolution over the four channels.

As in Alpha-CLIP's training transform (train/dataset/alpha_grit.py), the picture is padded with zeros to a square before
it is standardised. Tensors are resized with antialiasing: the picture bicubic (not clamped), the mask bilinear.

Without an Alpha-CLIP checkpoint, a plain CLIP encodes crops of the regions, without their surroundings.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn.functional import interpolate, pad

from core.errors import BadMask, ModelUnavailable
from core.images.pictures import file_of, open_rgb
from core.long_work.progress import report
from core.models.checkpoints import ALPHA_CLIP, CLIP_L14
from core.models.clip import MEAN, STD, ClipEncoder, State, load_clip, to_transformers
from core.models.device import torch_device
from core.models.weights import find_weights, read_weights, weights_name
from core.regions import masks
from core.regions.protocols import Features
from core.types import ImageRef, ImageRegion

if TYPE_CHECKING:
    from transformers import CLIPVisionConfig, CLIPVisionModelWithProjection

ALPHA_MEAN, ALPHA_STD = 0.5, 0.26  # normalised values: +1.923 inside a mask, -1.923 outside
PICTURES_KEPT = 64  # maximum number of pictures whose features stay in memory, 600 kB for 100 regions


class RegionClip:
    """A RegionEncoder: a CLIP that sees one region of a picture at a time.

    With Alpha-CLIP's image encoder, it sees the whole picture with the region's mask. Without, it sees a crop of the
    region without its surroundings.
    """

    weight = 2.5  # CLIPScore's factor w; it enlarges raw cosines, which are only 0.2 to 0.3 for matching pairs

    def __init__(self, clip: ClipEncoder, alpha: Any = None, weights: str = "", batch_size: int | None = None) -> None:
        """Take CLIP, and Alpha-CLIP's image encoder with the name of its weights."""
        self._clip, self._alpha = clip, None if alpha is None else alpha.eval().requires_grad_(False)
        self._side = clip.side if alpha is None else int(alpha.config.image_size)
        # In signatures: the weights, and how pictures and masks become square.
        self.name = f"clip-crops/{clip.weights}" if alpha is None else f"alpha-clip/{weights}/pad"
        # A CPU is not faster with larger batches.
        self._batch_size = batch_size or (4 if clip.device.type == "cpu" else 32)
        self._kept = lru_cache(PICTURES_KEPT)(self._encoded)

    def encode_texts(self, texts: Sequence[str]) -> Features:
        """Return the texts' features: unit vectors [len(texts), E]."""
        return unit(self._clip.texts(texts))

    def encode_regions(self, image: ImageRef, regions: Sequence[ImageRegion]) -> Features:
        """Return the regions' features: unit vectors [len(regions), E]. Raises BadImage, BadMask."""
        return self._kept(image, tuple(regions))

    def _encoded(self, image: ImageRef, regions: tuple[ImageRegion, ...]) -> Features:
        rgb, encoded, tower = picture(image), list[Features](), self._alpha
        whole = standardised(rgb, self._side)
        for start in range(0, len(regions), self._batch_size):
            report("Comparing regions", start, len(regions))
            some = regions[start : start + self._batch_size]
            if tower is None:
                crops = [standardised(masked_crop(rgb, region), self._side) for region in some]
                encoded.append(unit(self._clip.pixels(torch.stack(crops))))
            else:
                layers = [torch.cat([whole, alpha(region, rgb, self._side)]) for region in some]
                with torch.inference_mode():
                    seen = tower(pixel_values=torch.stack(layers).to(tower.device))
                encoded.append(unit(seen.image_embeds))
        report("Comparing regions", len(regions), len(regions))
        return np.concatenate(encoded)


def unit(features: torch.Tensor) -> Features:
    """Scale features [N, E] to length 1; returns float64 numpy."""
    normalised: Features = torch.nn.functional.normalize(features.double(), dim=-1).cpu().numpy()
    return normalised


def picture(image: ImageRef) -> torch.Tensor:
    """Return the picture as people see it, float32 [3, height, width] in [0, 1]. Raises BadImage."""
    return torch.from_numpy(np.array(open_rgb(file_of(image)))).permute(2, 0, 1).float() / 255


def squared(tensor: torch.Tensor, side: int, mode: str) -> torch.Tensor:
    """Pad a tensor [C, height, width] with zeros to a square, and resize it to [C, side, side] with antialiasing."""
    height, width = tensor.shape[1:]
    left, top = max(0, height - width) // 2, max(0, width - height) // 2
    square = pad(tensor, (left, max(0, height - width) - left, top, max(0, width - height) - top))
    return interpolate(square[None], (side, side), mode=mode, antialias=True)[0]


def standardised(rgb: torch.Tensor, side: int) -> torch.Tensor:
    """Return a picture [3, height, width] in [0, 1] as float32 [3, side, side], standardised as CLIP does."""
    resized = squared(rgb, side, "bicubic")
    return (resized - torch.tensor(MEAN)[:, None, None]) / torch.tensor(STD)[:, None, None]


def alpha(region: ImageRegion, rgb: torch.Tensor, side: int) -> torch.Tensor:
    """Return a region's standardised mask, float32 [1, side, side].

    For the whole picture the mask is 1 everywhere, including the padding. Raises BadMask for a mask of another size.
    """
    mask = torch.ones(1, side, side)
    if not region.is_full:
        mask = squared(mask_of(region, rgb)[None].float(), side, "bilinear")
    return (mask - ALPHA_MEAN) / ALPHA_STD


def mask_of(region: ImageRegion, rgb: torch.Tensor) -> torch.Tensor:
    """Return a region's mask, bool [height, width]. Raises BadMask for a mask of another size than the picture's."""
    size = (rgb.shape[1], rgb.shape[2])
    if region.size != size:
        raise BadMask(f"a mask of the picture's {size[1]}×{size[0]} px", f"{region.size[1]}×{region.size[0]} px")
    return torch.from_numpy(np.ascontiguousarray(masks.decode(region.rle, size)))


def masked_crop(rgb: torch.Tensor, region: ImageRegion) -> torch.Tensor:
    """Return a region on a square of CLIP's mean colour, float32 [3, side, side].

    The whole picture is returned unchanged. Raises BadMask for a mask that is empty or of another size.
    """
    if region.is_full:
        return rgb
    mask, box = mask_of(region, rgb), masks.box(region.rle, region.size)
    if box is None:
        raise BadMask("a mask with at least one pixel", "an empty mask")
    left, top, right, bottom = box
    side = max(right - left, bottom - top)
    x, y = (side - (right - left)) // 2, (side - (bottom - top)) // 2
    square = torch.tensor(MEAN)[:, None, None].repeat(1, side, side)
    inside, place = mask[top:bottom, left:right], square[:, y : y + bottom - top, x : x + right - left]
    place[:, inside] = rgb[:, top:bottom, left:right][:, inside]
    return square


def alpha_tower(state: State, config: "CLIPVisionConfig") -> "CLIPVisionModelWithProjection":
    """Build the image encoder from a published state dict. Raises ModelUnavailable for other weights.

    config: that of the CLIP from which the Alpha-CLIP was made.
    """
    from transformers import CLIPVisionConfig, CLIPVisionModelWithProjection

    if "conv1_alpha.weight" not in state or "proj" not in state:
        raise ModelUnavailable(
            f"this file has no Alpha-CLIP image encoder (conv1_alpha, proj). Its first weights are {sorted(state)[:3]}"
        )
    joined = {f"visual.{key}": tensor for key, tensor in state.items() if key != "conv1_alpha.weight"}
    joined["visual.conv1.weight"] = torch.cat([state["conv1.weight"], state["conv1_alpha.weight"]], dim=1)
    changes = {"num_channels": 4, "projection_dim": state["proj"].shape[1]}
    tower = CLIPVisionModelWithProjection(CLIPVisionConfig(**config.to_dict() | changes))
    try:
        tower.load_state_dict(to_transformers(joined), strict=True)
    except RuntimeError as error:
        raise ModelUnavailable(f"these are not the weights of this Alpha-CLIP image encoder: {error}") from error
    return tower.float()


def load_alpha_clip(checkpoint: Path, device: str = "auto") -> RegionClip:
    """Load a published Alpha-CLIP checkpoint of CLIP ViT-L/14, and CLIP's text encoder. Raises ModelUnavailable."""
    if not checkpoint.is_file():
        raise ModelUnavailable(f"There is no file {checkpoint}. Get {ALPHA_CLIP.repo} from {ALPHA_CLIP.address}.")
    weights = read_weights(checkpoint)
    clip = load_clip(find_weights(CLIP_L14.repo, "HICE-S"), device)
    tower = alpha_tower(weights, clip.model.config.vision_config)
    return RegionClip(clip, tower.to(torch_device(device)), weights_name(checkpoint))


def load_crop_clip(device: str = "auto") -> RegionClip:
    """Load CLIP ViT-L/14, which encodes crops of regions. Raises ModelUnavailable."""
    return RegionClip(load_clip(find_weights(CLIP_L14.repo, "HICE-S"), device))
