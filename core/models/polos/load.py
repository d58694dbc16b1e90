"""Load Polos from its checkpoint, or load the encoders with which its training begins.

Nothing is downloaded. A checkpoint contains all weights but no vocabularies. So the two tokenizers come from the hub's
cache or a folder.
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import ModelUnavailable
from core.models import ModelSettings, check_options
from core.models.clip.openai import HEAD_WIDTH, clip_from_openai
from core.models.polos.checkpoint import PolosState, State, fingerprint, read_checkpoint
from core.models.polos.encoder import PolosEncoder
from core.models.polos.model import PolosHead, PolosModel
from core.models.runtime.device import torch_device
from core.models.runtime.torchvision_ops import prepare_torchvision
from core.models.weights.availability import file_path
from core.models.weights.checkpoints import CLIP_B32, POLOS, POLOS_URL, SIMCSE_ROBERTA
from core.models.weights.hub import from_cache, model_from_cache

if TYPE_CHECKING:
    import torch
    from transformers import CLIPModel, RobertaModel


def load_polos(settings: ModelSettings) -> PolosModel:
    """Load the checkpoint settings.model, or the published checkpoint on this computer.

    settings.options may name the tokenizers' repository or folder under "roberta" and "clip".
    Raises ModelUnavailable with the file to download, and BadSetting for other options.
    """
    check_options(settings.options, ("roberta", "clip"))
    path = _checkpoint(settings.model)
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


def _checkpoint(named: str | None) -> Path:
    path = Path(named).expanduser() if named else file_path(POLOS)
    if not path.is_file():
        raise ModelUnavailable(
            f"Polos has no checkpoint at {path} (about {POLOS.size_gb:g} GB). Download {POLOS_URL}, unzip it and put "
            f"{POLOS.repo} there, or name the file with --model"
        )
    return path


def pretrained_encoder(device: str, roberta: str = SIMCSE_ROBERTA.repo, clip: str = CLIP_B32.repo) -> PolosEncoder:
    """Load RoBERTa and CLIP as they are before the training of Polos.

    They come from the hub's cache or from folders. Raises ModelUnavailable.
    """
    prepare_torchvision()
    from transformers import CLIPModel, RobertaModel

    texts = model_from_cache(RobertaModel, roberta, "about 0.5 GB", add_pooling_layer=False)
    images = model_from_cache(CLIPModel, clip, "about 0.6 GB")
    return PolosEncoder(texts, _tokenizer(roberta), images, _tokenizer(clip), torch_device(device))


def state_of(encoder: PolosEncoder, head: PolosHead) -> PolosState:
    """Return all weights and the sources of the tokenizers, for a checkpoint in Capscope's own layout."""
    roberta, clip = encoder.tokenizers
    notes = {
        "roberta_config": encoder.roberta.config.to_json_string(use_diff=False),
        "clip_config": encoder.clip.config.to_json_string(use_diff=False),
        "roberta": roberta,
        "clip": clip,
    }
    return PolosState(_weights(encoder.roberta), _weights(encoder.clip), _weights(head), notes)


def _weights(module: Any) -> dict[str, "torch.Tensor"]:
    return {key: tensor.detach().cpu() for key, tensor in module.state_dict().items()}


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

    return from_cache(AutoTokenizer, name, "its tokenizer, about 2 MB")


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
