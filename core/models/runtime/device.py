"""Choose the device of a model. "auto" is the first GPU, or the CPU if there is no GPU."""

from typing import TYPE_CHECKING

from core.errors import BadSetting, ModelUnavailable

if TYPE_CHECKING:
    import torch


def torch_device(name: str) -> "torch.device":
    """Return the device with this name. Raises ModelUnavailable for a missing GPU, BadSetting for an unknown name."""
    import torch

    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise ModelUnavailable(f"The device {name} needs a GPU, but no GPU was found. Use the device cpu.")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise BadSetting(
            f"The device must be auto, cpu, cuda or a numbered GPU such as cuda:1, found {name!r}"
        ) from error
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise ModelUnavailable(
            f"The device {name} does not exist, because this computer has {torch.cuda.device_count()} GPUs"
        )
    return device


def usual_batch(device: "torch.device") -> int:
    """Return the number of images that the image encoder takes at a time.

    The number is small on a CPU, where larger batches are not faster.
    """
    return 4 if device.type == "cpu" else 32
