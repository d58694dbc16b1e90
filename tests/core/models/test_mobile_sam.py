import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors.torch import load_file

from core.errors import ModelUnavailable
from core.models import efficient_vit
from core.models import mobile_sam as sam
from core.models.checkpoints import sam_files
from core.regions import masks
from core.types import ImageRef
from tests.core.models.formula_weights import fill, mixed

WIDTH, HEIGHT = 100, 60
sam.prepare_ultralytics()


@pytest.fixture(scope="module")
def folder(shared_dir: Path) -> Path:
    return shared_dir / "golden" / "sam"


@pytest.fixture(scope="module")
def facts(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / "sam.json").read_text())
    return content


def test_boxes_and_sizes_are_those_of_the_golden_file(facts: dict[str, Any]) -> None:
    for case in facts["border_snapping"]["cases"]:
        size = tuple(case["network_input_hw"])
        found = sam.snapped(np.array(case["boxes_network"]), size)
        assert np.abs(found - case["expected_snapped"]).max() < 1e-3
        original = sam.from_letterbox(found, size, tuple(case["original_hw"]))
        assert np.abs(original - case["expected_original"]).max() < 1e-3
    for case in facts["resize_longest_side_1024"]:
        size = tuple(case["original_hw"])
        assert list(sam.sam_size(size)) == case["new_hw"]
        assert np.abs(sam.to_sam(np.array(case["boxes"]), size) - case["expected_boxes"]).max() < 1e-6


def test_the_picture_is_prepared_as_in_the_golden_file(facts: dict[str, Any], folder: Path) -> None:
    case = facts["apply_image"]
    rgb = np.array(Image.open(folder / case["file"]).convert("RGB"))
    pixels, grid = sam.sam_pixels(rgb), case["grid_index"]
    assert pixels.shape == (1, 3, 1024, 1024)
    assert np.abs(pixels[0][:, grid][:, :, grid] - case["preprocessed_grid"]).max() < 1.01 / 57
    assert list(sam.sam_size(rgb.shape[:2])) == case["resized_hw"]


class Modules(dict[str, Any]):
    """SAM's prompt encoder and mask decoder of any size, with the published weights of a file."""

    def __init__(self, width: int, grid: int, mlp: int, heads: int, flat: dict[str, Any]) -> None:
        from ultralytics.models.sam.modules.decoders import MaskDecoder
        from ultralytics.models.sam.modules.encoders import PromptEncoder
        from ultralytics.models.sam.modules.transformer import TwoWayTransformer

        self.prompt_encoder = PromptEncoder(width, (grid, grid), (16 * grid, 16 * grid), 16)
        transformer = TwoWayTransformer(depth=2, embedding_dim=width, num_heads=heads, mlp_dim=mlp)
        self.mask_decoder = MaskDecoder(width, transformer, iou_head_hidden_dim=width)
        for name, module in (("PromtEncoder.", self.prompt_encoder), ("MaskDecoder.", self.mask_decoder)):
            module.load_state_dict({k.removeprefix(name): v for k, v in flat.items() if k.startswith(name)})


@pytest.mark.parametrize(("key", "size"), [("img0", (120, 200)), ("img1", (301, 187))])
def test_the_golden_masks_hold(folder: Path, key: str, size: tuple[int, int]) -> None:
    decoder = sam.BoxDecoder(Modules(64, 16, 128, 4, load_file(folder / "decoder_state.safetensors")), side=256)
    io = load_file(folder / "decoder_io.safetensors")
    boxes = sam.to_sam(io[f"{key}/boxes_original"].numpy(), size, side=256)
    assert np.abs(boxes - io[f"{key}/boxes_model"].numpy()).max() < 1e-6
    logits, quality = decoder.logits(io["image_embedding"], boxes)
    assert (logits - io[f"{key}/low_res_logits"]).abs().max() < 2e-5
    assert (quality - io[f"{key}/iou_prediction"]).abs().max() < 2e-5
    full = decoder.full_logits(logits, size)
    assert (full - io[f"{key}/full_logits_float16"].float()).abs().max() < 1e-2
    found, expected = np.stack(decoder.masks(io["image_embedding"], boxes, size)), io[f"{key}/mask"].numpy() > 0
    assert not ((found != expected) & (full.abs().numpy() > 1e-4)).any()


def test_the_golden_logits_of_the_real_size_hold(facts: dict[str, Any]) -> None:
    case = facts["real_size_decoder_by_formula"]
    modules = Modules(256, 64, 2048, 8, fill(facts["real_size_state_keys_sorted"], case["salt"]))
    embedding = torch.from_numpy(mixed(500, 256 * 64 * 64, case["salt"]).astype(np.float32)).reshape(1, 256, 64, 64)
    logits, quality = sam.BoxDecoder(modules).logits(embedding, np.array(case["boxes"]))
    grid = case["grid_index"]
    assert np.abs(logits[:, 0][:, grid][:, :, grid].numpy() - case["low_res_grid"]).max() < case["tolerance_abs"]
    assert np.abs(quality.numpy() - case["iou_prediction"]).max() < case["tolerance_abs"]


class FakeNetwork:
    """Gives the same boxes (centre x, y, width, height, confidence, in px of the detector's input) whatever it sees."""

    def __init__(self, *rows: tuple[float, ...]) -> None:
        self.rows, self.seen = rows, torch.zeros(0)

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


def row(x0: float, y0: float, x1: float, y1: float, confidence: float = 0.9) -> tuple[float, ...]:
    """A box of the 100×60 picture, as the detector sees it: ten times as large, 13 px of padding above."""
    scale, pad = 10.24, 13.0
    return ((x0 + x1) / 2 * scale, (y0 + y1) / 2 * scale + pad, (x1 - x0) * scale, (y1 - y0) * scale, confidence)


def finder(*rows: tuple[float, ...]) -> tuple[Any, FakeDecoder]:
    decoder: Any = FakeDecoder()
    return sam.MobileSam(FakeNetwork(*rows), torch.nn.Identity(), decoder, "fake", torch.device("cpu")), decoder


def test_every_sure_box_becomes_a_region_and_the_whole_picture_comes_last(image: ImageRef) -> None:
    doubled, unsure = row(10, 10, 30, 40.2, 0.8), row(50, 20, 90, 50, 0.39)
    found, _ = finder(row(10, 10, 30, 40), doubled, row(40, 20, 80, 50), unsure, row(1.5, 40, 98.5, 50))
    *parts, whole = found.regions(image)
    boxes = [masks.box(part.rle, part.size) for part in parts]
    assert boxes == [(10, 10, 30, 40), (40, 20, 80, 50), (0, 40, 100, 50)]  # the last one reaches the border
    assert whole.is_full and masks.area(whole.rle, whole.size) == WIDTH * HEIGHT
    seen = found._detector.seen[0]
    assert seen[:, seen.shape[1] // 2, 500].tolist() == [1.0, 0.0, 0.0]  # red is red
    assert [region.is_full for region in finder()[0].regions(image)] == [True]


# -- real modules, random weights --


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small but real files: a YOLOv8n-seg with one class, and a whole MobileSAM."""
    from ultralytics.models.sam.build import build_mobile_sam
    from ultralytics.nn.tasks import SegmentationModel

    folder = tmp_path_factory.mktemp("weights")
    torch.manual_seed(0)
    torch.save({"model": SegmentationModel("yolov8n-seg.yaml", nc=1, verbose=False)}, folder / "FastSAM-s.pt")
    torch.save({"model": build_mobile_sam().state_dict()}, folder / "mobile_sam.pt")
    return folder


@pytest.fixture
def weights(made: Path, tmp_path: Path) -> Path:
    """A folder with these files, to which a test adds or which it changes."""
    folder = tmp_path / "weights"
    folder.mkdir()
    for path in made.iterdir():
        (folder / path.name).symlink_to(path)
    return folder


def test_real_files_are_loaded_safely_and_named(weights: Path, image: ImageRef) -> None:
    found = sam.load_mobile_sam(sam_files(weights), "cpu")
    assert found.name.startswith("mobile-sam-v2/FastSAM-s@") and "+mobile_sam@" in found.name
    assert found.regions(image)[-1].is_full


def test_the_authors_encoder_and_decoder_are_preferred_and_need_no_other_sam(
    weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(efficient_vit, "WIDTHS", (8, 8, 8, 32, 32))  # the same layers at toy size
    monkeypatch.setattr(efficient_vit, "DEPTHS", (1, 1, 1, 1, 1))
    monkeypatch.setattr(efficient_vit, "NECK_DEPTH", 1)
    state = torch.load(weights / "mobile_sam.pt", weights_only=True)["model"]
    parts = {"PromtEncoder": "prompt_encoder.", "MaskDecoder": "mask_decoder."}
    content = {
        part: {key.removeprefix(prefix): tensor + 1 for key, tensor in state.items() if key.startswith(prefix)}
        for part, prefix in parts.items()
    }
    torch.save(content, weights / "Prompt_guided_Mask_Decoder.pt")
    encoder = efficient_vit.EfficientVitL2().state_dict()
    whole = {f"image_encoder.{key}": tensor for key, tensor in encoder.items()}
    torch.save({"state_dict": whole | {"mask_decoder.iou_token.weight": torch.ones(1)}}, weights / "l2.pt")
    (weights / "mobile_sam.pt").unlink()
    found = sam.load_mobile_sam(sam_files(weights), "cpu")
    assert [name.split("@")[0] for name in found.name.split("/")[1].split("+")] == [
        "FastSAM-s", "l2", "Prompt_guided_Mask_Decoder",
    ]  # fmt: skip
    loaded: Any = found._decoder._decoder
    assert torch.equal(loaded.iou_token.weight, state["mask_decoder.iou_token.weight"] + 1)
    assert all(torch.equal(tensor, encoder[key]) for key, tensor in found._encoder.state_dict().items())
    del whole["image_encoder.norm.bias"]
    torch.save(whole, weights / "l2.pt")
    with pytest.raises(ModelUnavailable, match=r"l2\.pt: 1 weights are missing, such as image_encoder\.norm\.bias"):
        sam.load_mobile_sam(sam_files(weights), "cpu")


@pytest.mark.parametrize("lost", ["mask_decoder.iou_token.weight", "image_encoder.neck.0.weight", None])
def test_a_sam_without_a_weight_is_refused_by_its_name(weights: Path, lost: str | None) -> None:
    state = torch.load(weights / "mobile_sam.pt", weights_only=True)["model"]
    state.pop(lost, None)
    (weights / "mobile_sam.pt").unlink()
    torch.save({"model": state if lost else {"epoch": 3}}, weights / "mobile_sam.pt")
    expected = f"1 weights are missing, such as {lost}" if lost else "neither the weights of a SAM"
    with pytest.raises(ModelUnavailable, match=f"mobile_sam.pt: .*{expected}"):
        sam.load_mobile_sam(sam_files(weights), "cpu")
