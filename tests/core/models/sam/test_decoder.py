from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import ModelUnavailable
from core.models.sam.geometry import to_sam


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global torch, load_file, BoxDecoder, load_decoder, prepare_ultralytics, fill, mixed
    import torch
    from safetensors.torch import load_file

    from core.models.sam.decoder import BoxDecoder, load_decoder
    from core.models.sam.detector import prepare_ultralytics
    from tests.core.models.formula_weights import fill, mixed


class Sam:
    """Prompt encoder and mask decoder of any size, in ultralytics' modules."""

    def __init__(self, width: int, grid: int, mlp: int, heads: int) -> None:
        prepare_ultralytics()
        from ultralytics.models.sam.modules.decoders import MaskDecoder
        from ultralytics.models.sam.modules.encoders import PromptEncoder
        from ultralytics.models.sam.modules.transformer import TwoWayTransformer

        self.prompt_encoder = PromptEncoder(width, (grid, grid), (16 * grid, 16 * grid), 16)
        transformer = TwoWayTransformer(depth=2, embedding_dim=width, num_heads=heads, mlp_dim=mlp)
        self.mask_decoder = MaskDecoder(width, transformer, iou_head_hidden_dim=width)


def checkpoint(flat: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The two dicts of Prompt_guided_Mask_Decoder.pt, from their flattened form."""
    parts = ("PromtEncoder", "MaskDecoder")
    return {part: {k.removeprefix(f"{part}."): v for k, v in flat.items() if k.startswith(part)} for part in parts}


@pytest.fixture(scope="module")
def folder(shared_dir: Path) -> Path:
    return shared_dir / "golden" / "sam"


@pytest.fixture(scope="module")
def small(folder: Path) -> BoxDecoder:
    sam = Sam(width=64, grid=16, mlp=128, heads=4)
    load_decoder(sam, checkpoint(load_file(folder / "decoder_state.safetensors")))
    return BoxDecoder(sam.prompt_encoder, sam.mask_decoder, side=256)


@pytest.mark.parametrize(("key", "size"), [("img0", (120, 200)), ("img1", (301, 187))])
def test_the_golden_masks_hold(folder: Path, small: BoxDecoder, key: str, size: tuple[int, int]) -> None:
    io = load_file(folder / "decoder_io.safetensors")
    boxes = to_sam(io[f"{key}/boxes_original"].numpy(), size, side=256)
    assert np.abs(boxes - io[f"{key}/boxes_model"].numpy()).max() < 1e-6

    logits, quality = small.logits(io["image_embedding"], boxes)
    assert (logits - io[f"{key}/low_res_logits"]).abs().max() < 2e-5
    assert (quality - io[f"{key}/iou_prediction"]).abs().max() < 2e-5
    full = small.full_logits(logits, size)
    assert (full - io[f"{key}/full_logits_float16"].float()).abs().max() < 1e-2
    found, expected = np.stack(small.masks(io["image_embedding"], boxes, size)), io[f"{key}/mask"].numpy() > 0
    assert not ((found != expected) & (full.abs().numpy() > 1e-4)).any()


def test_masks_of_a_batch_are_those_of_single_boxes(folder: Path, small: BoxDecoder) -> None:
    io = load_file(folder / "decoder_io.safetensors")
    boxes = io["img0/boxes_model"].numpy()
    together, _ = small.logits(io["image_embedding"], boxes)
    alone = torch.cat([small.logits(io["image_embedding"], box[None])[0] for box in boxes])
    assert (together - alone).abs().max() < 1e-5


def test_the_golden_logits_of_the_real_size_hold(folder: Path) -> None:
    facts = json.loads((folder / "sam.json").read_text())
    case, shapes = facts["real_size_decoder_by_formula"], facts["real_size_state_keys_sorted"]
    sam = Sam(width=256, grid=64, mlp=2048, heads=8)
    load_decoder(sam, checkpoint(fill(shapes, case["salt"])))
    embedding = torch.from_numpy(mixed(500, 256 * 64 * 64, case["salt"]).astype(np.float32)).reshape(1, 256, 64, 64)
    logits, quality = BoxDecoder(sam.prompt_encoder, sam.mask_decoder).logits(embedding, np.array(case["boxes"]))
    grid = case["grid_index"]
    assert np.abs(logits[:, 0][:, grid][:, :, grid].numpy() - case["low_res_grid"]).max() < case["tolerance_abs"]
    assert np.abs(quality.numpy() - case["iou_prediction"]).max() < case["tolerance_abs"]


@pytest.mark.parametrize("content", [{}, {"PromtEncoder": {}, "MaskDecoder": {}}, {"PromtEncoder": 1}])
def test_another_checkpoint_is_refused(content: dict[str, Any]) -> None:
    with pytest.raises(ModelUnavailable, match="mask decoder"):
        load_decoder(Sam(width=64, grid=16, mlp=128, heads=4), content)
