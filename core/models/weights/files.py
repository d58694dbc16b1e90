"""Read weights from untrusted files. Code in a file never runs."""

import hashlib
import pickle
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from core.errors import ModelUnavailable

State = Mapping[str, torch.Tensor]
# Errors that PyTorch's readers raise for broken files and for bytes that are not a checkpoint.
BROKEN = (
    *(RuntimeError, EOFError, OSError, ValueError, LookupError, TypeError, AttributeError, ImportError),
    struct.error,
)


def read_weights(path: Path) -> State:
    """Return the weights in a .safetensors or PyTorch file, by their names. Raises ModelUnavailable."""
    content = read_checkpoint_file(path)
    if not isinstance(content, Mapping) or not all(isinstance(tensor, torch.Tensor) for tensor in content.values()):
        raise ModelUnavailable(f"{path.name}: the file must contain tensors by name (a state dict)")
    return content


def read_checkpoint_file(path: Path) -> Any:
    """Return a checkpoint's contents: only tensors and plain containers.

    Raises ModelUnavailable for a missing or damaged file, or for a file with code.
    """
    if not path.is_file():
        raise ModelUnavailable(f"there are no weights at {path}")
    if path.suffix == ".safetensors":
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        try:
            return load_file(path)
        except SafetensorError as error:
            raise ModelUnavailable(f"{path.name}: the file is broken ({error}); download it again") from error
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        raise ModelUnavailable(f"{path.name}: the file is damaged or would run code, so it is not read") from error
    except BROKEN as error:
        raise ModelUnavailable(f"{path.name}: the file is broken ({error}); download it again") from error


def weights_name(path: Path) -> str:
    """Return a name of a file of weights, for signatures.

    The name consists of the file's name without its extension, "@", and the first 12 digits of the file's sha256.
    """
    with path.open("rb") as file:
        return f"{path.stem}@{hashlib.file_digest(file, 'sha256').hexdigest()[:12]}"
