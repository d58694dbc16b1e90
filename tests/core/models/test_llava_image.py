import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.images.pictures import open_rgb
from core.models.vlm import pad_to_square, pixel_values

MEAN, STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)


@pytest.mark.parametrize("name", ["wide", "tall_odd", "square_small", "wide_rgba"])
def test_golden_pictures_are_prepared_as_published(shared_dir: Path, name: str) -> None:
    folder = shared_dir / "golden" / "llava_preprocess"
    facts = next(c for c in json.loads((folder / "llava_preprocess.json").read_text())["cases"] if c["name"] == name)
    arrays = np.load(folder / "expected.npz")
    values = pixel_values(open_rgb(folder / facts["file"], drop_alpha=True), 336, MEAN, STD)
    assert values.shape == (3, 336, 336) and values.dtype == np.float32
    expected = np.asarray(Image.open(folder / facts["expected_uint8"]).convert("RGB")) / 255
    assert np.abs(values - ((expected - MEAN) / STD).transpose(2, 0, 1)).max() < 1e-5
    grid = arrays["grid_index"] if "grid_index" in arrays else None
    if grid is not None:
        assert np.abs(values[:, grid][:, :, grid] - arrays[f"{name}/pixel_values_grid"]).max() < 1e-5
    assert values.mean(axis=(1, 2)) == pytest.approx(facts["channel_mean"], abs=1e-4)


@pytest.mark.parametrize(("size", "corner"), [((5, 2), (0, 1)), ((2, 5), (1, 0)), ((4, 1), (0, 1)), ((3, 3), (0, 0))])
def test_the_odd_pixel_of_padding_goes_right_or_below(size: tuple[int, int], corner: tuple[int, int]) -> None:
    padded = pad_to_square(Image.new("RGB", size, "white"), (1, 2, 3))
    assert padded.size == (max(size), max(size))
    white = np.argwhere(np.asarray(padded).min(axis=2) == 255)
    assert tuple(white.min(axis=0)[::-1]) == corner
    assert len(white) == size[0] * size[1]
