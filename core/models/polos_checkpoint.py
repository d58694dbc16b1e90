"""Load Polos, and read and write its checkpoints in PyTorch Lightning's layout, without running code from the file.

The published file (reprod.ckpt) and files by core.training.polos have the same layout. Their "state_dict" contains
``encoder.model.*`` (transformers' RoBERTa), ``clip.*`` and the head (``scalar_mix.*``, ``ff.*``). Capscope's own files
also have "capscope": the encoders' configurations and names, so that no shape must be guessed.
"""

import hashlib
import json
import zipfile
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from core.errors import ModelUnavailable
from core.files import written_whole
from core.models import ModelSettings, check_options
from core.models.checkpoints import CLIP_B32, POLOS, POLOS_URL, SIMCSE_ROBERTA
from core.models.clip import HEAD_WIDTH, State, clip_from_openai
from core.models.device import prepare_torchvision, torch_device
from core.models.polos import PolosEncoder, PolosHead, PolosModel
from core.models.weights import BROKEN, file_path, from_cache, model_from_cache

if TYPE_CHECKING:
    from transformers import CLIPModel, RobertaModel

_PARTS = {"roberta": "encoder.model.", "clip": "clip."}  # prefix of the keys of each encoder
_HEAD = ("scalar_mix.", "ff.")
_UNUSED = "encoder.model.pooler."  # the sentence vector comes from token 0 of the scalar mix
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
    """A harmless class in place of a training program's class that a checkpoint mentions. It does nothing."""

    def __init__(self, *args: object, **settings: object) -> None:
        pass

    def __setstate__(self, state: object) -> None:
        pass


def read_checkpoint(path: Path) -> PolosState:
    """Read a Lightning checkpoint of Polos.

    Raises ModelUnavailable if the file is missing, unsafe, or not such a checkpoint.
    """
    try:
        names = torch.serialization.get_unsafe_globals_in_checkpoint(path) if zipfile.is_zipfile(path) else []
        ours = [name for name in names if name.startswith(_INERT_MODULES)]
        stand_ins: list[Any] = [(OrderedDict if name.endswith(".AttributeDict") else Inert, name) for name in ours]
        with torch.serialization.safe_globals(stand_ins):
            content = torch.load(path, map_location="cpu", weights_only=True)
    except BROKEN as error:
        raise ModelUnavailable(
            f"{path.name} contains more than weights: {_first_line(error)}. Capscope does not run code from weight "
            "files. Download the file again, or save only its state_dict"
        ) from error
    state = content.get("state_dict") if isinstance(content, dict) else None
    if not isinstance(state, dict) or not all(map(torch.is_tensor, state.values())):
        raise ModelUnavailable(
            f"{path.name}: this is no Lightning checkpoint, because it has no tensors under 'state_dict'"
        )
    used = {key: one for key, one in state.items() if not key.startswith(_UNUSED) and not key.endswith(_UNUSED_BUFFERS)}
    parts = {
        name: {key.removeprefix(prefix): used[key] for key in used if key.startswith(prefix)}
        for name, prefix in _PARTS.items()
    }
    head = {key: tensor for key, tensor in used.items() if key.startswith(_HEAD)}
    left_over = [key for key in used if not key.startswith((*_PARTS.values(), *_HEAD))]
    if left_over:
        raise ModelUnavailable(
            f"{path.name}: {len(left_over)} weights do not belong to Polos, for example {left_over[0]}"
        )
    notes = content.get("capscope")
    return PolosState(**parts, head=head, notes=notes if isinstance(notes, dict) else {})


def write_checkpoint(path: Path, encoder: PolosEncoder, head: PolosHead) -> None:
    """Write a checkpoint in the published layout, with the sources of the tokenizers, atomically."""
    tensors = {key: tensor.detach().cpu() for key, tensor in head.state_dict().items()}
    notes = dict(zip(_PARTS, encoder.tokenizers, strict=True))
    for name, prefix in _PARTS.items():
        module = getattr(encoder, name)
        tensors |= {prefix + key: tensor.detach().cpu() for key, tensor in module.state_dict().items()}
        notes[f"{name}_config"] = module.config.to_json_string(use_diff=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as unfinished:
        torch.save({"state_dict": tensors, "capscope": notes}, unfinished)


def fingerprint(state: State) -> str:
    """Return a fingerprint of weights: 12 hex digits of the SHA-256 of their names, shapes and values."""
    digest = hashlib.sha256()
    for key in sorted(state):
        tensor = state[key].detach().cpu().contiguous()
        digest.update(f"{key}{tuple(tensor.shape)}{tensor.dtype}".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()[:12]


def load_polos(settings: ModelSettings) -> PolosModel:
    """Load the checkpoint settings.model, or the published checkpoint on this computer.

    settings.options may name the tokenizers' repository or folder under "roberta" and "clip".
    Raises ModelUnavailable with the file to download, and BadSetting for other options.
    """
    check_options(settings.options, ("roberta", "clip"))
    path = Path(settings.model).expanduser() if settings.model else file_path(POLOS)
    if not path.is_file():
        raise ModelUnavailable(
            f"Polos has no checkpoint at {path} (about {POLOS.size_gb:g} GB). Download {POLOS_URL}, unzip it and put "
            f"{POLOS.repo} there, or name the file with --model"
        )
    state = read_checkpoint(path)
    try:
        roberta, clip = _roberta(state), _clip(state)
        head = PolosHead.from_state(state.head)
    except (KeyError, IndexError, RuntimeError, ValueError) as error:
        raise ModelUnavailable(f"{path.name}: these are not the weights of Polos: {_first_line(error)}") from error
    names = {"roberta": SIMCSE_ROBERTA.repo, "clip": CLIP_B32.repo} | dict(state.notes) | dict(settings.options)
    tokenizers = _tokenizer(names["roberta"]), _tokenizer(names["clip"])
    encoder = PolosEncoder(roberta, tokenizers[0], clip, tokenizers[1], torch_device(settings.device))
    return PolosModel(encoder, head, f"{path.name}@{_fingerprint(state, tokenizers)}")


def pretrained_encoder(device: str, roberta: str = SIMCSE_ROBERTA.repo, clip: str = CLIP_B32.repo) -> PolosEncoder:
    """Load RoBERTa and CLIP as they are before the training of Polos.

    They come from the hub's cache or from folders. Raises ModelUnavailable.
    """
    prepare_torchvision()
    from transformers import CLIPModel, RobertaModel

    texts = model_from_cache(RobertaModel, roberta, add_pooling_layer=False)
    images = model_from_cache(CLIPModel, clip)
    return PolosEncoder(texts, _tokenizer(roberta), images, _tokenizer(clip), torch_device(device))


def _roberta(state: PolosState) -> "RobertaModel":
    prepare_torchvision()
    from transformers import RobertaConfig, RobertaModel

    noted = state.notes.get("roberta_config")
    config = RobertaConfig.from_dict(json.loads(noted)) if noted else RobertaConfig(**_roberta_sizes(state.roberta))
    model = RobertaModel(config, add_pooling_layer=False)
    model.load_state_dict(dict(state.roberta), strict=True)
    return model


def _roberta_sizes(state: State) -> dict[str, Any]:
    """Return RoBERTa's sizes, inferred from its weights.

    The width of a head (64) and the epsilon of layer norm (1e-5) are the same in every RoBERTa.
    """
    vocabulary, width = state["embeddings.word_embeddings.weight"].shape
    return {
        "vocab_size": vocabulary,
        "hidden_size": width,
        "num_hidden_layers": len({key.split(".")[2] for key in state if key.startswith("encoder.layer.")}),
        "num_attention_heads": max(1, width // HEAD_WIDTH),
        "intermediate_size": state["encoder.layer.0.intermediate.dense.weight"].shape[0],
        "max_position_embeddings": state["embeddings.position_embeddings.weight"].shape[0],
        "type_vocab_size": state["embeddings.token_type_embeddings.weight"].shape[0],
        "layer_norm_eps": 1e-5,
    }


def _clip(state: PolosState) -> "CLIPModel":
    from transformers import CLIPConfig, CLIPModel

    noted = state.notes.get("clip_config")
    if not noted:
        return clip_from_openai(state.clip)
    model = CLIPModel(CLIPConfig.from_dict(json.loads(noted)))
    model.load_state_dict(dict(state.clip), strict=True)
    return model


def _fingerprint(state: PolosState, tokenizers: Iterable[Any]) -> str:
    """Return 12 hex digits that depend on everything that affects a score.

    This includes the weights, the encoders' settings and both vocabularies.
    """
    weights = [fingerprint(part) for part in (state.roberta, state.clip, state.head)]
    settings = [str(state.notes.get(name, "")) for name in ("roberta_config", "clip_config")]
    vocabularies = [json.dumps(sorted(tokenizer.get_vocab().items())) for tokenizer in tokenizers]
    return hashlib.sha256("\0".join([*weights, *settings, *vocabularies]).encode()).hexdigest()[:12]


def _tokenizer(name: str) -> Any:
    from transformers import AutoTokenizer

    return from_cache(AutoTokenizer, name)


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
