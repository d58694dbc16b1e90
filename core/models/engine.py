"""From weights on disk to a model that talks: device, number format, adapter, and which template it is spoken to in."""

from typing import Any

import torch

from core.errors import BadSetting
from core.models import ModelSettings
from core.models.availability import Weights
from core.models.llava import LlavaVlm
from core.models.lora import merge_adapter
from core.models.memory import free_memory, loading, weight_bytes
from core.models.torchvision_ops import prepare_torchvision
from core.models.vlm import Vlm
from core.models.vlm_chat import ChatVlm

DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}


def build_vlm(weights: Weights, adapter: Weights | None, settings: ModelSettings) -> Vlm:
    """Load a model and its processor, merge an adapter. Raises ModelUnavailable, BadSetting."""
    prepare_torchvision()
    from transformers import AutoConfig, AutoProcessor

    device = find_device(settings.device)
    dtype = find_dtype(settings.options.get("dtype", "auto"), device)
    with loading(weights.name, weights.folder):
        config = AutoConfig.from_pretrained(weights.folder, local_files_only=True)
        processor = AutoProcessor.from_pretrained(weights.folder, local_files_only=True)
        model = _load_model(weights, device, dtype)
        if adapter is not None:
            merge_adapter(model, adapter.folder)
    facts = {
        "model": weights.name,
        "revision": weights.revision,
        "adapter": f"{adapter.name}@{adapter.revision}" if adapter else None,
        "dtype": str(dtype).removeprefix("torch."),
    }
    template = settings.options.get("template", "auto")
    if template == "chat" or (template == "auto" and config.model_type != "llava"):
        return ChatVlm(model, processor, facts)
    if config.model_type != "llava":
        raise BadSetting(f"template llava_v1 is for LLaVA-1.5; {weights.name} is {config.model_type}, use chat.")
    return LlavaVlm(model, processor, facts, doubled_end=settings.strict_reference)


def find_device(name: str) -> torch.device:
    """Return the device of that name; "auto" is a GPU if there is one. Raises BadSetting."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).splitlines()[0]
        raise BadSetting(
            f"Expected --device to be auto, cpu or a GPU that is here, found {name!r}: {reason}"
        ) from error
    return device


def find_dtype(name: str, device: torch.device) -> torch.dtype:
    """Return the number format; "auto" is float32 on a CPU and float16, as published, elsewhere."""
    if name == "auto":
        return torch.float32 if device.type == "cpu" else torch.float16
    return DTYPES[name]


def _load_model(weights: Weights, device: torch.device, dtype: torch.dtype) -> Any:
    from transformers import AutoModelForImageTextToText

    needed = weight_bytes(weights.folder, dtype)
    if device.type == "cpu" and needed > free_memory():  # else the system kills the process without a word
        raise torch.OutOfMemoryError
    place = {} if device.type == "cpu" else {"device_map": {"": device}}  # straight there, no copy on the way
    model = AutoModelForImageTextToText.from_pretrained(weights.folder, dtype=dtype, local_files_only=True, **place)
    return model.to(device).eval()
