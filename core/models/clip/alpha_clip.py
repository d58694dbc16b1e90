"""The encoders of HICE-S that look at the picture: Alpha-CLIP, and plain CLIP on masked crops.

Sun et al., "Alpha-CLIP: A CLIP Model Focusing on Wherever You Want", CVPR 2024: a CLIP whose image encoder also takes a
mask, so that it describes one region of a picture. Checkpoint keys are as in SunzeY/AlphaCLIP@e5676c9
alpha_clip/model.py. The image encoder is transformers' CLIP with a fourth input channel for the mask. This is possible
because conv1(image) + conv1_alpha(alpha) equals one convolution over the four channels.

As in Alpha-CLIP's training transform (train/dataset/alpha_grit.py), the picture is padded with zeros to a square before
it is standardised. Tensors are resized with antialiasing: the picture bicubic (not clamped), the mask bilinear.

Without an Alpha-CLIP checkpoint, CropClip encodes regions. It does not see the surroundings of a region.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn.functional import interpolate, pad

from core.errors import BadMask, ModelUnavailable
from core.images.pictures import file_of, open_rgb
from core.long_work.progress import report
from core.models.clip.openai import MEAN, STD, State, to_transformers, vision_sizes
from core.models.runtime.device import torch_device, usual_batch
from core.models.runtime.token_limit import TokensRead, tokens_read
from core.models.runtime.torchvision_ops import prepare_torchvision
from core.models.weights.checkpoints import CLIP_L14
from core.models.weights.files import read_weights, weights_name
from core.models.weights.hub import from_cache
from core.regions import masks
from core.regions.protocols import Features
from core.types import ImageRef, ImageRegion

if TYPE_CHECKING:
    from transformers import CLIPVisionModelWithProjection

ALPHA_MEAN, ALPHA_STD = 0.5, 0.26  # normalised values: +1.923 inside a mask, -1.923 outside
CONTEXT = 77  # maximum tokens of a text, including start and end; a longer text is cut before its end token
SIZE = "0.6 to 1.7 GB"  # of a CLIP's download
# The published image towers. Key: (patch size, side in px). Value: the CLIP whose text tower was used in training.
TEXT_TOWERS = {
    (14, 224): (CLIP_L14.repo, CLIP_L14.revision),
    (14, 336): ("openai/clip-vit-large-patch14-336", "ce19dc912ca5cd21c8a653c79e251e808ccabcd1"),
    (16, 224): ("openai/clip-vit-base-patch16", "57c216476eefef5ab752ec549e440a49ae4ae5f3"),
}


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
        """Return how many tokens of a text the encoder reads, and how many the text has, with start and end."""
        return tokens_read(self._tokenizer, text, CONTEXT)

    def _features(self, texts: list[str]) -> torch.Tensor:
        tokens = self._tokenizer(texts, padding=True, truncation=True, max_length=CONTEXT, return_tensors="pt")
        features: torch.Tensor = self._tower(
            input_ids=tokens["input_ids"].to(self._tower.device),
            attention_mask=tokens["attention_mask"].to(self._tower.device),
        ).text_embeds
        return features


class RegionClip:
    """A RegionEncoder with a CLIP of the library transformers. Subclasses decide how a region is shown to it."""

    weight = 2.5  # CLIPScore's factor w; it enlarges raw cosines, which are only 0.2 to 0.3 for matching pairs

    def __init__(self, vision: Any, text: ClipText, weights: str, batch_size: int | None = None) -> None:
        self._vision, self._text, self._weights = vision.eval().requires_grad_(False), text, weights
        self._batch_size = batch_size or usual_batch(vision.device)
        self._side = int(vision.config.image_size)

    def encode_regions(self, image: ImageRef, regions: Sequence[ImageRegion]) -> Features:
        """Return the regions' features: unit vectors [len(regions), E]. Raises BadImage, BadMask."""
        shown, encoded = self._shown(picture(image)), list[Features]()
        for start in range(0, len(regions), self._batch_size):
            report("Comparing regions", start, len(regions))
            pixels = torch.stack([shown(region) for region in regions[start : start + self._batch_size]])
            with torch.inference_mode():
                encoded.append(unit(self._vision(pixel_values=pixels.to(self._vision.device)).image_embeds))
        report("Comparing regions", len(regions), len(regions))
        return np.concatenate(encoded)

    def encode_texts(self, texts: Sequence[str]) -> Features:
        """Return the texts' features: unit vectors [len(texts), E]. Longer texts than 77 tokens are cut."""
        return self._text.encode(texts)

    def tokens_read(self, text: str) -> TokensRead:
        """Return how many tokens of a text the encoder reads, and how many the text has."""
        return self._text.tokens_read(text)

    def _shown(self, rgb: torch.Tensor) -> Callable[[ImageRegion], torch.Tensor]:
        """Return the function that gives the image encoder's input for a region of a picture."""
        raise NotImplementedError


class AlphaClip(RegionClip):
    """Encodes each region as the whole picture with the region's mask."""

    @property
    def name(self) -> str:
        """Return the encoder's name in signatures: its weights, and how pictures and masks become square."""
        return f"alpha-clip/{self._weights}/pad"

    def _shown(self, rgb: torch.Tensor) -> Callable[[ImageRegion], torch.Tensor]:
        pixels, size = standardised(rgb, self._side), (rgb.shape[1], rgb.shape[2])
        return lambda region: torch.cat([pixels, alpha(region, size, self._side)])


class CropClip(RegionClip):
    """Encodes each region as a crop of the picture without the surroundings."""

    @property
    def name(self) -> str:
        """Return the encoder's name in signatures."""
        return f"clip-crops/{self._weights}"

    def _shown(self, rgb: torch.Tensor) -> Callable[[ImageRegion], torch.Tensor]:
        return lambda region: standardised(masked_crop(rgb, region), self._side)


def unit(features: torch.Tensor) -> Features:
    """Scale features [N, E] to length 1; returns float64 numpy."""
    normalised: Features = torch.nn.functional.normalize(features.double(), dim=-1).cpu().numpy()
    return normalised


def picture(image: ImageRef) -> torch.Tensor:
    """Return the picture as people see it, float32 [3, height, width] in [0, 1]. Raises BadImage."""
    return torch.from_numpy(np.array(open_rgb(file_of(image)))).permute(2, 0, 1).float() / 255


def standardised(rgb: torch.Tensor, side: int) -> torch.Tensor:
    """Return a picture [3, height, width] in [0, 1] as float32 [3, side, side], standardised as CLIP does."""
    resized = interpolate(padded(rgb)[None], (side, side), mode="bicubic", antialias=True)[0]
    return (resized - torch.tensor(MEAN)[:, None, None]) / torch.tensor(STD)[:, None, None]


def alpha(region: ImageRegion, size: tuple[int, int], side: int) -> torch.Tensor:
    """Return a region's standardised mask, float32 [1, side, side], for a picture of size (height, width).

    For the whole picture the mask is 1 everywhere, including the padding. Raises BadMask for a mask of another size.
    """
    if region.size != size:
        raise BadMask(f"a mask of the picture's {size[1]}×{size[0]} px", f"{region.size[1]}×{region.size[0]} px")
    if region.is_full:
        mask = torch.ones(1, side, side)
    else:
        inside = torch.from_numpy(np.ascontiguousarray(masks.decode(region.rle, size)))[None].float()
        mask = interpolate(padded(inside)[None], (side, side), mode="bilinear", antialias=True)[0]
    return (mask - ALPHA_MEAN) / ALPHA_STD


def padded(tensor: torch.Tensor) -> torch.Tensor:
    """Pad a tensor [C, height, width] with zeros to a square."""
    height, width = tensor.shape[1:]
    left, top = max(0, height - width) // 2, max(0, width - height) // 2
    return pad(tensor, (left, max(0, height - width) - left, top, max(0, width - height) - top))


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


def alpha_tower(state: State) -> "CLIPVisionModelWithProjection":
    """Build the image encoder from a published state dict. Raises ModelUnavailable for missing or unexpected keys."""
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


def load_alpha_clip(checkpoint: Path, device: str = "auto") -> AlphaClip:
    """Load a published Alpha-CLIP checkpoint and its text encoder, without a download. Raises ModelUnavailable."""
    tower = alpha_tower(read_weights(checkpoint))
    shape = (int(tower.config.patch_size), int(tower.config.image_size))
    if shape not in TEXT_TOWERS:
        raise ModelUnavailable(f"{checkpoint.name}: patch and image size must be in {list(TEXT_TOWERS)}, found {shape}")
    text = load_clip_text(*TEXT_TOWERS[shape], device)
    return AlphaClip(tower.to(torch_device(device)), text, weights_name(checkpoint))


def load_crop_clip(device: str = "auto") -> CropClip:
    """Load CLIP ViT-L/14 from the hub's cache, without a download. Raises ModelUnavailable."""
    prepare_torchvision()
    from transformers import CLIPVisionModelWithProjection

    text = load_clip_text(CLIP_L14.repo, CLIP_L14.revision, device)
    vision = from_cache(CLIPVisionModelWithProjection, CLIP_L14.repo, SIZE, CLIP_L14.revision)
    return CropClip(vision.to(torch_device(device)), text, f"{CLIP_L14.repo}@{CLIP_L14.revision[:12]}")


def load_clip_text(repo: str, revision: str, device: str) -> ClipText:
    """Load a CLIP's text encoder and tokenizer from the hub's cache. Raises ModelUnavailable."""
    prepare_torchvision()
    from transformers import AutoTokenizer, CLIPTextModelWithProjection

    tower = from_cache(CLIPTextModelWithProjection, repo, SIZE, revision)
    return ClipText(tower.to(torch_device(device)), from_cache(AutoTokenizer, repo, SIZE, revision))
