"""Read the published weight files of SAM models, and load the needed weights.

l2.pt (EfficientViT-SAM) is a whole SAM under "state_dict". mobile_sam.pt is a whole SAM under "model" or at the top
level, or only an image encoder. Prompt_guided_Mask_Decoder.pt contains two state dicts.
"""

from collections.abc import Collection, Mapping
from pathlib import Path

import torch

from core.errors import ModelUnavailable
from core.models.weights.files import read_checkpoint_file

ENCODER = "image_encoder."  # prefix of the image encoder's keys in a file of a complete SAM model
WRAPPERS = ("state_dict", "model")  # keys that contain the weights in some files
NAMED = 3  # maximum number of missing keys in an error message


def sam_weights(path: Path) -> dict[str, torch.Tensor]:
    """Return a file's weights with the keys of a whole SAM.

    If the file has only an image encoder, its keys get the prefix that they have in a whole SAM. Raises
    ModelUnavailable.
    """
    content = read_checkpoint_file(path)
    for name in WRAPPERS:
        if isinstance(content, Mapping) and isinstance(content.get(name), Mapping):
            content = content[name]
    if not isinstance(content, Mapping) or not content or not all(map(_is_weight, content.items())):
        raise ModelUnavailable(f"{path.name}: the file contains neither the weights of a SAM nor of its image encoder")
    whole = any(key.startswith((ENCODER, "prompt_encoder.", "mask_decoder.")) for key in content)
    return {key if whole else ENCODER + key: tensor for key, tensor in content.items()}


def encoder_weights(path: Path) -> dict[str, torch.Tensor]:
    """Return a file's image encoder weights with the encoder's own keys. Raises ModelUnavailable."""
    state = sam_weights(path)
    return {key.removeprefix(ENCODER): tensor for key, tensor in state.items() if key.startswith(ENCODER)}


def load_needed(
    module: torch.nn.Module, state: Mapping[str, torch.Tensor], name: str, spare: Collection[str] = ()
) -> None:
    """Load a module's weights and ignore other weights. Raises ModelUnavailable for missing weights.

    spare: prefixes of keys that may be missing.
    """
    try:
        missing = module.load_state_dict(dict(state), strict=False).missing_keys
    except RuntimeError as error:  # raised if a weight has another shape than in the module
        raise ModelUnavailable(f"these are not the weights of {name}: {error}") from error
    needed = [key for key in missing if not key.startswith(tuple(spare))]
    if needed:
        shown = ", ".join(needed[:NAMED]) + (" ..." if len(needed) > NAMED else "")
        raise ModelUnavailable(
            f"these are not the weights of {name}: {len(needed)} weights are missing, such as {shown}"
        )


def _is_weight(item: tuple[object, object]) -> bool:
    return isinstance(item[0], str) and isinstance(item[1], torch.Tensor)
