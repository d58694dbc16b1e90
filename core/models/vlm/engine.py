"""Load a vision-language model from disk: choose device, number format, adapter and chat template."""

from typing import Any

import torch

from core.errors import BadSetting
from core.models import ModelSettings
from core.models.runtime.device import torch_device
from core.models.runtime.memory import free_memory, loading, weight_bytes
from core.models.runtime.torchvision_ops import prepare_torchvision
from core.models.vlm.chat import ChatVlm
from core.models.vlm.llava import LlavaVlm
from core.models.vlm.lora import merge_adapter
from core.models.vlm.protocol import Vlm
from core.models.weights.availability import Weights

DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}


def build_vlm(weights: Weights, adapter: Weights | None, settings: ModelSettings) -> Vlm:
    """Load a model and its processor. If an adapter is given, merge it into the weights.

    Raises ModelUnavailable, BadSetting.
    """
    prepare_torchvision()
    from transformers import AutoConfig, AutoProcessor

    device = torch_device(settings.device)
    dtype = find_dtype(settings.options.get("dtype", "auto"), device)
    with loading(weights.name, weights.folder):
        config = AutoConfig.from_pretrained(weights.folder, local_files_only=True)
        processor = AutoProcessor.from_pretrained(weights.folder, local_files_only=True)
        model = load_model(weights, device, dtype)
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
        raise BadSetting(
            f"The template llava_v1 works only with LLaVA-1.5, but {weights.name} is {config.model_type}. Use the "
            "template chat."
        )
    return LlavaVlm(model, processor, facts, doubled_end=settings.strict_reference)


def find_dtype(name: str, device: torch.device) -> torch.dtype:
    """Return the number format of the weights.

    "auto" is float32 on a CPU. On other devices it is float16, as in the published code.
    """
    if name == "auto":
        return torch.float32 if device.type == "cpu" else torch.float16
    return DTYPES[name]


def load_model(weights: Weights, device: torch.device, dtype: torch.dtype) -> Any:
    """Return a model with all its weights. Raises OutOfMemoryError, or ValueError for missing weights."""
    from transformers import AutoModelForImageTextToText

    needed = weight_bytes(weights.folder, dtype)
    if device.type == "cpu" and needed > free_memory():  # without this check, the system kills the process silently
        raise torch.OutOfMemoryError
    place = {} if device.type == "cpu" else {"device_map": {"": device}}  # load without a copy in the main memory
    model, read = AutoModelForImageTextToText.from_pretrained(
        weights.folder, dtype=dtype, local_files_only=True, output_loading_info=True, **place
    )
    missing = sorted(read["missing_keys"])
    if missing:  # transformers fills missing weights with random numbers
        raise ValueError(f"{len(missing)} weights are missing, such as {missing[0]}; get it again")
    return model.to(device).eval()
