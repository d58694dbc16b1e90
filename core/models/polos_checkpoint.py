"""Load Polos, and read and write its checkpoints without running code from a file.

A checkpoint has PyTorch Lightning's layout. Its "state_dict" contains ``encoder.model.*`` (transformers' RoBERTa),
``clip.*`` and the head (``scalar_mix.*``, ``ff.*``). Files that Capscope trained have the encoders' configurations and
names under "capscope". For the published file, the configurations come from the folders of the tokenizers.
"""

import hashlib
import json
import zipfile
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from core.errors import ModelUnavailable
from core.files import written_whole
from core.models import ModelSettings
from core.models.checkpoints import CLIP_B32, SIMCSE_ROBERTA
from core.models.clip import ClipEncoder, State, to_transformers
from core.models.device import prepare_torchvision, torch_device
from core.models.polos import PolosEncoder, PolosHead, PolosModel
from core.models.weights import BROKEN, find_weights, pretrained

PARTS = {"roberta": "encoder.model.", "clip": "clip."}  # prefix of the keys of each encoder in a checkpoint
HEAD = ("scalar_mix.", "ff.")  # prefixes of the head's keys
UNUSED = ("encoder.model.pooler.",)  # the sentence vector comes from token 0 of the scalar mix
UNUSED_BUFFERS = (".position_ids", ".token_type_ids")  # saved by old versions of transformers; not learned weights
INERT_MODULES = ("pytorch_lightning.", "lightning.", "argparse.", "numpy.")


class Inert:
    """A harmless class in place of a training program's class that a checkpoint mentions. It does nothing."""

    def __init__(self, *args: object, **settings: object) -> None:
        pass

    def __setstate__(self, state: object) -> None:
        pass


def read_checkpoint(path: Path) -> tuple[dict[str, State], Mapping[str, str]]:
    """Return the weights of "roberta", "clip" and "head" in a checkpoint, and Capscope's notes.

    Raises ModelUnavailable if the file is missing, unsafe, or not such a checkpoint.
    """
    try:
        names = torch.serialization.get_unsafe_globals_in_checkpoint(path) if zipfile.is_zipfile(path) else []
        ours = [name for name in names if name.startswith(INERT_MODULES)]
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
    used = {key: one for key, one in state.items() if not key.startswith(UNUSED) and not key.endswith(UNUSED_BUFFERS)}
    left_over = [key for key in used if not key.startswith((*PARTS.values(), *HEAD))]
    if left_over:
        raise ModelUnavailable(
            f"{path.name}: {len(left_over)} weights do not belong to Polos, for example {left_over[0]}"
        )
    parts: dict[str, State] = {
        name: {key.removeprefix(prefix): used[key] for key in used if key.startswith(prefix)}
        for name, prefix in PARTS.items()
    }
    notes = content.get("capscope")
    return parts | {"head": {key: used[key] for key in used if key.startswith(HEAD)}}, (
        notes if isinstance(notes, dict) else {}
    )


def write_checkpoint(path: Path, encoder: PolosEncoder, head: PolosHead) -> None:
    """Write a checkpoint in the published layout, with the sources of the tokenizers, atomically."""
    tensors = {key: tensor.detach().cpu() for key, tensor in head.state_dict().items()}
    notes, modules = dict(zip(PARTS, encoder.tokenizers, strict=True)), (encoder.roberta, encoder.clip.model)
    for (name, prefix), module in zip(PARTS.items(), modules, strict=True):
        tensors |= {prefix + key: tensor.detach().cpu() for key, tensor in module.state_dict().items()}
        notes[f"{name}_config"] = module.config.to_json_string(use_diff=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as unfinished:
        torch.save({"state_dict": tensors, "capscope": notes}, unfinished)


def load_polos(path: Path, settings: ModelSettings) -> PolosModel:
    """Load a checkpoint. settings.options may name the tokenizers' repository or folder under "roberta" and "clip".

    Raises ModelUnavailable.
    """
    prepare_torchvision()
    from transformers import AutoTokenizer, CLIPConfig, CLIPModel, RobertaConfig, RobertaModel

    parts, notes = read_checkpoint(path)
    named = {"roberta": SIMCSE_ROBERTA.repo, "clip": CLIP_B32.repo} | dict(notes) | dict(settings.options)
    names = named["roberta"], named["clip"]
    places = [find_weights(name, "Polos") for name in names]
    words, clip_words = (pretrained(AutoTokenizer, place) for place in places)
    try:
        if "roberta_config" in notes:  # trained by Capscope
            configs = [json.loads(notes[f"{name}_config"]) for name in PARTS]
            clip_state = parts["clip"]
        else:
            configs = [json.loads((place.folder / "config.json").read_text(encoding="utf-8")) for place in places]
            clip_state = to_transformers(parts["clip"])
        roberta = RobertaModel(RobertaConfig.from_dict(configs[0]), add_pooling_layer=False)
        clip = CLIPModel(CLIPConfig.from_dict(configs[1]))
        for model, state in ((roberta, parts["roberta"]), (clip, clip_state)):
            model.load_state_dict(dict(state), strict=True)
        head = PolosHead.from_state(parts["head"])
    except (OSError, KeyError, IndexError, RuntimeError, ValueError) as error:
        raise ModelUnavailable(f"{path.name}: these are not the weights of Polos: {_first_line(error)}") from error
    encoder = PolosEncoder(roberta, words, ClipEncoder(clip, clip_words, torch_device(settings.device)), names)
    # Everything that affects a score: the weights, the encoders' settings and both vocabularies.
    signed = [fingerprint(parts[name]) for name in ("roberta", "clip", "head")]
    signed += [str(notes.get(f"{name}_config", "")) for name in PARTS]
    signed += [json.dumps(sorted(tokenizer.get_vocab().items())) for tokenizer in (words, clip_words)]
    digest = hashlib.sha256("\0".join(signed).encode()).hexdigest()
    return PolosModel(encoder, head, f"{path.name}@{digest[:12]}")


def pretrained_encoder(device: str, roberta: str = SIMCSE_ROBERTA.repo, clip: str = CLIP_B32.repo) -> PolosEncoder:
    """Load RoBERTa and CLIP as they are before the training of Polos, from the hub's cache or from folders.

    Raises ModelUnavailable.
    """
    prepare_torchvision()
    from transformers import AutoTokenizer, CLIPModel, RobertaModel

    texts, images = find_weights(roberta, "Polos", "--roberta"), find_weights(clip, "Polos", "--clip")
    encoder = ClipEncoder(pretrained(CLIPModel, images), pretrained(AutoTokenizer, images), torch_device(device))
    model, words = pretrained(RobertaModel, texts, add_pooling_layer=False), pretrained(AutoTokenizer, texts)
    return PolosEncoder(model, words, encoder, (roberta, clip))


def fingerprint(state: State) -> str:
    """Return a fingerprint of weights: 12 hex digits of the SHA-256 of their names, shapes and values."""
    digest = hashlib.sha256()
    for key in sorted(state):
        tensor = state[key].detach().cpu().contiguous()
        digest.update(f"{key}{tuple(tensor.shape)}{tensor.dtype}".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()[:12]


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
