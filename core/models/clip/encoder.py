"""An encoder that uses any CLIP model of the library transformers.

It takes one image or text at a time, in float32.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch

from core.costs import timed
from core.images.pictures import open_rgb
from core.models import ModelSettings, check_options
from core.models.clip.openai import clip_transform
from core.models.runtime.device import torch_device
from core.models.runtime.token_limit import TokensRead, tokens_read
from core.models.runtime.torchvision_ops import prepare_torchvision
from core.models.weights.availability import find_weights
from core.models.weights.checkpoints import CLIP_B32
from core.models.weights.hub import from_cache, model_from_cache

if TYPE_CHECKING:
    from PIL import Image

FloatArray = npt.NDArray[np.float32]

FEATURES_KEPT = 8192  # maximum number of features in memory, about 2 kB each


class ClipEncoder:
    """CLIP's image and text encoders.

    They take one input at a time, so a feature never depends on other inputs.
    """

    def __init__(self, clip: Any, tokenizer: Any, image_processor: Any, device: torch.device, weights: str) -> None:
        self.weights = weights  # the name of the weights in signatures
        self._clip = clip.to(device).float().eval().requires_grad_(False)
        self._tokenizer, self._device = tokenizer, device
        self._prepare = _preparation(image_processor)
        self._image = lru_cache(FEATURES_KEPT)(self._opened_and_encoded)
        self.text_features = lru_cache(FEATURES_KEPT)(self._encoded_text)

    def image_features(self, path: Path) -> FloatArray:
        """Return the projected feature [E] of the picture at path, not normalised. Raises BadImage."""
        return self._image(path, path.stat().st_mtime_ns if path.exists() else 0)

    def tokens_read(self, text: str) -> TokensRead:
        """Return how many tokens of a text the model reads, and how many the text has.

        The start and end tokens are included.
        """
        return tokens_read(self._tokenizer, text, self._clip.config.text_config.max_position_embeddings)

    def _opened_and_encoded(self, path: Path, changed: int) -> FloatArray:
        pixels = self._prepare(open_rgb(path)).unsqueeze(0).to(self._device)
        with torch.inference_mode(), timed("model"):
            feature: FloatArray = self._clip.get_image_features(pixel_values=pixels).pooler_output[0].cpu().numpy()
        return feature

    def _encoded_text(self, text: str) -> FloatArray:
        longest = self._clip.config.text_config.max_position_embeddings
        tokens = self._tokenizer(text, truncation=True, max_length=longest, return_tensors="pt")
        with torch.inference_mode(), timed("model"):
            output = self._clip.get_text_features(input_ids=tokens.input_ids.to(self._device))
        feature: FloatArray = output.pooler_output[0].cpu().numpy()
        return feature


def load_clip(settings: ModelSettings) -> ClipEncoder:
    """Load CLIP from settings.model (a repository or folder), by default ViT-B/32, without a download.

    Raises ModelUnavailable with the command to run, and BadSetting if an option is set.
    """
    check_options(settings.options, ())
    prepare_torchvision()
    from transformers import AutoImageProcessor, AutoTokenizer, CLIPModel

    weights = find_weights(settings.model or CLIP_B32.repo, "CLIPScore")
    folder = str(weights.folder)
    clip = model_from_cache(CLIPModel, folder, "0.6 GB for ViT-B/32")
    tokenizer = from_cache(AutoTokenizer, folder, "its tokenizer, about 2 MB")
    processor = from_cache(AutoImageProcessor, folder, "its image settings, a few kB", backend="pil")
    named = f"{weights.name}@{weights.revision[:12]}"  # revision: a commit, or a fingerprint of the folder's files
    return ClipEncoder(clip, tokenizer, processor, torch_device(settings.device), named)


def _preparation(processor: Any) -> "Callable[[Image.Image], torch.Tensor]":
    """Return the function that turns an image into pixel values for CLIP.

    OpenAI's checkpoints, and others with the same settings, resize the shorter side and crop the centre. For these
    checkpoints, torchvision prepares the image as in the published code. The transformers library does not give equal
    results: for half of all image sizes it rounds the crop's corner in the other direction.
    """
    crop, size = processor.crop_size, processor.size
    if processor.do_center_crop and crop and size and crop["height"] == crop["width"] == size.get("shortest_edge"):
        prepare: Callable[[Image.Image], torch.Tensor] = clip_transform(
            crop["height"], tuple(processor.image_mean), tuple(processor.image_std)
        )
        return prepare
    return lambda image: processor(image, return_tensors="pt").pixel_values[0]
