"""Read and write Polos checkpoints in PyTorch Lightning's layout, without running code from the file.

The published file (reprod.ckpt) and files by core.training.polos have the same layout. Their "state_dict" contains
``encoder.model.*`` (transformers' RoBERTa), ``clip.*`` and the head (``scalar_mix.*``, ``ff.*``). Capscope's own files
also have "capscope": the encoders' configurations and names, so that no shape must be guessed.
"""

import hashlib
import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from core.errors import ModelUnavailable
from core.files import written_whole

State = Mapping[str, torch.Tensor]

_ROBERTA, _CLIP, _HEAD = "encoder.model.", "clip.", ("scalar_mix.", "ff.")
_UNUSED = ("encoder.model.pooler.",)  # the sentence vector comes from token 0 of the scalar mix; no pooler is needed
_UNUSED_BUFFERS = (".position_ids", ".token_type_ids")  # saved by old versions of transformers; not learned weights
_INERT_MODULES = ("pytorch_lightning.", "lightning.", "argparse.", "numpy.")


@dataclass(frozen=True, slots=True)
class PolosState:
    """The weights of one checkpoint, one mapping for each component (RoBERTa, CLIP, head)."""

    roberta: State
    clip: State
    head: State  # weights of scalar_mix.* and ff.*
    notes: Mapping[str, str] = field(default_factory=dict)  # keys: roberta_config and clip_config (JSON), roberta, clip


class Inert:
    """A harmless class in place of a training program's class that a checkpoint mentions.

    It accepts all arguments and does nothing.
    """

    def __init__(self, *args: object, **settings: object) -> None:
        pass

    def __setstate__(self, state: object) -> None:
        pass


def read_checkpoint(path: Path) -> PolosState:
    """Read a Lightning checkpoint of Polos.

    Raises ModelUnavailable if the file is missing, unsafe, or not such a checkpoint.
    """
    if not path.is_file():
        raise ModelUnavailable(f"Polos: no checkpoint at {path}; name a .ckpt file with --model")
    content = _load_safely(path)
    state = content.get("state_dict") if isinstance(content, dict) else None
    if not isinstance(state, dict) or not all(isinstance(tensor, torch.Tensor) for tensor in state.values()):
        raise ModelUnavailable(
            f"{path.name}: this is no Lightning checkpoint, because it has no tensors under 'state_dict'"
        )
    notes = content.get("capscope")
    return _sorted_by_part(state, notes if isinstance(notes, dict) else {}, path.name)


def write_checkpoint(path: Path, state: PolosState) -> None:
    """Write a checkpoint in the published layout, atomically."""
    tensors = {f"{_ROBERTA}{key}": tensor for key, tensor in state.roberta.items()}
    tensors |= {f"{_CLIP}{key}": tensor for key, tensor in state.clip.items()}
    tensors |= state.head
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as unfinished:
        torch.save({"state_dict": tensors, "capscope": dict(state.notes)}, unfinished)


def fingerprint(state: State) -> str:
    """Return a fingerprint of weights: 12 hex digits of the SHA-256 of their names, shapes and values."""
    digest = hashlib.sha256()
    for key in sorted(state):
        tensor = state[key].detach().cpu().contiguous()
        digest.update(f"{key}{tuple(tensor.shape)}{tensor.dtype}".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()[:12]


def _load_safely(path: Path) -> Any:
    try:
        with torch.serialization.safe_globals(_stand_ins(path)):
            return torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError, OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ModelUnavailable(
            f"{path.name} contains more than weights: {reason}. Capscope does not run code from weight files. "
            "Download the file again, or save only its state_dict"
        ) from error


def _stand_ins(path: Path) -> list[Any]:
    """Return a harmless class for each class of the training program that the file mentions."""
    names = torch.serialization.get_unsafe_globals_in_checkpoint(path) if zipfile.is_zipfile(path) else []
    ours = [name for name in names if name.startswith(_INERT_MODULES)]
    return [(OrderedDict if name.endswith(".AttributeDict") else Inert, name) for name in ours]


def _sorted_by_part(state: State, notes: Mapping[str, str], file: str) -> PolosState:
    roberta: dict[str, torch.Tensor] = {}
    clip: dict[str, torch.Tensor] = {}
    head: dict[str, torch.Tensor] = {}
    left_over: list[str] = []
    for key, tensor in state.items():
        if key.startswith(_UNUSED) or key.endswith(_UNUSED_BUFFERS):
            continue
        if key.startswith(_ROBERTA):
            roberta[key.removeprefix(_ROBERTA)] = tensor
        elif key.startswith(_CLIP):
            clip[key.removeprefix(_CLIP)] = tensor
        elif key.startswith(_HEAD):
            head[key] = tensor
        else:
            left_over.append(key)
    _refuse_leftovers(left_over, {"encoder.model.*": roberta, "clip.*": clip, "scalar_mix.* and ff.*": head}, file)
    return PolosState(roberta, clip, head, notes)


def _refuse_leftovers(left_over: list[str], parts: Mapping[str, State], file: str) -> None:
    missing = [name for name, part in parts.items() if not part]
    if missing:
        raise ModelUnavailable(f"{file}: these weights of Polos are missing: {', '.join(missing)}")
    if left_over:
        raise ModelUnavailable(f"{file}: {len(left_over)} weights do not belong to Polos, for example {left_over[0]}")
