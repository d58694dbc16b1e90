from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from core.errors import BadImage, BadMask, ModelUnavailable
from core.models.clip.openai import to_transformers
from core.regions import masks
from core.types import ImageRef, ImageRegion


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global torch, load_file, save_file, AlphaClip, alpha_tower, load_alpha_clip, alpha, picture, standardised, ClipText
    global unit, prepare_torchvision
    import torch
    from safetensors.torch import load_file, save_file

    from core.models.clip.alpha_clip import (
        AlphaClip,
        ClipText,
        alpha,
        alpha_tower,
        load_alpha_clip,
        picture,
        standardised,
        unit,
    )
    from core.models.runtime.torchvision_ops import prepare_torchvision


CASES = ("wide_odd_diff", "tall", "small_upscale", "square_336")


class FakeTokenizer:
    """One token a letter, between the tiny model's start (1998) and end (1999)."""

    def __call__(self, texts: list[str], max_length: int, **settings: Any) -> dict[str, torch.Tensor]:
        rows = [[1998, *(ord(letter) % 1900 + 1 for letter in text)][: max_length - 1] + [1999] for text in texts]
        longest = max(map(len, rows))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        return {"input_ids": ids, "attention_mask": (ids > 0).long()}


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
    prepare_torchvision()
    from transformers import CLIPTextConfig, CLIPTextModelWithProjection

    config = CLIPTextConfig(
        vocab_size=2000, hidden_size=64, intermediate_size=256, num_hidden_layers=2, num_attention_heads=1,
        projection_dim=64, eos_token_id=2, bos_token_id=None, pad_token_id=None,
    )  # fmt: skip
    tower = CLIPTextModelWithProjection(config)
    state = {key: tensor for key, tensor in to_transformers(golden["text"]).items() if key != "logit_scale"}
    tower.load_state_dict(state, strict=True)
    return tower.eval()


@pytest.fixture(scope="module")
def encoder(golden: dict[str, Any], text_tower: Any) -> AlphaClip:
    return AlphaClip(alpha_tower(golden["visual"]), ClipText(text_tower, FakeTokenizer()), "tiny", batch_size=2)


@pytest.fixture
def image(tmp_path: Path) -> ImageRef:
    path = tmp_path / "picture.png"
    Image.fromarray(np.random.default_rng(0).integers(0, 256, (40, 70, 3), np.uint8)).save(path)
    return ImageRef("picture.png", path)


def region(box: tuple[int, int, int, int], size: tuple[int, int] = (40, 70)) -> ImageRegion:
    mask = np.zeros(size, bool)
    mask[box[1] : box[3], box[0] : box[2]] = True
    return ImageRegion(masks.encode(mask), size)


def test_the_golden_region_features_hold(golden: dict[str, Any]) -> None:
    io, tower = golden["io"], alpha_tower(golden["visual"]).eval()
    for pixels, expected in zip(io["pixel_values"], io["image_features"], strict=True):
        four_channels = torch.cat([pixels.expand(len(io["alpha"]), -1, -1, -1), io["alpha"]], dim=1)
        with torch.inference_mode():
            assert (tower(pixel_values=four_channels).image_embeds - expected).abs().max() < 1e-4


def test_the_golden_cosines_hold(golden: dict[str, Any], text_tower: Any) -> None:
    io, tower = golden["io"], alpha_tower(golden["visual"]).eval()
    with torch.inference_mode():
        texts = unit(text_tower(input_ids=io["token_ids"]).text_embeds)
        for pixels, expected in zip(io["pixel_values"], io["cosine"], strict=True):
            four_channels = torch.cat([pixels.expand(len(io["alpha"]), -1, -1, -1), io["alpha"]], dim=1)
            cosines = unit(tower(pixel_values=four_channels).image_embeds) @ texts.T
            assert np.abs(cosines - expected.numpy()).max() < 1e-4


def test_without_alpha_weights_the_mask_changes_nothing(golden: dict[str, Any]) -> None:
    io = golden["io"]
    visual = golden["visual"] | {"conv1_alpha.weight": torch.zeros_like(golden["visual"]["conv1_alpha.weight"])}
    four_channels = torch.cat([io["pixel_values"], io["alpha"][[1, 3, 5]]], dim=1)
    with torch.inference_mode():
        features = alpha_tower(visual).eval()(pixel_values=four_channels).image_embeds
    assert (features - io["image_features_alpha_weight_zero"]).abs().max() < 1e-4


@pytest.mark.parametrize("change", ["missing", "left over"])
def test_a_key_missing_or_left_over_is_named(golden: dict[str, Any], change: str) -> None:
    state = dict(golden["visual"])
    if change == "missing":
        del state["ln_post.bias"]
    else:
        state["ln_extra.bias"] = torch.zeros(3)
    with pytest.raises(ModelUnavailable, match="ln_extra|post_layernorm"):
        alpha_tower(state)


def test_plain_clip_weights_are_refused(golden: dict[str, Any]) -> None:
    with pytest.raises(ModelUnavailable, match="conv1_alpha"):
        alpha_tower({key: value for key, value in golden["visual"].items() if key != "conv1_alpha.weight"})


@pytest.mark.parametrize("name", CASES)
def test_the_golden_preparation_of_picture_and_mask_holds(shared_dir: Path, name: str) -> None:
    folder = shared_dir / "golden" / "alphaclip_preprocess"
    case = next(c for c in json.loads((folder / "alphaclip_preprocess.json").read_text())["cases"] if c["name"] == name)
    expected, side = np.load(folder / "expected.npz"), case["size"]
    mask = np.array(Image.open(folder / f"{name}_mask.png")) > 127
    part, size = ImageRegion(masks.encode(mask), mask.shape), mask.shape
    grid = expected[f"{name}/grid_index"]
    at = np.ix_(grid, grid)

    padded = alpha(part, size, side).numpy()
    assert np.abs(padded - expected[f"{name}/alpha_pad_aa"]).max() < 2e-3
    assert np.abs(padded[0][at] - expected[f"{name}/alpha_pad_aa_grid"]).max() < 2e-4
    pixels = standardised(picture(ImageRef(name, folder / f"{name}_image.png")), side).numpy()
    assert np.abs(pixels[:, at[0], at[1]] - expected[f"{name}/image_pad_aa_grid"]).max() < 1e-3


def test_the_whole_picture_is_inside_over_the_padding_too() -> None:
    whole = ImageRegion(masks.full((40, 70)), (40, 70), is_full=True)
    assert torch.allclose(alpha(whole, (40, 70), 56), torch.tensor(0.5 / 0.26))


def test_regions_in_batches_are_as_one_by_one(encoder: AlphaClip, image: ImageRef) -> None:
    regions = [region((0, 0, 20, 20)), region((30, 10, 70, 40)), region((5, 5, 9, 9))]
    together = encoder.encode_regions(image, regions)
    alone = np.concatenate([encoder.encode_regions(image, [part]) for part in regions])
    assert np.abs(together - alone).max() < 1e-5
    assert np.linalg.norm(together, axis=1) == pytest.approx(1.0)
    assert np.abs(together[0] - together[1]).max() > 1e-3


def test_a_long_text_is_cut_and_keeps_its_end(encoder: AlphaClip) -> None:
    features = encoder.encode_texts(["a" * 75, "a" * 200, "b"])
    assert np.abs(features[0] - features[1]).max() < 1e-6
    assert np.abs(features[0] - features[2]).max() > 1e-3


def test_a_mask_of_another_size_is_refused(encoder: AlphaClip, image: ImageRef) -> None:
    with pytest.raises(BadMask, match="70×40"):
        encoder.encode_regions(image, [region((0, 0, 2, 2), (70, 40))])


def test_a_picture_that_was_not_found_is_named(encoder: AlphaClip) -> None:
    with pytest.raises(BadImage, match="lost.png"):
        encoder.encode_regions(ImageRef("lost.png"), [region((0, 0, 2, 2))])


def test_a_tower_of_unknown_shape_is_refused_on_loading(golden: dict[str, Any], tmp_path: Path) -> None:
    save_file(golden["visual"], tmp_path / "tiny.safetensors")
    with pytest.raises(ModelUnavailable, match="patch and image size"):
        load_alpha_clip(tmp_path / "tiny.safetensors")
