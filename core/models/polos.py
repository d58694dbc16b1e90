"""Polos's networks and their checkpoints: frozen encoders, and a trained head of scalar mix and regression.

Wada et al., "Polos: Multimodal Metric Learning from Human Feedback for Image Captioning", CVPR 2024, sections 3.2-3.3,
computed as in keio-smilab24/Polos@839d64d (polos_estimator.py, scalar_mix.py, feedforward.py). The modules are named so
that the keys of the published weights fit.

Texts are encoded without padding, alone or with texts of the same length. So other texts in a batch change a text's
features only by rounding. If a text is encoded alone, its features are exactly reproducible.

A checkpoint has PyTorch Lightning's layout. Its "state_dict" contains ``encoder.model.*`` (transformers' RoBERTa),
``clip.*`` and the head (``scalar_mix.*``, ``ff.*``). No code from a file is run.
"""

import hashlib
import json
import zipfile
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from core.costs import timed
from core.errors import ModelUnavailable
from core.files import written_whole
from core.models import ModelSettings
from core.models.checkpoints import CLIP_B32, SIMCSE_ROBERTA
from core.models.clip import ClipEncoder, State, by_length, to_transformers
from core.models.device import prepare_torchvision, torch_device
from core.models.weights import BROKEN, find_weights, pretrained

FloatArray = npt.NDArray[np.float32]

HIDDEN_SIZES = (2304, 1152)  # upstream polos-trainer.yaml
DROPOUT = 0.1  # share of hidden units, and of whole hidden states in the scalar mix, that training sets to 0
PREFIX = "A photo depicts "  # precedes texts for CLIP, as in CLIPScore; source: upstream polos_estimator.py
TEXTS_KEPT = 32  # maximum number of texts whose features stay in memory, about 40 kB for each token
TEXT_PARTS, CLIP_PARTS = 4, 6  # numbers of text features and CLIP features that feature_vector joins, in this order
PARTS = {"roberta": "encoder.model.", "clip": "clip."}  # prefix of the keys of each encoder in a checkpoint
HEAD = ("scalar_mix.", "ff.")  # prefixes of the head's keys
UNUSED = ("encoder.model.pooler.",)  # the sentence vector comes from token 0 of the scalar mix
UNUSED_BUFFERS = (".position_ids", ".token_type_ids")  # saved by old versions of transformers; not learned weights
INERT_MODULES = ("pytorch_lightning.", "lightning.", "argparse.", "numpy.")


class PolosEncoder:
    """RoBERTa and CLIP with their tokenizers, on one device in float32."""

    def __init__(self, roberta: Any, tokenizer: Any, clip: ClipEncoder, tokenizers: tuple[str, str]) -> None:
        """Take the models. tokenizers: repositories or folders of RoBERTa's and CLIP's tokenizers."""
        self.device, self.clip, self.tokenizers = clip.device, clip, tokenizers
        self.roberta = roberta.to(self.device).float().eval().requires_grad_(False)
        self._tokenizer = tokenizer
        self._longest = int(roberta.config.max_position_embeddings) - 2  # positions start at padding_idx + 1
        self.layers = int(roberta.config.num_hidden_layers) + 1  # hidden states: the embeddings and every layer (13)
        self.text_width = int(roberta.config.hidden_size)  # of RoBERTa's hidden states (768)
        self.clip_width = int(clip.model.config.projection_dim)  # of CLIP's space for texts and images (512)

    def encode_texts(self, texts: Sequence[str]) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """Return each text's hidden states and CLIP's projected feature [E], which is not normalised.

        The hidden states are [L, T, D] for L layers (including the embeddings), T tokens and width D.
        """
        limit = {"truncation": True, "max_length": self._longest}
        hidden = by_length([self._tokenizer(text, **limit).input_ids for text in texts], self._hidden_states)
        return list(zip(hidden, self.clip.texts([PREFIX + text for text in texts]), strict=True))

    def _hidden_states(self, ids: torch.Tensor) -> list[torch.Tensor]:
        output = self.roberta(input_ids=ids.to(self.device), output_hidden_states=True)
        return list(torch.stack(output.hidden_states, dim=1))  # for each text: [hidden states, tokens, width]


def normalised(texts: Sequence[torch.Tensor]) -> torch.Tensor:
    """Layer-normalise the hidden states [L, T, D] of each text's token 0.

    Returns float32 [N, L, D]. In each layer, the mean and the biased variance are computed over all tokens of all
    texts. Before the square root is taken, 1e-12 is added to the variance. This is ELMo's scalar mix, as in the
    authors' scalar_mix.py. With several texts, each result depends on the other texts. To avoid this, pass one text at
    a time.
    """
    states = torch.cat(list(texts), dim=1).double()
    mean, variance = states.mean(dim=(1, 2)), states.var(dim=(1, 2), unbiased=False)
    first = torch.stack([text[:, 0] for text in texts]).double()
    return ((first - mean[:, None]) * (variance + 1e-12).rsqrt()[:, None]).float()


class ScalarMix(nn.Module):
    """Weighted mean of the hidden states (Peters et al. 2018): gamma times the softmax-weighted sum."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.scalar_parameters = nn.ParameterList([nn.Parameter(torch.zeros(1)) for _ in range(layers)])
        self.gamma = nn.Parameter(torch.ones(1))
        self.register_buffer("dropout_mask", torch.zeros(layers))  # not used, but part of the published weights
        self.register_buffer("dropout_fill", torch.full((layers,), -1e20))
        self.dropout_fill: torch.Tensor

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """Mix layer-normalised hidden states [N, L, D] to [N, D]."""
        scalars = torch.cat(list(self.scalar_parameters))
        if self.training:
            scalars = torch.where(torch.rand_like(scalars) < DROPOUT, self.dropout_fill, scalars)
        weights = scalars.softmax(dim=0)
        return self.gamma * (weights[:, None] * states).sum(dim=1)


class PolosHead(nn.Module):
    """The trained component of Polos: a scalar mix of hidden states, and a regression to a score in [0, 1]."""

    def __init__(self, layers: int, width: int, hidden_sizes: Sequence[int] = HIDDEN_SIZES) -> None:
        super().__init__()
        self.scalar_mix = ScalarMix(layers)
        steps: OrderedDict[str, nn.Module] = OrderedDict()
        for number, (inner, outer) in enumerate(pairwise([width, *hidden_sizes]), start=1):
            steps[f"linear_{number}"] = nn.Linear(inner, outer)
            steps[f"activation_{number}"], steps[f"dropout_{number}"] = nn.Tanh(), nn.Dropout(DROPOUT)
        steps[f"linear_{len(hidden_sizes) + 1}"] = nn.Linear([width, *hidden_sizes][-1], 1)
        self.ff = nn.Sequential(nn.Sequential(OrderedDict(ff=nn.Sequential(steps))), nn.Sigmoid())

    @classmethod
    def from_state(cls, state: Mapping[str, torch.Tensor]) -> "PolosHead":
        """Build the head (the trained component of Polos) from its weights.

        Raises KeyError or RuntimeError for weights of another model.
        """
        layers = sum(key.startswith("scalar_mix.scalar_parameters.") for key in state)
        linears = sum(key.startswith("ff.0.ff.linear_") and key.endswith(".weight") for key in state)
        shapes = [state[f"ff.0.ff.linear_{number}.weight"].shape for number in range(1, linears + 1)]
        head = cls(layers, shapes[0][1], [shape[0] for shape in shapes[:-1]])
        head.load_state_dict(dict(state), strict=True)
        return head

    def sentences(self, states: torch.Tensor) -> torch.Tensor:
        """Mix layer-normalised hidden states of token 0, [N, L, D], to sentence vectors [N, D]."""
        mixed: torch.Tensor = self.scalar_mix(states)
        return mixed

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Map feature vectors [N, 4 D + 6 E] to scores [N] in [0, 1]."""
        scores: torch.Tensor = self.ff(features)
        return scores.squeeze(dim=1)


def feature_vector(
    reference: torch.Tensor,
    candidate: torch.Tensor,
    image: torch.Tensor,
    candidate_clip: torch.Tensor,
    reference_clip: torch.Tensor,
) -> torch.Tensor:
    """Join features to the vector of ten parts that the authors' code uses.

    Inputs are sentence vectors [N, D] and CLIP features [N, E]. The result is [N, 4 D + 6 E]. By the paper's equations
    3 and 4, reference_clip and a second candidate_clip would also be parts, but the published weights lack these two.
    """
    parts = [
        *(reference, candidate, (candidate - reference).abs(), candidate * reference),
        *(image, candidate_clip, (image - candidate_clip).abs(), image * candidate_clip),
        *((reference_clip - candidate_clip).abs(), reference_clip * candidate_clip),
    ]
    return torch.cat(parts, dim=1)


def feature_width(encoder: PolosEncoder) -> int:
    """Return the length of the feature vector for this encoder: 6,144 for RoBERTa base with CLIP ViT-B."""
    return TEXT_PARTS * encoder.text_width + CLIP_PARTS * encoder.clip_width


class PolosModel:
    """Polos's encoders and head together. Features of recent texts and images are cached in memory."""

    def __init__(self, encoder: PolosEncoder, head: PolosHead, weights: str) -> None:
        self.weights = weights  # the name of the weights in signatures
        self._encoder = encoder
        self._head = head.to(encoder.device).float().eval()
        self._text = lru_cache(TEXTS_KEPT)(lambda text: encoder.encode_texts([text])[0])

    def image_features(self, path: Path) -> FloatArray:
        """Return CLIP's feature vector (shape [E]) of the picture at path. Raises BadImage."""
        return self._encoder.clip.image_features(path)

    def estimate(
        self, images: FloatArray, candidates: Sequence[str], references: Sequence[Sequence[str]]
    ) -> FloatArray:
        """Return scores [N, R] in [0, 1] for images [N, E], with N candidates and R references for each.

        As in the authors' code, the layer norm covers the whole batch: all candidates together, all first references
        together, all second references together, and so on. So a sample's score is independent of other samples only in
        a batch of one.
        """
        with torch.inference_mode(), timed("model"):
            image = torch.from_numpy(images).to(self._encoder.device)
            candidate, candidate_clip = self._encoded(candidates)
            columns = []
            for texts in zip(*references, strict=True):
                reference, reference_clip = self._encoded(texts)
                features = feature_vector(reference, candidate, image, candidate_clip, reference_clip)
                columns.append(self._head(features))
            scores: FloatArray = torch.stack(columns, dim=1).cpu().numpy()
        return scores

    def _encoded(self, texts: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor]:
        states, clip = zip(*(self._text(text) for text in texts), strict=True)
        return self._head.sentences(normalised(states)), torch.stack(clip)


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
    for prefix, module in zip(PARTS.values(), (encoder.roberta, encoder.clip.model), strict=True):
        tensors |= {prefix + key: tensor.detach().cpu() for key, tensor in module.state_dict().items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as unfinished:
        notes = dict(zip(PARTS, encoder.tokenizers, strict=True))
        torch.save({"state_dict": tensors, "capscope": notes}, unfinished)


def load_polos(path: Path, settings: ModelSettings) -> PolosModel:
    """Load a checkpoint, with tokenizers and the encoders' configurations from a repository or folder.

    settings.options may name these under "roberta" and "clip". Raises ModelUnavailable.
    """
    prepare_torchvision()
    from transformers import AutoTokenizer, CLIPConfig, CLIPModel, RobertaConfig, RobertaModel

    parts, notes = read_checkpoint(path)
    named = {"roberta": SIMCSE_ROBERTA.repo, "clip": CLIP_B32.repo} | dict(notes) | dict(settings.options)
    names = named["roberta"], named["clip"]
    places = [find_weights(name, "Polos", f"Option {part}") for part, name in zip(PARTS, names, strict=True)]
    words, clip_words = (pretrained(AutoTokenizer, place) for place in places)
    is_published = "visual.proj" in parts["clip"]  # with OpenAI's names of CLIP's weights
    try:
        configs = [json.loads((place.folder / "config.json").read_text(encoding="utf-8")) for place in places]
        roberta = RobertaModel(RobertaConfig.from_dict(configs[0]), add_pooling_layer=False)
        clip = CLIPModel(CLIPConfig.from_dict(configs[1]))
        roberta.load_state_dict(dict(parts["roberta"]), strict=True)
        clip.load_state_dict(to_transformers(parts["clip"]) if is_published else dict(parts["clip"]), strict=True)
        head = PolosHead.from_state(parts["head"])
    except (OSError, KeyError, IndexError, RuntimeError, ValueError) as error:
        raise ModelUnavailable(
            f"{path.name}: these are not the weights of Polos: {_first_line(error)}. If it has other encoders, name "
            "their repositories with --option clip=REPOSITORY and --option roberta=REPOSITORY."
        ) from error
    encoder = PolosEncoder(roberta, words, ClipEncoder(clip, clip_words, torch_device(settings.device)), names)
    # Everything that affects a score: the weights, the encoders' settings and both vocabularies.
    signed = [fingerprint(parts[name]) for name in ("roberta", "clip", "head")]
    signed += [json.dumps(config, sort_keys=True) for config in configs]
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
