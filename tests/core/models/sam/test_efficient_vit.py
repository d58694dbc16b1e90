from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import ModelUnavailable


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global torch, EfficientVitL2, encoder_from, fill, mixed
    import torch

    from core.models.sam.efficient_vit import EfficientVitL2, encoder_from
    from tests.core.models.formula_weights import fill, mixed


SALT = 31415926


@pytest.fixture(scope="module")
def golden(shared_dir: Path) -> tuple[dict[str, Any], Any]:
    folder = shared_dir / "golden" / "efficientvit_l2"
    return json.loads((folder / "efficientvit_l2.json").read_text()), np.load(folder / "expected.npz")


@pytest.fixture(scope="module")
def encoder(golden: tuple[dict[str, Any], Any]) -> EfficientVitL2:
    shapes = {name: tuple(shape) for name, shape, _ in golden[0]["state_keys_sorted"]}
    return encoder_from(fill(shapes, SALT))


def golden_input() -> torch.Tensor:
    y, x = np.mgrid[:1024, :1024]
    smooth = np.stack([np.sin(x / 90 + y / 150), np.cos(x / 60), np.sin(y / 45 + 1)]).astype(np.float32)
    noise = mixed(900, 3 * 1024 * 1024, SALT).reshape(3, 1024, 1024).astype(np.float32)
    return torch.from_numpy(np.float32(1.5) * smooth + noise)[None]


def test_the_formula_is_that_of_the_golden_file(golden: tuple[dict[str, Any], Any]) -> None:
    check = golden[0]["fill_check"]
    assert mixed(0, 4, SALT).tolist() == pytest.approx(check["u(k=0,i=0..3)"], abs=1e-12)
    assert mixed(7, 4, SALT).tolist() == pytest.approx(check["u(k=7,i=0..3)"], abs=1e-12)
    assert golden_input()[0, :, ::128, ::128].numpy() == pytest.approx(golden[1]["input_grid"], abs=1e-6)


def test_keys_and_shapes_are_the_published_ones(golden: tuple[dict[str, Any], Any]) -> None:
    ours = {name: list(tensor.shape) for name, tensor in EfficientVitL2().state_dict().items()}
    assert ours == {name: shape for name, shape, _ in golden[0]["state_keys_sorted"]}


def test_the_golden_stages_and_embedding_hold(golden: tuple[dict[str, Any], Any], encoder: EfficientVitL2) -> None:
    facts, expected = golden
    stages: list[torch.Tensor] = []
    encoder.backbone.register_forward_hook(lambda module, inputs, output: stages.extend(output))
    with torch.inference_mode():
        embedding = encoder(golden_input())[0]
    for number, stage in enumerate(stages):
        name = f"stage{number}"
        channels, grid = expected[f"{name}/channels"], expected[f"{name}/grid"]
        found = stage[0].numpy()[np.ix_(channels, grid, grid)]
        allowed = max(10 * facts["stages"][name]["max_abs_diff_to_independent_float64"], 1e-4)
        assert np.abs(found - expected[f"{name}/slice"]).max() < allowed
    at = np.ix_(expected["channel_index"], expected["grid_index"], expected["grid_index"])
    assert embedding.shape == (256, 64, 64)
    assert np.abs(embedding.numpy()[at] - expected["final_slice"]).max() < 1e-3
    assert np.abs(embedding.mean(dim=(1, 2)).numpy() - expected["final_channel_mean"]).max() < 1e-3


def test_other_weights_are_refused() -> None:
    with pytest.raises(ModelUnavailable, match="EfficientViT-L2"):
        encoder_from({"norm.weight": torch.ones(256)})
