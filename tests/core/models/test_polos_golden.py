"""Polos's head against the published code's own numbers, made with random weights."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global torch, load_file, PolosEncoder, TextFeatures, normalised, summarised, PolosHead, PolosModel
    global feature_vector
    import torch
    from safetensors.torch import load_file

    from core.models.polos import (
        PolosEncoder,
        PolosHead,
        PolosModel,
        TextFeatures,
        feature_vector,
        normalised,
        summarised,
    )


TOLERANCE = 1e-5
SINGLES = ("single0", "single1", "single2")


class Golden:
    """One case: texts are called "mt", "ref0" ... with "@row" for the item of the batch."""

    def __init__(self, folder: Path, name: str) -> None:
        cases = {case["name"]: case for case in json.loads((folder / "polos.json").read_text())["cases"]}
        self.case: dict[str, Any] = cases[name]
        arrays = load_file(folder / "io.safetensors")
        self.arrays = {
            key.removeprefix(f"{name}."): value for key, value in arrays.items() if key.startswith(f"{name}.")
        }
        self.items, self.references = self.case["batch"], self.case["n_refs"]
        self.device = torch.device("cpu")
        self.tokens_read = None

    def encode_texts(self, texts: Sequence[str]) -> list[TextFeatures]:
        return [self._text(*text.split("@")) for text in texts]

    def _text(self, name: str, row: str) -> TextFeatures:
        item = int(row)
        lengths = self.case["mt_lengths"] if name == "mt" else self.case["ref_lengths"][int(name[3:])]
        states = self.arrays[f"{name}_hidden"][:, item, : lengths[item]]
        return summarised(states, self.arrays[f"{name}_clip"][item])

    def names(self, text: str) -> list[str]:
        return [f"{text}@{item}" for item in range(self.items)]


@pytest.fixture(scope="module")
def folder(shared_dir: Path) -> Path:
    return shared_dir / "golden" / "polos"


@pytest.fixture(scope="module")
def head(folder: Path) -> PolosHead:
    return PolosHead.from_state(load_file(folder / "state.safetensors")).eval()


@pytest.mark.parametrize("name", [*SINGLES, "batch2"])
def test_scores_are_those_of_the_published_code(folder: Path, head: PolosHead, name: str) -> None:
    golden = Golden(folder, name)
    model = PolosModel(cast(PolosEncoder, golden), head, "golden")
    references = [[f"ref{r}@{item}" for r in range(golden.references)] for item in range(golden.items)]
    scores = model.estimate(golden.arrays["img_clip"].numpy(), golden.names("mt"), references)
    expected = np.array(golden.case["expected_score_per_ref"]).T
    assert np.abs(scores - expected).max() < TOLERANCE
    assert np.abs(scores.max(axis=1) - golden.case["expected_score"]).max() < TOLERANCE


@pytest.mark.parametrize("name", [*SINGLES, "batch2"])
def test_feature_vectors_are_those_of_the_published_code(folder: Path, head: PolosHead, name: str) -> None:
    golden = Golden(folder, name)
    candidates = golden.encode_texts(golden.names("mt"))
    for r in range(golden.references):
        references = golden.encode_texts(golden.names(f"ref{r}"))
        features = feature_vector(
            head.sentences(normalised(references)),
            head.sentences(normalised(candidates)),
            golden.arrays["img_clip"],
            torch.stack([text.clip for text in candidates]),
            torch.stack([text.clip for text in references]),
        )
        assert (features - golden.arrays["expected_features"][r]).abs().max() < 2e-5


def test_a_batch_of_the_published_code_moves_its_scores_and_ours_of_one_do_not(folder: Path, head: PolosHead) -> None:
    both = Golden(folder, "batch2")
    model = PolosModel(cast(PolosEncoder, both), head, "golden")
    first = [f"ref{r}@0" for r in range(3)]
    alone = model.estimate(both.arrays["img_clip"][:1].numpy(), ["mt@0"], [first])
    expected = np.array(Golden(folder, "single0").case["expected_score_per_ref"]).T
    assert np.abs(alone - expected).max() < TOLERANCE
    assert np.abs(alone[0] - np.array(both.case["expected_score_per_ref"])[:, 0]).max() > 1e-3


def test_every_published_key_of_the_head_is_used(folder: Path, head: PolosHead) -> None:
    published = json.loads((folder / "polos.json").read_text())["state_keys"]
    assert {key: list(tensor.shape) for key, tensor in head.state_dict().items()} == published


def naive_normalised(texts: list[Any]) -> Any:
    """The scalar mix's layer norm over padded hidden states and a mask, as a paper would write it."""
    longest = max(states.shape[1] for states in texts)
    layers, _, width = texts[0].shape
    padded, mask = np.zeros((layers, len(texts), longest, width)), np.zeros((len(texts), longest, 1))
    for row, states in enumerate(texts):
        padded[:, row, : states.shape[1]] = states.numpy()
        mask[row, : states.shape[1]] = 1
    count = mask.sum() * width
    means = [(layer * mask).sum() / count for layer in padded]
    variances = [(((layer - mean) * mask) ** 2).sum() / count for layer, mean in zip(padded, means, strict=True)]
    rows = zip(padded, means, variances, strict=True)
    return np.stack([(layer - mean) / np.sqrt(variance + 1e-12) for layer, mean, variance in rows])[:, :, 0]


def test_layer_norm_from_sums_agrees_with_padding_and_masks() -> None:
    generator = torch.Generator().manual_seed(1)
    texts = [torch.randn(3, length, 8, generator=generator) + 5 for length in (4, 9, 1)]
    ours = normalised([summarised(states, torch.zeros(2)) for states in texts])
    assert np.allclose(ours.numpy().transpose(1, 0, 2), naive_normalised(texts), atol=1e-5)


def test_a_head_of_other_weights_is_refused() -> None:
    with pytest.raises((KeyError, IndexError, RuntimeError)):
        PolosHead.from_state({"scalar_mix.gamma": torch.ones(1)})


def test_scalar_mix_weighs_all_layers_alike_before_training() -> None:
    head = PolosHead(layers=4, width=5, hidden_sizes=(3,)).eval()
    states = torch.arange(8.0).reshape(1, 4, 2)
    assert torch.allclose(head.sentences(states), torch.tensor([[3.0, 4.0]]))


def test_dropped_layers_leave_the_mix_only_in_training() -> None:
    head = PolosHead(layers=3, width=5, hidden_sizes=(3,))
    states = torch.eye(3)[None]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        mixes = torch.cat([head.train().sentences(states) for _ in range(50)])
    assert (mixes == 0).any()
    assert torch.allclose(mixes.sum(dim=1), torch.ones(50))
    assert torch.allclose(head.eval().sentences(states), torch.full((1, 3), 1 / 3))
