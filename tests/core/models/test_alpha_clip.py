import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors.torch import load_file
from transformers import CLIPTextConfig, CLIPTextModelWithProjection, CLIPVisionConfig

from core.errors import BadMask, ModelUnavailable
from core.models.alpha_clip import (
    RegionClip,
    alpha,
    alpha_tower,
    masked_crop,
    picture,
    standardised,
    unit,
)
from core.models.clip import MEAN, load_clip, to_transformers
from core.models.weights import find_weights
from core.regions import masks
from core.types import ImageRef, ImageRegion
from tests.polos_toys import Toys


def tiny_vision() -> Any:
    """The sizes of the golden image encoder."""
    sizes = {"hidden_size": 128, "intermediate_size": 512, "num_hidden_layers": 2, "num_attention_heads": 2}
    return CLIPVisionConfig(image_size=56, patch_size=14, projection_dim=64, **sizes)


CASES = ("wide_odd_diff", "tall", "small_upscale", "square_336")


@pytest.fixture(scope="module")
def golden(shared_dir: Path) -> dict[str, Any]:
    folder = shared_dir / "golden" / "alphaclip"
    return {
        "visual": load_file(folder / "visual_state.safetensors"),
        "text": load_file(folder / "text_state.safetensors"),
        "io": load_file(folder / "io.safetensors"),
    }


@pytest.fixture(scope="module")
def text_tower(golden: dict[str, Any]) -> Any:
    config = CLIPTextConfig(
        vocab_size=2000, hidden_size=64, intermediate_size=256, num_hidden_layers=2, num_attention_heads=1,
        projection_dim=64, eos_token_id=2, bos_token_id=None, pad_token_id=None,
    )  # fmt: skip
    tower = CLIPTextModelWithProjection(config)
    state = {key: tensor for key, tensor in to_transformers(golden["text"]).items() if key != "logit_scale"}
    tower.load_state_dict(state, strict=True)
    return tower.eval()


@pytest.fixture
def image(tmp_path: Path) -> ImageRef:
    path = tmp_path / "picture.png"
    Image.fromarray(np.random.default_rng(0).integers(0, 256, (40, 70, 3), np.uint8)).save(path)
    return ImageRef("picture.png", path)


def region(box: tuple[int, int, int, int], hole: tuple[int, int] | None = None) -> ImageRegion:
    mask = np.zeros((40, 70), bool)
    mask[box[1] : box[3], box[0] : box[2]] = True
    if hole:
        mask[hole] = False
    return ImageRegion(masks.encode(mask), (40, 70))


def test_the_golden_cosines_hold(golden: dict[str, Any], text_tower: Any) -> None:
    io, tower = golden["io"], alpha_tower(golden["visual"], tiny_vision()).eval()
    with torch.inference_mode():
        texts = unit(text_tower(input_ids=io["token_ids"]).text_embeds)
        for pixels, expected in zip(io["pixel_values"], io["cosine"], strict=True):
            four_channels = torch.cat([pixels.expand(len(io["alpha"]), -1, -1, -1), io["alpha"]], dim=1)
            cosines = unit(tower(pixel_values=four_channels).image_embeds) @ texts.T
            assert np.abs(cosines - expected.numpy()).max() < 1e-4


@pytest.mark.parametrize("change", ["missing", "left over"])
def test_a_key_missing_or_left_over_is_named(golden: dict[str, Any], change: str) -> None:
    state = dict(golden["visual"])
    if change == "missing":
        del state["ln_post.bias"]
    else:
        state["ln_extra.bias"] = torch.zeros(3)
    with pytest.raises(ModelUnavailable, match="ln_extra|post_layernorm"):
        alpha_tower(state, tiny_vision())


@pytest.mark.parametrize("name", CASES)
def test_the_golden_preparation_of_picture_and_mask_holds(shared_dir: Path, name: str) -> None:
    folder = shared_dir / "golden" / "alphaclip_preprocess"
    case = next(c for c in json.loads((folder / "alphaclip_preprocess.json").read_text())["cases"] if c["name"] == name)
    expected, side = np.load(folder / "expected.npz"), case["size"]
    mask = np.array(Image.open(folder / f"{name}_mask.png")) > 127
    part, rgb = ImageRegion(masks.encode(mask), mask.shape), torch.zeros(3, *mask.shape)
    grid = expected[f"{name}/grid_index"]
    at = np.ix_(grid, grid)

    padded = alpha(part, rgb, side).numpy()
    assert np.abs(padded - expected[f"{name}/alpha_pad_aa"]).max() < 2e-3
    assert np.abs(padded[0][at] - expected[f"{name}/alpha_pad_aa_grid"]).max() < 2e-4
    pixels = standardised(picture(ImageRef(name, folder / f"{name}_image.png")), side).numpy()
    assert np.abs(pixels[:, at[0], at[1]] - expected[f"{name}/image_pad_aa_grid"]).max() < 1e-3


def test_the_whole_picture_is_inside_over_the_padding_too() -> None:
    whole = ImageRegion(masks.full((40, 70)), (40, 70), is_full=True)
    assert torch.allclose(alpha(whole, torch.zeros(3, 40, 70), 56), torch.tensor(0.5 / 0.26))


def test_crops_and_texts_are_compared_by_the_same_clip(toys: Toys, image: ImageRef) -> None:
    """Without Alpha-CLIP, the region that is the whole picture has CLIP's own features of the padded picture."""
    clip = load_clip(find_weights(str(toys.clip), "HICE-S"), "cpu")
    encoder = RegionClip(clip)
    whole = ImageRegion(masks.full((40, 70)), (40, 70), is_full=True)
    with torch.inference_mode():
        pixels = standardised(picture(image), 32)[None]
        expected = unit(toys.clip_model.get_image_features(pixel_values=pixels).pooler_output)
    assert np.abs(encoder.encode_regions(image, [whole]) - expected).max() < 1e-6
    together = encoder.encode_texts(["a dog", "two cats", "a dog runs."])
    assert np.abs(together[1] - encoder.encode_texts(["two cats"])[0]).max() < 1e-6
    assert encoder.name == f"clip-crops/{clip.weights}"


def test_a_crop_is_square_and_outside_the_mask_has_the_mean_colour() -> None:
    rgb = torch.rand(3, 40, 70, generator=torch.Generator().manual_seed(0))
    crop = masked_crop(rgb, region((10, 4, 20, 8), hole=(5, 12)))
    assert crop.shape == (3, 10, 10)
    assert torch.equal(crop[:, 3, 0], rgb[:, 4, 10])
    assert torch.equal(crop[:, 4, 2], torch.tensor(MEAN))
    assert torch.equal(crop[:, 0, 0], torch.tensor(MEAN))


@pytest.mark.parametrize("mask", [np.zeros((40, 70), bool), np.ones((3, 3), bool)])
def test_an_empty_mask_and_one_of_another_size_are_refused(mask: np.ndarray) -> None:
    with pytest.raises(BadMask):
        masked_crop(torch.zeros(3, 40, 70), ImageRegion(masks.encode(mask), mask.shape))
