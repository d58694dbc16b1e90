from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, UnidentifiedImageError

from core.errors import BadImage, Cancelled, ModelUnavailable
from core.long_work.progress import reporting
from core.regions import masks
from core.types import ImageRef


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global torch, efficient_vit, MAX_BOXES, BoxDetector, load_detector, prepare_ultralytics
    global suppressed, EfficientVitL2, BATCH_CPU, MobileSam, SamFiles, load_mobile_sam
    import torch

    from core.models.sam import efficient_vit
    from core.models.sam.detector import MAX_BOXES, BoxDetector, load_detector, prepare_ultralytics, suppressed
    from core.models.sam.efficient_vit import EfficientVitL2
    from core.models.sam.mobile_sam import BATCH_CPU, MobileSam, SamFiles, load_mobile_sam


WIDTH, HEIGHT = 100, 60


class FakeNetwork:
    """Gives the same boxes (centre x, y, width, height, confidence, in px of the detector's input) whatever it sees."""

    def __init__(self, *rows: tuple[float, ...]) -> None:
        self.rows, self.seen = rows, torch.zeros(0)

    def eval(self) -> FakeNetwork:
        return self

    def parameters(self) -> Iterator[torch.Tensor]:
        yield self.seen

    def __call__(self, pixels: torch.Tensor) -> Any:
        self.seen = pixels
        found = torch.zeros(1, 37, max(1, len(self.rows)))
        if self.rows:
            found[0, :5] = torch.tensor(self.rows).T
        return (found, None), None


class FakeDecoder:
    """The mask of a box is the box."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def masks(self, embedding: torch.Tensor, boxes: np.ndarray, picture: tuple[int, int]) -> list[np.ndarray]:
        self.batches.append(len(boxes))
        found = []
        for x0, y0, x1, y1 in np.rint(boxes * WIDTH / 1024).astype(int):
            mask = np.zeros(picture, bool)
            mask[y0:y1, x0:x1] = True
            found.append(mask)
        return found


@pytest.fixture
def image(tmp_path: Path) -> ImageRef:
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    pixels[..., 0] = 255
    Image.fromarray(pixels).save(tmp_path / "p.png")
    return ImageRef("p.png", tmp_path / "p.png")


def finder(*rows: tuple[float, ...]) -> tuple[MobileSam, FakeDecoder]:
    decoder: Any = FakeDecoder()
    sam = MobileSam(BoxDetector(FakeNetwork(*rows)), torch.nn.Identity(), decoder, "fake", torch.device("cpu"))
    return sam, decoder


def row(x0: float, y0: float, x1: float, y1: float, confidence: float = 0.9) -> tuple[float, ...]:
    """A box of the 100×60 picture, as the detector sees it: ten times as large, 13 px of padding above."""
    scale, pad = 10.24, 13.0
    return ((x0 + x1) / 2 * scale, (y0 + y1) / 2 * scale + pad, (x1 - x0) * scale, (y1 - y0) * scale, confidence)


def test_every_box_becomes_a_region_and_the_whole_picture_comes_last(image: ImageRef) -> None:
    sam, _ = finder(row(10, 10, 30, 40), row(50, 20, 90, 50))
    *parts, whole = sam.regions(image)
    assert [masks.box(part.rle, part.size) for part in parts] == [(10, 10, 30, 40), (50, 20, 90, 50)]
    assert whole.is_full and masks.area(whole.rle, whole.size) == WIDTH * HEIGHT


def test_no_detection_is_no_region_but_the_whole_picture(image: ImageRef) -> None:
    sam, decoder = finder()
    assert [region.is_full for region in sam.regions(image)] == [True]
    assert decoder.batches == []


def test_unsure_and_doubled_boxes_are_left_out() -> None:
    network = FakeNetwork(row(10, 10, 30, 40), row(10, 10, 30, 40.2, 0.8), row(50, 20, 90, 50, 0.39))
    assert len(BoxDetector(network).boxes(np.zeros((HEIGHT, WIDTH, 3), np.uint8))) == 1


def test_boxes_near_the_border_reach_it() -> None:
    boxes = BoxDetector(FakeNetwork(row(1.5, 2, 98.5, 40))).boxes(np.zeros((HEIGHT, WIDTH, 3), np.uint8))
    assert boxes[0] == pytest.approx([0, 2, 100, 40], abs=1e-5)


def test_the_detector_sees_red_as_red(image: ImageRef) -> None:
    assert image.path is not None
    rgb = np.array(Image.open(image.path))
    network = FakeNetwork()
    BoxDetector(network).boxes(rgb)
    assert network.seen[0][:, network.seen.shape[2] // 2, 500].tolist() == [1.0, 0.0, 0.0]


def test_progress_is_told_a_batch_at_a_time(image: ImageRef) -> None:
    sam, decoder = finder(*(row(x, 10, x + 8, 40) for x in range(5, 90, 5)))
    told: list[tuple[str, int, int]] = []
    with reporting(lambda *step: told.append(step)):
        sam.regions(image)
    assert decoder.batches == [BATCH_CPU] * 4 + [1]
    assert [step for step in told if step[0] == "Drawing regions"] == [
        ("Drawing regions", done, 17) for done in (0, 4, 8, 12, 16, 17)
    ]


def test_work_is_cancelled_between_batches(image: ImageRef) -> None:
    sam, decoder = finder(*(row(x, 10, x + 8, 40) for x in range(5, 90, 5)))

    def give_up(what: str, done: int, total: int) -> None:
        if what == "Drawing regions" and done:
            raise Cancelled("given up")

    with reporting(give_up), pytest.raises(Cancelled):
        sam.regions(image)
    assert decoder.batches == [BATCH_CPU]


def test_a_picture_that_was_not_found_is_named() -> None:
    with pytest.raises(BadImage, match="lost.png"):
        finder()[0].regions(ImageRef("lost.png"))


def test_missing_weights_say_where_to_fetch_them(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="releases/download/.*/FastSAM-x.pt"):
        load_mobile_sam(SamFiles(tmp_path / "FastSAM-x.pt", tmp_path / "mobile_sam.pt"))


def test_at_most_three_hundred_boxes_are_kept_the_surest_first() -> None:
    found = torch.zeros(37, 400)
    found[0], found[1], found[2:4] = torch.arange(400) * 20.0, 50.0, 10.0
    found[4] = torch.linspace(0.5, 0.9, 400)
    boxes = suppressed(found)
    assert len(boxes) == MAX_BOXES
    assert boxes[0].tolist() == [399 * 20 - 5, 45, 399 * 20 + 5, 55]


def test_opening_pictures_stays_pillows_own(tmp_path: Path) -> None:
    prepare_ultralytics()
    (tmp_path / "broken.png").write_bytes(b"no picture")
    with pytest.raises(UnidentifiedImageError):
        Image.open(tmp_path / "broken.png")


# -- real modules, random weights --


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> SamFiles:
    """Small but real files: a YOLOv8n-seg with one class, and a whole MobileSAM."""
    prepare_ultralytics()
    from ultralytics.models.sam.build import build_mobile_sam
    from ultralytics.nn.tasks import SegmentationModel

    folder = tmp_path_factory.mktemp("weights")
    torch.manual_seed(0)
    torch.save({"model": SegmentationModel("yolov8n-seg.yaml", nc=1, verbose=False)}, folder / "FastSAM-n.pt")
    torch.save({"model": build_mobile_sam().state_dict()}, folder / "mobile_sam.pt")
    return SamFiles(folder / "FastSAM-n.pt", folder / "mobile_sam.pt")


def test_real_files_are_loaded_safely_and_named(files: SamFiles, image: ImageRef) -> None:
    sam = load_mobile_sam(files, "cpu")
    assert sam.name.startswith("mobile-sam-v2/FastSAM-n@") and "+mobile_sam@" in sam.name
    assert sam.regions(image)[-1].is_full


def test_the_authors_decoder_is_loaded_over_mobile_sams(files: SamFiles, tmp_path: Path) -> None:
    state = torch.load(files.sam, weights_only=True)["model"]
    parts = {"PromtEncoder": "prompt_encoder.", "MaskDecoder": "mask_decoder."}
    content = {
        part: {key.removeprefix(prefix): tensor + 1 for key, tensor in state.items() if key.startswith(prefix)}
        for part, prefix in parts.items()
    }
    torch.save(content, tmp_path / "decoder.pt")
    sam = load_mobile_sam(SamFiles(files.detector, files.sam, decoder=tmp_path / "decoder.pt"), "cpu")
    loaded: Any = sam._decoder._decoder
    assert torch.equal(loaded.iou_token.weight, state["mask_decoder.iou_token.weight"] + 1)


@pytest.fixture
def small_vit(monkeypatch: pytest.MonkeyPatch) -> None:
    """EfficientViT of the same layers at toy size."""
    monkeypatch.setattr(efficient_vit, "WIDTHS", (8, 8, 8, 32, 32))
    monkeypatch.setattr(efficient_vit, "DEPTHS", (1, 1, 1, 1, 1))
    monkeypatch.setattr(efficient_vit, "NECK_DEPTH", 1)


def whole_sam(encoder: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The encoder as part of a whole SAM, as EfficientViT-SAM's l2.pt holds it."""
    others = {"prompt_encoder.no_mask_embed.weight": torch.ones(1, 256), "mask_decoder.iou_token.weight": torch.ones(1)}
    return {f"image_encoder.{key}": tensor for key, tensor in encoder.items()} | others


def test_the_encoder_is_taken_out_of_a_whole_efficient_vit_sam(
    files: SamFiles, tmp_path: Path, small_vit: None
) -> None:
    state = EfficientVitL2().state_dict()
    torch.save({"state_dict": whole_sam(state)}, tmp_path / "l2.pt")
    sam = load_mobile_sam(SamFiles(files.detector, files.sam, encoder=tmp_path / "l2.pt"), "cpu")
    assert isinstance(sam._encoder, EfficientVitL2)
    assert all(torch.equal(tensor, state[key]) for key, tensor in sam._encoder.state_dict().items())
    assert "+l2@" in sam.name


def test_an_encoder_that_misses_a_weight_is_refused_by_its_name(
    files: SamFiles, tmp_path: Path, small_vit: None
) -> None:
    state = whole_sam(EfficientVitL2().state_dict())
    del state["image_encoder.norm.bias"]
    torch.save({"state_dict": state}, tmp_path / "l2.pt")
    with pytest.raises(ModelUnavailable, match=r"EfficientViT-L2: 1 weights are missing, such as norm\.bias"):
        load_mobile_sam(SamFiles(files.detector, files.sam, encoder=tmp_path / "l2.pt"), "cpu")


@pytest.mark.parametrize("prefix", ["", "image_encoder."])
@pytest.mark.parametrize("wrapped", [True, False])
def test_an_image_encoder_alone_is_taken_from_the_authors_mobile_sam(
    files: SamFiles, tmp_path: Path, prefix: str, wrapped: bool
) -> None:
    """Without TinyViT's classifier, which takes no part."""
    whole = torch.load(files.sam, weights_only=True)["model"]
    named = {key.removeprefix("image_encoder."): tensor for key, tensor in whole.items() if "image_encoder" in key}
    state = {prefix + key: tensor for key, tensor in named.items() if not key.startswith(("head.", "norm_head."))}
    key = "neck.0.weight"
    state[prefix + key] = state[prefix + key] + 1
    torch.save({"model": state} if wrapped else state, tmp_path / "mobile_sam.pt")
    sam = load_mobile_sam(SamFiles(files.detector, files.sam, encoder=tmp_path / "mobile_sam.pt"), "cpu")
    assert torch.equal(sam._encoder.state_dict()[key], named[key] + 1)


def test_encoder_and_decoder_of_the_authors_need_no_other_sam(files: SamFiles, tmp_path: Path, small_vit: None) -> None:
    torch.save({"state_dict": whole_sam(EfficientVitL2().state_dict())}, tmp_path / "l2.pt")
    state = torch.load(files.sam, weights_only=True)["model"]
    parts = {"PromtEncoder": "prompt_encoder.", "MaskDecoder": "mask_decoder."}
    content = {
        part: {key.removeprefix(prefix): tensor for key, tensor in state.items() if key.startswith(prefix)}
        for part, prefix in parts.items()
    }
    torch.save(content, tmp_path / "decoder.pt")
    given = SamFiles(files.detector, tmp_path / "none.pt", tmp_path / "l2.pt", tmp_path / "decoder.pt")
    assert load_mobile_sam(given, "cpu").name.count("@") == 3


@pytest.mark.parametrize("lost", ["mask_decoder.iou_token.weight", "image_encoder.neck.0.weight"])
def test_a_mobile_sam_that_misses_a_weight_is_refused_by_its_name(files: SamFiles, tmp_path: Path, lost: str) -> None:
    state = torch.load(files.sam, weights_only=True)["model"]
    del state[lost]
    torch.save({"model": state}, tmp_path / "mobile_sam.pt")
    with pytest.raises(ModelUnavailable, match=f"1 weights are missing, such as {lost}"):
        load_mobile_sam(SamFiles(files.detector, tmp_path / "mobile_sam.pt"), "cpu")


@pytest.mark.parametrize("content", [{}, {"model": 1}, {"state_dict": {"epoch": 3}}, [1]])
def test_a_file_without_weights_is_no_sam(files: SamFiles, tmp_path: Path, content: Any) -> None:
    torch.save(content, tmp_path / "mobile_sam.pt")
    with pytest.raises(ModelUnavailable, match=r"mobile_sam\.pt: the file contains neither the weights of a SAM"):
        load_mobile_sam(SamFiles(files.detector, tmp_path / "mobile_sam.pt"), "cpu")


class Runs:
    """A pickle that would run something."""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return print, ("ran",)


@pytest.mark.parametrize("content", [b"", b"junk", {"model": Runs()}, {"model": 1}, {"other": 1}, [1]])
def test_a_detector_file_that_is_none_is_refused_and_runs_nothing(
    tmp_path: Path, content: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "FastSAM-x.pt"
    path.write_bytes(content) if isinstance(content, bytes) else torch.save(content, path)
    with pytest.raises(ModelUnavailable, match="FastSAM-x.pt"):
        load_detector(path)
    assert "ran" not in capsys.readouterr().out


@pytest.mark.parametrize("content", [{}, {"model": {"a": "a tensor"}}, [1]])
def test_a_sam_file_that_is_none_is_refused(files: SamFiles, tmp_path: Path, content: Any) -> None:
    if "model" in content:
        content = {"model": {"a": torch.zeros(1)}}
    torch.save(content, tmp_path / "mobile_sam.pt")
    with pytest.raises(ModelUnavailable, match="mobile_sam.pt"):
        load_mobile_sam(SamFiles(files.detector, tmp_path / "mobile_sam.pt"), "cpu")
