"""CLIPScore and RefCLIPScore end to end with a tiny real CLIP of transformers."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors.torch import load_file, save_file
from transformers import AutoTokenizer

from core.errors import ModelUnavailable
from core.images.pictures import open_rgb
from core.metrics.clip_score import CLIPScore, RefCLIPScore
from core.models import ModelSettings
from core.models.checkpoints import CLIP_B32
from core.models.clip import MEAN, STD
from core.types import EvaluationError, ImageRef, Sample, Score
from tests.polos_toys import Toys, make_toys, save_picture

CANDIDATE, REFERENCES = "a dog runs.", ("two cats", "a dog running", "grass and sky")


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Toys:
    return make_toys(tmp_path_factory.mktemp("toys"), seed=5)


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_picture(tmp_path_factory.mktemp("pictures") / "one.png", seed=1, size=(53, 41))


@pytest.fixture(scope="module")
def model_settings(toys: Toys) -> ModelSettings:
    return ModelSettings(model=str(toys.clip), device="cpu")


def naive_features(toys: Toys, picture: Path, texts: list[str]) -> tuple[Any, Any]:
    """Unit features of one picture and texts, by transformers' own processor."""
    side = 32 * 53 // 41  # the longer side when the shorter is 32
    left = (side - 32) // 2
    resized = open_rgb(picture).resize((side, 32), Image.Resampling.BICUBIC).crop((left, 0, left + 32, 32))
    pixels = (np.asarray(resized).astype(np.float32) / 255 - MEAN) / STD
    tokens = AutoTokenizer.from_pretrained(toys.clip)([f"A photo depicts {text}" for text in texts], padding=True)
    with torch.no_grad():
        image = toys.clip_model(
            pixel_values=torch.tensor(pixels.transpose(2, 0, 1)[None], dtype=torch.float32),
            input_ids=torch.tensor(tokens.input_ids),
        )
    return image.image_embeds[0].numpy(), image.text_embeds.numpy()


def test_both_scores_agree_with_a_naive_computation(toys: Toys, model_settings: ModelSettings, picture: Path) -> None:
    image, texts = naive_features(toys, picture, [CANDIDATE, *REFERENCES])
    without = 2.5 * max(float(image @ texts[0]), 0)
    closest = max(float(texts[0] @ text) for text in texts[1:])
    sample = Sample("1", ImageRef(picture.name, picture), CANDIDATE, REFERENCES)
    [ours], [ours_with] = (
        CLIPScore.load(model_settings).score([sample]),
        RefCLIPScore.load(model_settings).score([sample]),
    )
    assert isinstance(ours, Score)
    assert isinstance(ours_with, Score)
    assert without > 0.01
    assert ours.value == pytest.approx(without, abs=1e-5)
    assert ours_with.value == pytest.approx(2 * without * closest / (without + closest), abs=1e-5)
    assert f"|model:{toys.clip.name}@" in ours.signature


def test_a_model_from_the_hub_is_signed_with_its_commit(
    toys: Toys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    snapshot = tmp_path / "models--openai--clip-vit-base-patch32/snapshots" / CLIP_B32.revision
    shutil.copytree(toys.clip, snapshot)
    assert CLIP_B32.folder() == snapshot
    signed = CLIPScore.load(ModelSettings(device="cpu")).signature()
    assert f"|model:openai/clip-vit-base-patch32@{CLIP_B32.revision[:12]}|" in signed


def test_a_model_of_another_kind_is_refused(toys: Toys) -> None:
    with pytest.raises(ModelUnavailable, match="must be a model of type clip, but is roberta"):
        CLIPScore.load(ModelSettings(model=str(toys.roberta), device="cpu"))


def test_a_model_that_lacks_weights_is_refused_and_not_filled_with_random_ones(toys: Toys, tmp_path: Path) -> None:
    folder = shutil.copytree(toys.clip, tmp_path / "clip")
    weights = load_file(folder / "model.safetensors")
    del weights["text_projection.weight"]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelUnavailable, match=r"1 weights are missing, such as text_projection\.weight"):
        CLIPScore.load(ModelSettings(model=str(folder), device="cpu"))


@pytest.mark.parametrize("metric", [CLIPScore, RefCLIPScore])
def test_a_bad_picture_is_an_error_and_the_next_sample_is_scored(
    metric: type[CLIPScore], model_settings: ModelSettings, picture: Path, tmp_path: Path
) -> None:
    (tmp_path / "broken.png").write_bytes(b"no picture")
    images = ImageRef("broken.png", tmp_path / "broken.png"), ImageRef("gone.png"), ImageRef(picture.name, picture)
    loaded = metric.load(model_settings)
    broken, gone, good = loaded.score([Sample("1", image, CANDIDATE, REFERENCES) for image in images])
    assert isinstance(broken, EvaluationError) and broken.kind == "bad_image" and "broken.png" in broken.message
    assert isinstance(gone, EvaluationError) and gone.kind == "missing_image"
    assert isinstance(good, Score) and "|precision:float32|w:2.5|" in good.signature
