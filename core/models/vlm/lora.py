"""Merge a LoRA adapter into LLaVA, and check that every key is used.

Two layouts are supported. The published adapter was trained with the original LLaVA code. It has names such as
``base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight``, and a projector in ``non_lora_trainables.bin``. The
other layout is peft's with transformers (``...model.language_model.layers.0...``). No key is skipped, because a partly
merged adapter would give wrong scores without any error.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from core.errors import ModelUnavailable
from core.models.weights.files import read_weights

# Maps the original LLaVA's names to transformers' names. The first matching pattern is used.
RENAMED = (
    (r"^model\.mm_projector\.0\.", "model.multi_modal_projector.linear_1."),
    (r"^model\.mm_projector\.2\.", "model.multi_modal_projector.linear_2."),
    (r"^model\.vision_tower\.vision_tower\.(vision_model\.)?", "model.vision_tower."),
    (r"^model\.(layers|embed_tokens|norm)\b", r"model.language_model.\1"),
    (r"^language_model\.model\.", "model.language_model."),
    (r"^language_model\.lm_head\.", "lm_head."),
    (r"^(multi_modal_projector|vision_tower)\.", r"model.\1."),
)
LORA = re.compile(r"^(?P<module>.+)\.lora_(?P<side>[AB])(\.default)?\.weight$")
FILES = ("adapter_model.safetensors", "adapter_model.bin")
EXTRA_FILE = "non_lora_trainables.bin"
UNSUPPORTED = ("use_dora", "fan_in_fan_out", "rank_pattern", "alpha_pattern", "layer_replication", "lora_bias")

Tensors = dict[str, torch.Tensor]


@dataclass
class Change:
    """An adapter's change to one parameter."""

    value: torch.Tensor | None = None  # tensor that replaces the parameter
    low: torch.Tensor | None = None  # lora_A, [rank, columns]
    high: torch.Tensor | None = None  # lora_B, [rows, rank]
    keys: list[str] = field(default_factory=list)  # names of these tensors (value, low, high) in the adapter's file


def merge_adapter(model: Any, folder: Path) -> None:
    """Merge an adapter into a model's weights.

    If a key does not fit, raises ModelUnavailable with file and key, before any weight is changed.
    """
    config = _config(folder)
    parameters: Tensors = dict(model.state_dict())
    planned = changes({**_weights(folder), **_extra_weights(folder)}, parameters, folder.name)
    for name, change in planned.items():  # one by one, because a second copy of all parameters would not fit in memory
        parameter = parameters[name]
        merged = (parameter if change.value is None else change.value).to(parameter.device, torch.float32)
        if change.low is not None and change.high is not None:
            low, high = (half.to(parameter.device, torch.float32) for half in (change.low, change.high))
            merged = merged + scale(config, len(low)) * (high @ low)
        parameter.copy_(merged)


def changes(weights: Mapping[str, torch.Tensor], parameters: Tensors, adapter: str) -> dict[str, Change]:
    """Return an adapter's changes, by the names of the model's parameters.

    Raises ModelUnavailable for a key that matches no parameter.
    """
    planned: dict[str, Change] = {}
    for key, tensor in weights.items():
        match = LORA.match(key)
        name = transformers_name(f"{match['module']}.weight" if match else key)
        if name not in parameters:
            raise ModelUnavailable(
                f"Adapter {adapter}: {key} changes the weight {name}, which the model does not have."
            )
        change = planned.setdefault(name, Change())
        part = {"A": "low", "B": "high"}[match["side"]] if match else "value"
        if getattr(change, part) is not None:
            raise ModelUnavailable(f"Adapter {adapter}: {key} and {change.keys[-1]} both change {name}.")
        setattr(change, part, tensor)
        change.keys.append(key)
    for name, change in planned.items():
        _check(change, tuple(parameters[name].shape), adapter)
    return planned


def transformers_name(key: str) -> str:
    """Return a parameter's name in transformers.

    key: its name in the original LLaVA code or in transformers.
    """
    name = key.removeprefix("base_model.").removeprefix("model.") if key.startswith("base_model.") else key
    name = name.replace(".modules_to_save.default.", ".").replace(".modules_to_save.", ".").replace(".base_layer.", ".")
    for pattern, replacement in RENAMED:
        renamed, count = re.subn(pattern, replacement, name)
        if count:
            return renamed
    return name


def scale(config: Mapping[str, Any], rank: int) -> float:
    """Return the factor by which an adapter's product B @ A is multiplied.

    The factor is alpha / rank, or alpha / sqrt(rank) if the adapter is rank-stabilised.
    """
    return float(config["lora_alpha"]) / (rank**0.5 if config.get("use_rslora") else rank)


def _check(change: Change, expected: tuple[int, ...], adapter: str) -> None:
    low, high = change.low, change.high
    if (low is None) != (high is None):
        raise ModelUnavailable(
            f"Adapter {adapter}: {change.keys[-1]} is present, but the second matrix of this LoRA pair is missing."
        )
    shapes = [] if change.value is None else [tuple(change.value.shape)]
    if low is not None and high is not None:
        shapes.append((high.shape[0], low.shape[1]) if high.shape[1] == low.shape[0] else tuple(high.shape))
    if any(shape != expected for shape in shapes):
        keys = " and ".join(change.keys)
        raise ModelUnavailable(
            f"Adapter {adapter}: {keys} have the shape {shapes[0]}, but the model needs {expected}. The adapter was "
            "trained on another model."
        )


def _config(folder: Path) -> dict[str, Any]:
    path = folder / "adapter_config.json"
    if not path.is_file():
        raise ModelUnavailable(f"Adapter {folder.name}: the file {path.name} is missing.")
    config: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    special = [name for name in UNSUPPORTED if config.get(name)]
    if special or config.get("bias", "none") != "none":
        raise ModelUnavailable(
            f"Adapter {folder.name}: {(special or ['bias'])[0]} cannot be merged. Capscope merges only plain LoRA."
        )
    return config


def _weights(folder: Path) -> Tensors:
    path = next((folder / name for name in FILES if (folder / name).is_file()), None)
    if path is None:
        raise ModelUnavailable(
            f"Adapter {folder.name}: the folder must contain {' or '.join(FILES)}, but contains neither."
        )
    return dict(read_weights(path))


def _extra_weights(folder: Path) -> Tensors:
    path = folder / EXTRA_FILE
    return dict(torch.load(path, map_location="cpu", weights_only=True)) if path.is_file() else {}
