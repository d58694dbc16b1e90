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


@pytest.mark.parametrize("name", ["single0", "single1", "single2", "batch2"])
def test_features_and_scores_are_those_of_the_published_code(folder: Path, head: PolosHead, name: str) -> None:
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
    model = PolosModel(cast(PolosEncoder, golden), head, "golden")
    texts = [[f"ref{r}@{item}" for r in range(golden.references)] for item in range(golden.items)]
    scores = model.estimate(golden.arrays["img_clip"].numpy(), golden.names("mt"), texts)
    assert np.abs(scores - np.array(golden.case["expected_score_per_ref"]).T).max() < 1e-5
    assert np.abs(scores.max(axis=1) - golden.case["expected_score"]).max() < 1e-5


def test_every_published_key_of_the_head_is_used(folder: Path, head: PolosHead) -> None:
    published = json.loads((folder / "polos.json").read_text())["state_keys"]
    assert {key: list(tensor.shape) for key, tensor in head.state_dict().items()} == published


def test_dropped_layers_leave_the_mix_only_in_training() -> None:
    head = PolosHead(layers=3, width=5, hidden_sizes=(3,))
    states = torch.eye(3)[None]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        mixes = torch.cat([head.train().sentences(states) for _ in range(50)])
    assert (mixes == 0).any()
    assert torch.allclose(mixes.sum(dim=1), torch.ones(50))
    assert torch.allclose(head.eval().sentences(states), torch.full((1, 3), 1 / 3))
