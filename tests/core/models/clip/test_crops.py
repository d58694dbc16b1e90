from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from core.errors import BadMask
from core.models.clip.openai import MEAN
from core.regions import masks
from core.types import ImageRef, ImageRegion


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global torch, CropClip, masked_crop, ClipText, prepare_torchvision, RGB
    import torch

    from core.models.clip.alpha_clip import ClipText, CropClip, masked_crop
    from core.models.runtime.torchvision_ops import prepare_torchvision

    RGB = torch.rand(3, *SIZE, generator=torch.Generator().manual_seed(0))


SIZE = (30, 50)


def region(rows: slice, columns: slice, hole: tuple[int, int] | None = None) -> ImageRegion:
    mask = np.zeros(SIZE, bool)
    mask[rows, columns] = True
    if hole:
        mask[hole] = False
    return ImageRegion(masks.encode(mask), SIZE)


@pytest.fixture(scope="module")
def encoder() -> CropClip:
    prepare_torchvision()
    from transformers import CLIPVisionConfig, CLIPVisionModelWithProjection

    torch.manual_seed(0)
    config = CLIPVisionConfig(
        hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2, image_size=28, patch_size=14,
        projection_dim=16,
    )  # fmt: skip
    text: Any = torch.nn.Identity()
    return CropClip(CLIPVisionModelWithProjection(config), ClipText(text, None), "tiny", batch_size=2)


def test_a_crop_is_square_and_outside_the_mask_has_the_mean_colour() -> None:
    crop = masked_crop(RGB, region(slice(4, 8), slice(10, 20), hole=(5, 12)))
    assert crop.shape == (3, 10, 10)
    assert torch.equal(crop[:, 3, 0], RGB[:, 4, 10])
    assert torch.equal(crop[:, 4, 2], torch.tensor(MEAN))
    assert torch.equal(crop[:, 0, 0], torch.tensor(MEAN))


def test_the_whole_picture_is_not_cropped() -> None:
    assert masked_crop(RGB, ImageRegion(masks.full(SIZE), SIZE, is_full=True)) is RGB


@pytest.mark.parametrize("mask", [np.zeros(SIZE, bool), np.ones((3, 3), bool)])
def test_an_empty_mask_and_one_of_another_size_are_refused(mask: np.ndarray) -> None:
    with pytest.raises(BadMask):
        masked_crop(RGB, ImageRegion(masks.encode(mask), mask.shape))


def test_regions_in_batches_are_as_one_by_one(encoder: CropClip, tmp_path: Path) -> None:
    Image.fromarray((RGB.permute(1, 2, 0).numpy() * 255).astype(np.uint8)).save(tmp_path / "p.png")
    image = ImageRef("p.png", tmp_path / "p.png")
    regions = [region(slice(0, 9), slice(0, 9)), region(slice(5, 30), slice(5, 30)), region(slice(2, 4), slice(0, 50))]
    together = encoder.encode_regions(image, regions)
    alone = np.concatenate([encoder.encode_regions(image, [part]) for part in regions])
    assert np.abs(together - alone).max() < 1e-6
    assert np.linalg.norm(together, axis=1) == pytest.approx(1.0)
