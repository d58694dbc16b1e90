"""Measure memory, and turn a lack of memory into a clear error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path

import torch

from core.errors import ModelUnavailable

ALLOCATION_FAILED = "allocate memory"  # text in PyTorch's RuntimeError if the main memory is too small


@contextmanager
def loading(name: str, folder: Path) -> Iterator[None]:
    """Raise ModelUnavailable for errors that occur while a model is loaded."""
    try:
        yield
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        if isinstance(error, torch.OutOfMemoryError) or ALLOCATION_FAILED in str(error):
            raise ModelUnavailable(
                f"{name} does not fit into memory. Close other programs or choose a smaller model, for example with: "
                "--model llava-hf/llava-1.5-7b-hf"
            ) from error
        reason = " ".join(str(error).split())[:300]
        raise ModelUnavailable(f"{name} cannot be loaded from {folder}: {reason}") from error


@contextmanager
def enough_memory() -> Iterator[None]:
    """Raise ModelUnavailable if memory runs out within a `with` block."""
    try:
        yield
    except RuntimeError as error:
        if not isinstance(error, torch.OutOfMemoryError) and ALLOCATION_FAILED not in str(error):
            raise
        raise ModelUnavailable("Out of memory; run again with a smaller batch or --model.") from error


def weight_bytes(folder: Path, dtype: torch.dtype) -> int:
    """Return the size in bytes that a folder's weights need in a number format.

    Only the headers of the weight files are read.
    """
    from safetensors import safe_open

    count = 0
    for path in folder.glob("*.safetensors"):
        with safe_open(path, framework="pt") as tensors:
            count += sum(prod(tensors.get_slice(key).get_shape()) for key in tensors.keys())
    return count * dtype.itemsize


def free_memory() -> int:
    """Return the free main memory in bytes; sys.maxsize if the system does not report it."""
    facts = Path("/proc/meminfo")
    if not facts.is_file():
        return sys.maxsize
    lines = dict(line.split(":", 1) for line in facts.read_text(encoding="utf-8").splitlines())
    return int(lines["MemAvailable"].split()[0]) * 1024
