import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

from core.models.efficient_vit import EfficientVitL2
from tests.core.models.formula_weights import fill, mixed

SALT = 31415926


def test_the_golden_stages_and_embedding_hold(shared_dir: Path) -> None:
    folder = shared_dir / "golden" / "efficientvit_l2"
    facts: dict[str, Any] = json.loads((folder / "efficientvit_l2.json").read_text())
    expected = np.load(folder / "expected.npz")
    encoder = EfficientVitL2().eval()
    published = {name: list(shape) for name, shape, _ in facts["state_keys_sorted"]}
    assert {name: list(tensor.shape) for name, tensor in encoder.state_dict().items()} == published
    encoder.load_state_dict(fill({name: tuple(shape) for name, shape in published.items()}, SALT))

    y, x = np.mgrid[:1024, :1024]
    smooth = np.stack([np.sin(x / 90 + y / 150), np.cos(x / 60), np.sin(y / 45 + 1)]).astype(np.float32)
    noise = mixed(900, 3 * 1024 * 1024, SALT).reshape(3, 1024, 1024).astype(np.float32)
    pixels = torch.from_numpy(np.float32(1.5) * smooth + noise)[None]
    assert np.abs(pixels[0, :, ::128, ::128].numpy() - expected["input_grid"]).max() < 1e-6

    stages: list[torch.Tensor] = []
    encoder.backbone.register_forward_hook(lambda module, inputs, output: stages.extend(output))
    with torch.inference_mode():
        embedding = encoder(pixels)[0]
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
