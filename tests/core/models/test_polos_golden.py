"""Polos's head against the published code's own numbers, made with random weights."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from core.models.polos import (
    PolosEncoder,
    PolosHead,
    PolosModel,
    feature_vector,
    normalised,
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

    def encode_texts(self, texts: Sequence[str]) -> list[tuple[torch.Tensor, torch.Tensor]]:
        return [self._text(*text.split("@")) for text in texts]

    def _text(self, name: str, row: str) -> tuple[torch.Tensor, torch.Tensor]:
        item = int(row)
        lengths = self.case["mt_lengths"] if name == "mt" else self.case["ref_lengths"][int(name[3:])]
        states = self.arrays[f"{name}_hidden"][:, item, : lengths[item]]
        return states, self.arrays[f"{name}_clip"][item]

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
    candidates, candidate_clip = zip(*golden.encode_texts(golden.names("mt")), strict=True)
    for r in range(golden.references):
        references, reference_clip = zip(*golden.encode_texts(golden.names(f"ref{r}")), strict=True)
        features = feature_vector(
            head.sentences(normalised(references)),
            head.sentences(normalised(candidates)),
            golden.arrays["img_clip"],
            torch.stack(candidate_clip),
            torch.stack(reference_clip),
        )
        assert (features - golden.arrays["expected_features"][r]).abs().max() < 2e-5
    model = PolosModel(cast(PolosEncoder, golden), head, "golden")
    texts = [[f"ref{r}@{item}" for r in range(golden.references)] for item in range(golden.items)]
    scores = model.estimate(golden.arrays["img_clip"].numpy(), golden.names("mt"), texts)
    assert np.abs(scores - np.array(golden.case["expected_score_per_ref"]).T).max() < 1e-5
    assert np.abs(scores.max(axis=1) - golden.case["expected_score"]).max() < 1e-5


def test_dropped_layers_leave_the_mix_only_in_training() -> None:
    head = PolosHead(layers=3, width=5, hidden_sizes=(3,))
    states = torch.eye(3)[None]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        mixes = torch.cat([head.train().sentences(states) for _ in range(50)])
    assert (mixes == 0).any()
    assert torch.allclose(mixes.sum(dim=1), torch.ones(50))
    assert torch.allclose(head.eval().sentences(states), torch.full((1, 3), 1 / 3))
