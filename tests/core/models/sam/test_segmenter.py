"""Regions of a YOLO segmenter: they are the masks that ultralytics itself predicts."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from core.errors import BadImage, ModelUnavailable
from core.models import ModelSettings
from core.regions import masks
from core.types import ImageRef

LEAST = 1e-6  # confidence that anchors of random weights reach


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global torch, segmenter, prepare_ultralytics
    import torch

    from core.models.sam import segmenter
    from core.models.sam.detector import prepare_ultralytics


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real YOLOv8n-seg of three classes with random weights, large enough for masks that differ."""
    prepare_ultralytics()
    from ultralytics.nn.tasks import SegmentationModel

    torch.manual_seed(3)
    network = SegmentationModel("yolov8n-seg.yaml", nc=3, verbose=False)
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            torch.nn.init.normal_(module.bias)  # else all masks are empty
    network.names = {0: "dog", 1: "cat", 2: "bus"}
    path = tmp_path_factory.mktemp("weights") / "yolov8n-seg.pt"
    torch.save({"model": network}, path)
    return path


@pytest.fixture
def image(tmp_path: Path) -> ImageRef:
    pixels = np.random.default_rng(0).integers(0, 256, (60, 100, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "p.png")
    return ImageRef("p.png", tmp_path / "p.png")


class Replayed:
    """A network that gives what another one gave; its own rounding would swap masks of almost equal confidence."""

    def __init__(self, pixels: torch.Tensor, given: Any) -> None:
        self.pixels, self.given = pixels, given

    def eval(self) -> Replayed:
        return self

    def parameters(self) -> Iterator[torch.Tensor]:
        yield self.pixels

    def __call__(self, pixels: torch.Tensor) -> Any:
        assert torch.equal(pixels, self.pixels)
        return self.given


def test_regions_are_the_masks_that_ultralytics_predicts(
    weights: Path, image: ImageRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare_ultralytics()
    from ultralytics.models.yolo.segment import SegmentationPredictor

    seen: list[tuple[torch.Tensor, Any]] = []
    postprocess = SegmentationPredictor.postprocess

    def remembering(self: Any, given: Any, pixels: torch.Tensor, *others: Any) -> Any:
        seen.append((pixels.clone(), deepcopy(given)))
        return postprocess(self, given, pixels, *others)

    monkeypatch.setattr(SegmentationPredictor, "postprocess", remembering)
    options = {"imgsz": 1024, "conf": LEAST, "iou": 0.7, "max_det": 300, "retina_masks": True, "rect": True}
    predictor = SegmentationPredictor(overrides={"model": str(weights), "device": "cpu", "save": False, **options})
    (result,) = predictor(image.path)
    expected = result.masks.data.bool().numpy()

    monkeypatch.setattr(segmenter, "CONFIDENCE", LEAST)
    network: Any = Replayed(*seen[-1])
    *parts, whole = segmenter.Segmenter(network, "replayed", classes=3).regions(image)
    ours = np.array([masks.decode(part.rle, part.size) for part in parts], dtype=bool)
    assert whole.is_full and len(ours) > 50 and 0.01 < expected.mean() < 0.99
    assert np.array_equal(ours, expected)


def test_a_picture_without_objects_is_one_region(weights: Path, image: ImageRef) -> None:
    finder = segmenter.load_segmenter(weights, "cpu")
    assert finder.name.startswith("segmenter/yolov8n-seg@")
    assert [region.is_full for region in finder.regions(image)] == [True]
    with pytest.raises(BadImage, match="No picture was found"):
        finder.regions(ImageRef("lost.png"))


def test_hice_takes_the_segmenter_by_its_file(weights: Path) -> None:
    from core.models.hice.parts import _finder

    settings = ModelSettings(options={"weights": str(weights.parent)})
    assert _finder(weights.name, settings).name.startswith("segmenter/yolov8n-seg@")
    with pytest.raises(ModelUnavailable, match="there are no weights"):
        _finder("lost.pt", settings)
