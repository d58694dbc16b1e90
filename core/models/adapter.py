"""Merge a LoRA adapter into LLaVA with peft, and write the merged model for a server.

EXPERT's published adapter was trained with the original LLaVA code. Its keys have that code's names, and its projector
is in ``non_lora_trainables.bin``. The other layout is peft's with transformers. No key is skipped, because a partly
merged adapter would give wrong scores without any error.
"""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import torch

from core.errors import AlreadyExists, ModelUnavailable
from core.models.device import loading, prepare_torchvision
from core.models.weights import Weights, read_weights

RENAMED = (  # (pattern in the original LLaVA's names of weights, its replacement in transformers); first match counts
    (r"^model\.mm_projector\.0\.", "model.multi_modal_projector.linear_1."),
    (r"^model\.mm_projector\.2\.", "model.multi_modal_projector.linear_2."),
    (r"^model\.vision_tower\.vision_tower\.(vision_model\.)?", "model.vision_tower."),
    (r"^model\.(layers|embed_tokens|norm)\b", r"model.language_model.\1"),
    (r"^language_model\.model\.", "model.language_model."),
    (r"^language_model\.lm_head\.", "lm_head."),
    (r"^(multi_modal_projector|vision_tower)\.", r"model.\1."),
)
HUB_NAMES = (  # (pattern in transformers' names of weights, its replacement in the hub's files, which servers expect)
    (r"^(?:model\.)?vision_tower\.(?!vision_model\.)", "vision_tower.vision_model."),
    (r"^(?:model\.)?language_model\.(?!model\.|lm_head\.)", "language_model.model."),
    (r"^lm_head\.", "language_model.lm_head."),
    (r"^model\.", ""),
)
FILES = ("adapter_model.safetensors", "adapter_model.bin")
UNSUPPORTED = (  # settings of adapters that are no plain LoRA
    "bias use_dora use_rslora fan_in_fan_out rank_pattern alpha_pattern layer_replication lora_bias".split()
)
EXTRA_FILE = "non_lora_trainables.bin"
TEMPLATE = Path(__file__).resolve().parents[2] / "assets" / "llava_v1.jinja"
WEIGHTS = (".safetensors", ".bin", ".pt", ".pth", ".index.json", ".gguf")  # files of the base model that are not copied


def merged_model(model: Any, folder: Path) -> Any:
    """Return a model with an adapter merged into its weights.

    Raises ModelUnavailable for an adapter with a key or shape that the model does not have.
    """
    prepare_torchvision()
    from peft import LoraConfig, get_peft_model, set_peft_model_state_dict

    weights = adapter_weights(folder)
    lora = {key: tensor for key, tensor in weights.items() if ".lora_" in key}
    modules = sorted({key.partition(".lora_")[0] for key in lora})
    absent = set(modules) - {name for name, _ in model.named_modules()}
    if absent:
        raise ModelUnavailable(f"Adapter {folder.name} changes {min(absent)}, which the model does not have.")
    try:
        given = json.loads((folder / "adapter_config.json").read_text(encoding="utf-8"))
        special = [name for name in UNSUPPORTED if given.get(name, "none") not in (None, "none", False, {}, [])]
        if special:
            raise ValueError(f"it has {special[0]}, but Capscope merges only plain LoRA")
        config = LoraConfig(r=given["r"], lora_alpha=given["lora_alpha"], target_modules=modules)
        wrapped = get_peft_model(model, config)
        named = {f"base_model.model.{key}": tensor for key, tensor in lora.items()}
        unknown = set_peft_model_state_dict(wrapped, named).unexpected_keys
        half = [name for name in modules if (f"{name}.lora_A.weight" in lora) != (f"{name}.lora_B.weight" in lora)]
        merged = wrapped.merge_and_unload()
        rest = {key: tensor for key, tensor in weights.items() if key not in lora}
        unknown += merged.load_state_dict(rest, strict=False).unexpected_keys
    except (OSError, KeyError, ValueError, RuntimeError) as error:
        raise ModelUnavailable(
            f"Adapter {folder.name} cannot be merged: {' '.join(str(error).split())[:300]}"
        ) from error
    if unknown or half:
        problem = f"{unknown[0]} is not in the model" if unknown else f"one of the two matrices of {half[0]} is missing"
        raise ModelUnavailable(f"Adapter {folder.name} cannot be merged: {problem}.")
    return merged.eval()


def adapter_weights(folder: Path) -> dict[str, torch.Tensor]:
    """Return an adapter's weights by transformers' names of the changed weights. Raises ModelUnavailable."""
    path = next((folder / name for name in FILES if (folder / name).is_file()), None)
    if path is None:
        raise ModelUnavailable(f"Adapter {folder.name} has neither {' nor '.join(FILES)}.")
    weights = dict(read_weights(path))
    if (folder / EXTRA_FILE).is_file():
        weights |= read_weights(folder / EXTRA_FILE)
    renamed = {transformers_name(key): tensor for key, tensor in weights.items()}
    if len(renamed) < len(weights):
        raise ModelUnavailable(f"Adapter {folder.name}: two keys change the same weight.")
    return renamed


def transformers_name(key: str) -> str:
    """Return a weight's name in transformers. key: its name in the original LLaVA code, in peft or in transformers."""
    name = key.removeprefix("base_model.").removeprefix("model.") if key.startswith("base_model.") else key
    name = re.sub(r"\.(modules_to_save(\.default)?|base_layer)\.", ".", name)
    return _renamed(re.sub(r"\.(lora_[AB])\.default\.", r".\1.", name), RENAMED)


def hub_name(name: str) -> str:
    """Return the name of a LLaVA weight in the files on the Hugging Face hub. name: its name in transformers."""
    return _renamed(name, HUB_NAMES)


def _renamed(name: str, table: tuple[tuple[str, str], ...]) -> str:
    for pattern, replacement in table:
        renamed, count = re.subn(pattern, replacement, name)
        if count:
            return renamed
    return name


def write_merged(base: Weights, adapter: Weights, to: Path, dtype: str) -> None:
    """Merge an adapter into a model, and write weights, tokenizer, settings and llava_v1.jinja for a server.

    The folder `to` appears only when it is complete. Raises AlreadyExists, ModelUnavailable.
    """
    from core.models.llava import DTYPES, load_model

    if to.exists():
        raise AlreadyExists(f"{to} already exists. Choose another folder with --to.")
    prepare_torchvision()
    with loading(base.name, base.folder):
        model = merged_model(load_model(base, torch.device("cpu"), DTYPES[dtype]), adapter.folder)
    unfinished = to.with_name(f"{to.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    state = {hub_name(name): tensor for name, tensor in model.state_dict().items()}
    model.save_pretrained(unfinished, state_dict=state, max_shard_size="5GB", save_original_format=False)
    for path in base.folder.iterdir():
        if path.is_file() and not path.name.endswith(WEIGHTS):
            shutil.copy(path, unfinished / path.name)
    shutil.copy(TEMPLATE, unfinished / TEMPLATE.name)
    made_of = {"base": f"{base.name}@{base.revision}", "adapter": f"{adapter.name}@{adapter.revision}", "dtype": dtype}
    (unfinished / "merged.json").write_text(json.dumps(made_of, indent=2) + "\n", encoding="utf-8")
    for path in unfinished.iterdir():  # make files readable by all, because a server often runs as another user
        path.chmod(0o644)
    unfinished.chmod(0o755)
    unfinished.rename(to)
