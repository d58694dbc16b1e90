"""Write a model with its merged adapter to a folder that servers can load.

EXPERT's adapter also replaces the projector, which no server supports as a LoRA adapter. So the adapter must be merged.
The weights get the names of the model's files on the Hugging Face hub ("language_model.model.layers.0…"), because
servers expect these names. The library transformers can read these names and its own names.
"""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from core.errors import AlreadyExists
from core.models.runtime.memory import loading
from core.models.runtime.torchvision_ops import prepare_torchvision
from core.models.vlm.engine import DTYPES, load_model
from core.models.vlm.lora import merge_adapter
from core.models.weights.availability import Weights

TEMPLATE = Path(__file__).resolve().parents[3] / "assets" / "llava_v1.jinja"
SHARD_BYTES = 5_000_000_000
WEIGHTS = (".safetensors", ".bin", ".pt", ".pth", ".index.json", ".gguf")  # files of the base model that are not copied
HUB_NAMES = (  # (pattern in transformers' names of weights, its replacement on the hub); the first match is used
    (r"^(?:model\.)?vision_tower\.(?!vision_model\.)", "vision_tower.vision_model."),
    (r"^(?:model\.)?language_model\.(?!model\.|lm_head\.)", "language_model.model."),
    (r"^lm_head\.", "language_model.lm_head."),
    (r"^model\.", ""),
)


def write_merged(base: Weights, adapter: Weights, to: Path, dtype: str) -> None:
    """Merge an adapter into a model and write the files for a server.

    The files are weights, tokenizer, settings and llava_v1.jinja. The folder `to` appears only when it is complete.
    Raises AlreadyExists, ModelUnavailable.
    """
    if to.exists():
        raise AlreadyExists(f"{to} already exists. Choose another folder with --to.")
    prepare_torchvision()
    with loading(base.name, base.folder):
        model = load_model(base, torch.device("cpu"), DTYPES[dtype])
        merge_adapter(model, adapter.folder)
    unfinished = to.with_name(f"{to.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    for path in base.folder.iterdir():
        if path.is_file() and not path.name.endswith(WEIGHTS):
            shutil.copy(path, unfinished / path.name)
    shutil.copy(TEMPLATE, unfinished / TEMPLATE.name)
    _write_weights(model, unfinished)
    made_of = {"base": f"{base.name}@{base.revision}", "adapter": f"{adapter.name}@{adapter.revision}", "dtype": dtype}
    (unfinished / "merged.json").write_text(json.dumps(made_of, indent=2) + "\n", encoding="utf-8")
    for path in unfinished.iterdir():  # make files readable by all, because a server often runs as another user
        path.chmod(0o644)
    unfinished.chmod(0o755)
    unfinished.rename(to)


def hub_name(name: str) -> str:
    """Return the name of a LLaVA weight in the files on the Hugging Face hub.

    name: the weight's name in the library transformers.
    """
    for pattern, replacement in HUB_NAMES:
        renamed, count = re.subn(pattern, replacement, name)
        if count:
            return renamed
    return name


def _write_weights(model: Any, folder: Path) -> None:
    from safetensors.torch import save_file

    shards = list(_shards({hub_name(name): tensor for name, tensor in model.state_dict().items()}))
    weight_map: dict[str, str] = {}
    for number, tensors in enumerate(shards, 1):
        name = f"model-{number:05}-of-{len(shards):05}.safetensors"
        save_file({key: tensor.contiguous() for key, tensor in tensors.items()}, folder / name, {"format": "pt"})
        weight_map |= dict.fromkeys(tensors, name)
    size = sum(tensor.nbytes for tensors in shards for tensor in tensors.values())
    index = {"metadata": {"total_size": size}, "weight_map": weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")


def _shards(tensors: dict[str, torch.Tensor]) -> Iterator[dict[str, torch.Tensor]]:
    """Yield the tensors in groups (shards) of limited size, one for each file."""
    shard: dict[str, torch.Tensor] = {}
    for name, tensor in tensors.items():
        if shard and sum(one.nbytes for one in shard.values()) + tensor.nbytes > SHARD_BYTES:
            yield shard
            shard = {}
        shard[name] = tensor
    yield shard
