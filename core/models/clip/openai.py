"""OpenAI's CLIP as transformers' CLIPModel, built from a state dict with OpenAI's own keys.

All sizes are inferred from the shapes of the weights, so ViT-B/32 and ViT-B/16 need no separate settings. Only the
number of attention heads cannot be inferred from shapes. In all of OpenAI's models each head is 64 wide, so this is
assumed here too (as in CLIP ``model.py::build_model``).
"""

import math
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.models.runtime.torchvision_ops import prepare_torchvision

if TYPE_CHECKING:
    import torch
    from PIL import Image
    from torchvision.transforms import v2
    from transformers import CLIPConfig, CLIPModel

HEAD_WIDTH = 64  # number of dimensions of one attention head
MEAN = (0.48145466, 0.4578275, 0.40821073)  # mean of RGB in [0, 1]
STD = (0.26862954, 0.26130258, 0.27577711)

_WHOLE_KEYS = {
    "logit_scale": "logit_scale",
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

State = Mapping[str, "torch.Tensor"]


def clip_from_openai(state: State) -> "CLIPModel":
    """Build the CLIP of these weights, in float32. Raises KeyError or RuntimeError for other weights."""
    prepare_torchvision()
    from transformers import CLIPModel

    model = CLIPModel(openai_config(state))
    model.load_state_dict(to_transformers(state), strict=True)
    return model.float()


def openai_config(state: State) -> "CLIPConfig":
    """Return a CLIP's sizes, computed from its weights."""
    from transformers import CLIPConfig

    text_width = state["ln_final.weight"].shape[0]
    text = {
        "vocab_size": state["token_embedding.weight"].shape[0],
        "max_position_embeddings": state["positional_embedding"].shape[0],
        **_tower_sizes(state, "", text_width),
        "bos_token_id": None,
        "pad_token_id": None,
        "eos_token_id": 2,  # makes transformers end a text at its token with the highest id, as in OpenAI's code
    }
    return CLIPConfig(
        text_config=text, vision_config=vision_sizes(state), projection_dim=state["text_projection"].shape[1]
    )


def vision_sizes(state: State) -> dict[str, int]:
    """Return the image encoder's sizes, computed from its weights, under CLIPVisionConfig's names."""
    patch, places = state["visual.conv1.weight"].shape[-1], state["visual.positional_embedding"].shape[0]
    return {
        "patch_size": patch,
        "image_size": patch * math.isqrt(places - 1),
        **_tower_sizes(state, "visual.", state["visual.conv1.weight"].shape[0]),
    }


def to_transformers(state: State) -> dict[str, "torch.Tensor"]:
    """Rename OpenAI's keys to those of transformers.

    The joint query-key-value weights are split into three. Unknown keys are kept unchanged, so the error of
    load_state_dict lists them.
    """
    renamed: dict[str, torch.Tensor] = {}
    for key, tensor in state.items():
        block = _BLOCK.match(key)
        if block:
            renamed |= _renamed_block(block, tensor)
        elif key in _TRANSPOSED_KEYS:
            renamed[_TRANSPOSED_KEYS[key]] = tensor.T.contiguous()
        else:
            renamed[_WHOLE_KEYS.get(key, key)] = tensor
    return renamed


def clip_transform(size: int, mean: tuple[float, ...] = MEAN, std: tuple[float, ...] = STD) -> "v2.Compose":
    """Return the function that prepares a PIL RGB image for OpenAI's CLIP.

    The function returns float32 [3, size, size]. It resizes the shorter side to `size` (bicubic, by PIL), then crops
    the centre square. Finally it standardises the values with mean and std.
    """
    prepare_torchvision()
    import torch
    from torchvision.transforms import v2

    return v2.Compose(
        [
            v2.Resize(size, interpolation=v2.InterpolationMode.BICUBIC),
            v2.CenterCrop(size),
            v2.Lambda(_as_rgb),
            v2.PILToTensor(),
            v2.ToDtype(torch.float32, scale=True),
            v2.Normalize(list(mean), list(std)),
        ]
    )


def _as_rgb(image: "Image.Image") -> "Image.Image":
    return image.convert("RGB")


def _tower_sizes(state: State, tower: str, width: int) -> dict[str, int]:
    blocks = f"{tower}transformer.resblocks."
    return {
        "hidden_size": width,
        "intermediate_size": state[f"{blocks}0.mlp.c_fc.weight"].shape[0],
        "num_hidden_layers": len({key.removeprefix(blocks).split(".")[0] for key in state if key.startswith(blocks)}),
        "num_attention_heads": max(1, width // HEAD_WIDTH),
    }


def _renamed_block(block: re.Match[str], tensor: "torch.Tensor") -> dict[str, "torch.Tensor"]:
    tower, layer, part, kind = block.groups()
    stem = f"{'vision' if tower else 'text'}_model.encoder.layers.{layer}"
    if part == "attn.in_proj":
        names = [f"{stem}.self_attn.{name}_proj.{kind}" for name in "qkv"]
        return dict(zip(names, tensor.chunk(3), strict=True))
    return {f"{stem}.{_BLOCK_PARTS.get(part, part)}.{kind}": tensor}
