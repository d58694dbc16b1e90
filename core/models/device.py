"""Where models run: the device, memory, threads, and torchvision beside a CPU-only torch. Torch is imported late."""

import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadSetting, ModelUnavailable

if TYPE_CHECKING:
    import torch
    from threadpoolctl import ThreadpoolController

ALLOCATION_FAILED = "allocate memory"  # text in PyTorch's RuntimeError if the main memory is too small


def torch_device(name: str) -> "torch.device":
    """Return the device with this name. "auto" is the first GPU, or the CPU if there is no GPU.

    Raises ModelUnavailable for a missing GPU, BadSetting for an unknown name.
    """
    import torch

    count = torch.cuda.device_count()
    try:
        device = torch.device(("cuda" if count else "cpu") if name == "auto" else name)
    except RuntimeError as error:
        raise BadSetting(
            f"The device must be auto, cpu, cuda or a numbered GPU such as cuda:1, found {name!r}"
        ) from error
    if device.type == "cuda" and (device.index or 0) >= count:
        found = f"this computer has {count} GPUs" if count else "no GPU was found. Use the device cpu"
        raise ModelUnavailable(f"The device {name} does not exist, because {found}.")
    return device


@contextmanager
def loading(name: str, folder: Path) -> Iterator[None]:
    """Raise ModelUnavailable for errors that occur while a model is loaded."""
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        if is_memory_error(error):
            raise ModelUnavailable(
                f"{name} does not fit into memory. Close other programs, or choose another device or a smaller model, "
                "such as llava-hf/llava-1.5-7b-hf instead of the 13b."
            ) from error
        reason = " ".join(str(error).split())[:300]
        raise ModelUnavailable(f"{name} cannot be loaded from {folder}: {reason}") from error


@contextmanager
def enough_memory() -> Iterator[None]:
    """Raise ModelUnavailable if memory runs out within a `with` block."""
    try:
        yield
    except RuntimeError as error:
        if not is_memory_error(error):
            raise
        raise ModelUnavailable("Out of memory. Run again with a smaller batch or a smaller model.") from error


def is_memory_error(error: Exception) -> bool:
    """Return whether PyTorch raised an error because memory ran out."""
    import torch

    return isinstance(error, torch.OutOfMemoryError) or ALLOCATION_FAILED in str(error)


def fits_into_memory(folder: Path, dtype: "torch.dtype") -> bool:
    """Return whether a folder's weights fit into the free main memory in a number format.

    Only the headers of the weight files are read. True if the system does not report its free memory.
    """
    from safetensors import safe_open

    facts, count = Path("/proc/meminfo"), 0
    for path in folder.glob("*.safetensors"):
        with safe_open(path, framework="pt") as tensors:
            count += sum(prod(tensors.get_slice(key).get_shape()) for key in tensors.keys())
    if not facts.is_file():
        return True
    lines = dict(line.split(":", 1) for line in facts.read_text(encoding="utf-8").splitlines())
    return count * dtype.itemsize <= int(lines["MemAvailable"].split()[0]) * 1024


@contextmanager
def one_thread() -> Iterator[None]:
    """Let numpy use only one thread within a `with` block.

    For a few milliseconds of work, several threads lose more time by waiting for each other than they save.
    """
    with _threads().limit(limits=1, user_api="blas"):
        yield


@cache
def _threads() -> "ThreadpoolController":
    """Return the object that limits the threads of libraries. Finding the libraries takes milliseconds."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def disable_telemetry() -> None:
    """Stop the Hugging Face libraries from reporting loaded models and downloads, also if they are imported already."""
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    from huggingface_hub import constants

    constants.HF_HUB_DISABLE_TELEMETRY = True


@cache
def prepare_torchvision() -> Any:
    """Make torchvision importable beside a CPU-only torch. Call this before transformers or ultralytics are imported.

    PyPI's torchvision is built for the CUDA torch of the same release, so its compiled operators do not load beside a
    CPU torch. While torchvision is imported, it registers fake versions of `nms` and `qnms`, which fails if these
    operators are unknown. So this function declares them; nothing here calls them. Returns the declaration, which must
    stay in memory, or None if torchvision's own operators load.
    """
    import torch

    disable_telemetry()
    spec = importlib.util.find_spec("torchvision")
    if "torchvision" in sys.modules or spec is None or spec.origin is None:
        return None
    try:
        for path in Path(spec.origin).parent.glob("_C*.so"):
            torch.ops.load_library(str(path))  # type: ignore[no-untyped-call]
    except OSError:
        pass
    if hasattr(torch.ops.torchvision, "nms"):
        return None
    library: Any = torch.library.Library("torchvision", "DEF")  # type: ignore[no-untyped-call]
    for name in ("nms", "qnms"):
        library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    return library
