"""Where a model runs: "auto" is the first GPU where there is one, else the CPU."""

from typing import TYPE_CHECKING

from core.errors import ModelUnavailable

if TYPE_CHECKING:
    import torch


def torch_device(name: str) -> "torch.device":
    """Return the device called name. Raises ModelUnavailable for a GPU that is not there."""
    import torch

    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise ModelUnavailable(f"device {name} was asked for, but no GPU was found; use --device cpu")
    return torch.device(name)
