"""Prepare LLaVA-1.5 for fine-tuning: LoRA on the language model, and training of the projector.

As in LLaVA's train.py, every linear layer gets LoRA matrices, except in the image encoder, the projector and the output
head. The projector is trained in full and stored with the adapter. LLaVA's code stores it in non_lora_trainables.bin,
Capscope in adapter_model.safetensors, as peft does.
"""

import re
import warnings
from pathlib import Path
from typing import Any

import torch

from core.errors import BadSetting
from core.models.runtime.torchvision_ops import prepare_torchvision
from core.training.expert.plan import TrainingSettings

PROJECTOR = "multi_modal_projector"


def with_lora(model: Any, settings: TrainingSettings) -> Any:
    """Return the model as a peft model, in float32, that trains only LoRA and, if a setting says so, the projector.

    The seed determines LoRA's initial weights. Raises BadSetting for a model other than LlavaForConditionalGeneration.
    """
    prepare_torchvision()
    from peft import LoraConfig, get_peft_model

    config = LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha,
        lora_dropout=settings.dropout,
        target_modules=target_pattern(model),
        modules_to_save=[PROJECTOR] if settings.projector else None,
        task_type="CAUSAL_LM",
    )
    torch.manual_seed(settings.seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "`is_gradient_checkpointing`", FutureWarning)  # caused by peft, not this code
        lora = get_peft_model(model, config)
    for weight in lora.parameters():
        if weight.requires_grad:
            weight.data = weight.data.float()  # in bfloat16 (8 significant bits), steps of 2e-5 would be rounded away
    return lora


def target_pattern(model: torch.nn.Module) -> str:
    """Return a regular expression that matches the names of the language model's linear layers."""
    names = [name for name, module in model.named_modules() if isinstance(module, torch.nn.Linear)]
    kinds = {name.rpartition(".")[2] for name in names if ".language_model." in name}
    if not kinds or not any(PROJECTOR in name for name in names):
        raise BadSetting(f"the model must be LLaVA-1.5, but is {type(model).__name__}; choose another --base")
    return rf".*\.language_model\..*\.({'|'.join(map(re.escape, sorted(kinds)))})"


def save_memory(model: Any) -> None:
    """Recompute activations in the backward pass to save memory.

    Gradients stay the same, but steps take longer.
    """
    model.activation_checkpointing_enable(activation_checkpointing_kwargs={"use_reentrant": False})


def save_adapter(lora: Any, folder: Path, base: str) -> None:
    """Write adapter_config.json (with the base model's name) and adapter_model.safetensors for peft's loaders."""
    lora.peft_config["default"].base_model_name_or_path = base
    lora.save_pretrained(folder, save_embedding_layers=False)  # the default "auto" would contact the Hub about `base`
    (folder / "README.md").unlink(missing_ok=True)  # because peft's model card is an empty form
