"""Read weights from untrusted files. Code in a file never runs unless the user trusts the file."""

import hashlib
import pickle
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from core.errors import ModelUnavailable
from core.models.weights.incomplete_downloads import flaw, half

State = Mapping[str, torch.Tensor]
# Errors that PyTorch's readers raise for broken files and for bytes that are not a checkpoint.
BROKEN = (
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ImportError,
    struct.error,
)


def read_weights(path: Path, trust: bool = False) -> State:
    """Return the weights in a .safetensors or PyTorch file. Raises ModelUnavailable.

    The keys are the names of the weights. trust: allows code in the file to run.
    """
    content = read_checkpoint_file(path, trust)
    if not isinstance(content, Mapping) or not all(isinstance(tensor, torch.Tensor) for tensor in content.values()):
        raise ModelUnavailable(
            f"{path.name}: the file must contain tensors by name (a state dict), but has another layout"
        )
    return content


def read_checkpoint_file(path: Path, trust: bool = False) -> Any:
    """Return a checkpoint's contents: only tensors and plain containers.

    trust: allows code in the file to run. Raises ModelUnavailable for a missing or damaged file, or for a file with
    untrusted code.
    """
    if not path.is_file():
        raise ModelUnavailable(f"there are no weights at {path}")
    problem = flaw(path)
    if problem is not None:
        raise ModelUnavailable(f"{half(path, problem)}.")
    if path.suffix == ".safetensors":
        return _read_safetensors(path)
    try:
        return torch.load(path, map_location="cpu", weights_only=not trust)
    except pickle.UnpicklingError as error:
        raise ModelUnavailable(
            f"{path.name}: the file is a pickle that would run code. If you trust it, use --option trust_weights=yes"
        ) from error
    except BROKEN as error:
        raise ModelUnavailable(f"{path.name}: the file is broken ({error}); download it again") from error


def _read_safetensors(path: Path) -> State:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        state: State = load_file(path)
    except SafetensorError as error:
        raise ModelUnavailable(f"{path.name}: the file is broken ({error}); download it again") from error
    return state


def weights_name(path: Path) -> str:
    """Return a name of a file of weights, for signatures.

    The name consists of the file's name without its extension, "@", and the first 12 digits of the file's sha256.
    """
    with path.open("rb") as file:
        return f"{path.stem}@{hashlib.file_digest(file, 'sha256').hexdigest()[:12]}"
