"""CLIP: any CLIP model of transformers as an encoder, and the names of OpenAI's own weights in transformers."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch

from core.costs import timed
from core.images.pictures import open_rgb
from core.models.device import prepare_torchvision, torch_device
from core.models.weights import Weights, pretrained

if TYPE_CHECKING:
    from PIL import Image

FloatArray = npt.NDArray[np.float32]
State = Mapping[str, torch.Tensor]
Prepare = Callable[["Image.Image"], torch.Tensor]  # makes pixel values [3, side, side] from a picture

FEATURES_KEPT = 8192  # maximum number of features in memory, about 2 kB each
TEXTS_AT_A_TIME = 64  # number of texts of the same length per batch
MEAN = (0.48145466, 0.4578275, 0.40821073)  # mean of RGB in [0, 1]
STD = (0.26862954, 0.26130258, 0.27577711)

_WHOLE_KEYS = {
    "positional_embedding": "text_model.embeddings.position_embedding.weight",
    "token_embedding.weight": "text_model.embeddings.token_embedding.weight",
    "ln_final.weight": "text_model.final_layer_norm.weight",
    "ln_final.bias": "text_model.final_layer_norm.bias",
    "visual.class_embedding": "vision_model.embeddings.class_embedding",
    "visual.positional_embedding": "vision_model.embeddings.position_embedding.weight",
    "visual.conv1.weight": "vision_model.embeddings.patch_embedding.weight",
    "visual.ln_pre.weight": "vision_model.pre_layrnorm.weight",
    "visual.ln_pre.bias": "vision_model.pre_layrnorm.bias",
    "visual.ln_post.weight": "vision_model.post_layernorm.weight",
    "visual.ln_post.bias": "vision_model.post_layernorm.bias",
}
_TRANSPOSED_KEYS = {"text_projection": "text_projection.weight", "visual.proj": "visual_projection.weight"}
_BLOCK_PARTS = {
    "attn.out_proj": "self_attn.out_proj",
    "ln_1": "layer_norm1",
    "ln_2": "layer_norm2",
    "mlp.c_fc": "mlp.fc1",
    "mlp.c_proj": "mlp.fc2",
}
_BLOCK = re.compile(r"^(visual\.)?transformer\.resblocks\.(\d+)\.(.+?)[._](weight|bias)$")


class ClipEncoder:
    """CLIP's image and text encoders in float32, for CLIPScore, Polos and HICE-S. Features are not normalised.

    Texts are encoded without padding, alone or with texts of the same length. So other texts change a text's features
    only by rounding. The features of a text that is encoded alone are exactly reproducible.
    """

    def __init__(self, clip: Any, tokenizer: Any, device: torch.device, weights: str = "") -> None:
        """Take a CLIPModel. weights: the name of the weights in signatures."""
        self.model, self.weights, self.device = clip.to(device).float().eval().requires_grad_(False), weights, device
        self.side = int(clip.config.vision_config.image_size)  # side of the image encoder's input in px
        self._tokenizer, self._longest = tokenizer, int(clip.config.text_config.max_position_embeddings)
        self._prepare = clip_transform(self.side)
        self._image = lru_cache(FEATURES_KEPT)(self._opened_and_encoded)
        self.text_features = lru_cache(FEATURES_KEPT)(self._encoded_text)

    def image_features(self, path: Path) -> FloatArray:
        """Return the projected feature [E] of the picture at path. Raises BadImage."""
        return self._image(path, path.stat().st_mtime_ns if path.exists() else 0)

    def images(self, images: Sequence["Image.Image"]) -> torch.Tensor:
        """Return the projected features [N, E] of pictures."""
        return self.pixels(torch.stack([self._prepare(image) for image in images]))

    def pixels(self, pixels: torch.Tensor) -> torch.Tensor:
        """Return the projected features [N, E] of prepared pictures [N, 3, side, side]."""
        with torch.inference_mode():
            features: torch.Tensor = self.model.get_image_features(pixel_values=pixels.to(self.device)).pooler_output
        return features.clone()

    def texts(self, texts: Sequence[str]) -> torch.Tensor:
        """Return the projected features [N, E] of texts."""

        def encoded(ids: torch.Tensor) -> list[torch.Tensor]:
            return list(self.model.get_text_features(input_ids=ids.to(self.device)).pooler_output)

        limit = {"truncation": True, "max_length": self._longest}
        return torch.stack(by_length([self._tokenizer(text, **limit).input_ids for text in texts], encoded))

    def _opened_and_encoded(self, path: Path, changed: int) -> FloatArray:
        picture = open_rgb(path)
        with timed("model"):
            feature: FloatArray = self.images([picture])[0].cpu().numpy()
        return feature

    def _encoded_text(self, text: str) -> FloatArray:
        with timed("model"):
            feature: FloatArray = self.texts([text])[0].cpu().numpy()
        return feature


def by_length(ids: Sequence[Sequence[int]], encode: Callable[[torch.Tensor], list[torch.Tensor]]) -> list[torch.Tensor]:
    """Encode texts in groups of equal length, which need no padding.

    ids: the tokens of each text. encode: encodes one group. Returns the results in the order of ids.
    """
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for place, tokens in enumerate(ids):
        groups[len(tokens)].append(place)
    results: dict[int, torch.Tensor] = {}
    with torch.inference_mode():
        for places in groups.values():
            for start in range(0, len(places), TEXTS_AT_A_TIME):
                some = places[start : start + TEXTS_AT_A_TIME]
                results |= zip(some, encode(torch.tensor([list(ids[place]) for place in some])), strict=True)
    return [results[place] for place in range(len(ids))]


def load_clip(weights: Weights, device: str) -> ClipEncoder:
    """Load CLIP with its tokenizer. Raises ModelUnavailable."""
    prepare_torchvision()
    from transformers import AutoTokenizer, CLIPModel

    clip, tokenizer = pretrained(CLIPModel, weights), pretrained(AutoTokenizer, weights)
    return ClipEncoder(clip, tokenizer, torch_device(device), weights.signed)


def clip_transform(size: int) -> Prepare:
    """Return the function that prepares a PIL image for CLIP as OpenAI's code does, float32 [3, size, size].

    The shorter side is resized to `size` (bicubic, by PIL), the centre is cropped, the values are standardised. The
    transformers library rounds the crop's corner in the other direction for half of all sizes.
    """
    prepare_torchvision()
    from torchvision.transforms import v2

    steps: Prepare = v2.Compose(
        [
            v2.Resize(size, interpolation=v2.InterpolationMode.BICUBIC),
            v2.CenterCrop(size),
            v2.RGB(),
            v2.PILToTensor(),
            v2.ToDtype(torch.float32, scale=True),
            v2.Normalize(list(MEAN), list(STD)),
        ]
    )
    return steps


def to_transformers(state: State) -> dict[str, torch.Tensor]:
    """Rename OpenAI's keys to those of transformers, and split the joint query-key-value weights into three.

    Unknown keys are kept unchanged, so the error of load_state_dict lists them.
    """
    renamed: dict[str, torch.Tensor] = {}
    for key, tensor in state.items():
        block = _BLOCK.match(key)
        if key in _TRANSPOSED_KEYS:
            renamed[_TRANSPOSED_KEYS[key]] = tensor.T.contiguous()
        elif block is None:
            renamed[_WHOLE_KEYS.get(key, key)] = tensor
        else:
            tower, layer, part, kind = block.groups()
            stem = f"{'vision' if tower else 'text'}_model.encoder.layers.{layer}"
            if part == "attn.in_proj":
                names = [f"{stem}.self_attn.{name}_proj.{kind}" for name in "qkv"]
                renamed |= zip(names, tensor.chunk(3), strict=True)
            else:
                renamed[f"{stem}.{_BLOCK_PARTS.get(part, part)}.{kind}"] = tensor
    return renamed
