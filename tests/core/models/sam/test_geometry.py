import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from core.models.sam.geometry import from_letterbox, sam_pixels, sam_size, snapped, to_sam


@pytest.fixture(scope="module")
def golden(shared_dir: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((shared_dir / "golden" / "sam" / "sam.json").read_text())
    return content


def test_boxes_are_snapped_and_taken_back_as_in_the_golden_file(golden: dict[str, Any]) -> None:
    for case in golden["border_snapping"]["cases"]:
        size = tuple(case["network_input_hw"])
        found = snapped(np.array(case["boxes_network"]), size)
        assert np.abs(found - case["expected_snapped"]).max() < 1e-3
        original = from_letterbox(found, size, tuple(case["original_hw"]))
        assert np.abs(original - case["expected_original"]).max() < 1e-3


def test_sizes_and_boxes_in_sams_frame_are_those_of_the_golden_file(golden: dict[str, Any]) -> None:
    for case in golden["resize_longest_side_1024"]:
        size = tuple(case["original_hw"])
        assert list(sam_size(size)) == case["new_hw"]
        assert np.abs(to_sam(np.array(case["boxes"]), size) - case["expected_boxes"]).max() < 1e-6


def test_the_picture_is_prepared_as_in_the_golden_file(golden: dict[str, Any], shared_dir: Path) -> None:
    case = golden["apply_image"]
    rgb = np.array(Image.open(shared_dir / "golden" / "sam" / case["file"]).convert("RGB"))
    pixels = sam_pixels(rgb)
    grid = case["grid_index"]
    assert pixels.shape == (1, 3, 1024, 1024)
    assert np.abs(pixels[0][:, grid][:, :, grid] - case["preprocessed_grid"]).max() < 1.01 / 57
    assert list(sam_size(rgb.shape[:2])) == case["resized_hw"]


def test_no_boxes_stay_no_boxes() -> None:
    none = np.zeros((0, 4))
    assert to_sam(from_letterbox(snapped(none, (1024, 768)), (1024, 768), (40, 30)), (40, 30)).shape == (0, 4)
