"""Find a picture's regions with MobileSAMv2: object-aware prompts instead of a grid of points.

Zhang et al., "MobileSAMv2: Faster Segment Anything to Everything", 2023, and its published script
(ChaoningZhang/MobileSAM@34bbbfd MobileSAMv2/Inference.py): boxes from a class-agnostic YOLOv8-seg network (FastSAM, or
the authors' ObjectAwareModel), one embedding of the picture, and one mask per box from SAM's decoder. The networks are
ultralytics' and efficient_vit's. Masks are not filtered by quality, and overlapping masks are kept. Without the
authors' l2.pt and decoder, mobile_sam.pt (TinyViT and its decoder) replaces both. The signature names the files.

Coordinates are those of the picture, of the detector's input (ultralytics' letterbox), or of SAM's input
(ResizeLongestSide).
"""

import importlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from PIL import Image
from torch.nn.functional import interpolate

from core.errors import ModelUnavailable
from core.images.pictures import file_of, open_rgb
from core.long_work.progress import report
from core.models.checkpoints import DECODER_FILE, ENCODER_FILE, MOBILE_SAM
from core.models.device import prepare_torchvision, torch_device
from core.models.efficient_vit import EfficientVitL2
from core.models.weights import BROKEN, read_checkpoint_file, weights_name
from core.regions.masks import Mask, encode
from core.regions.protocols import with_full
from core.types import ImageRef, ImageRegion

Boxes = npt.NDArray[np.float64]  # [N, 4] x0, y0, x1, y1 in px
Rgb = npt.NDArray[np.uint8]  # [height, width, 3]
Size = tuple[int, int]  # (height, width) in px

DETECTOR_SIDE, STRIDE = 1024, 32  # px; the letterbox pads pictures to a multiple of the stride
CONFIDENCE, IOU, MAX_BOXES = 0.4, 0.9, 300
MASK_NUMBERS = 32  # rows of the detector's output for masks, after the rows of confidences; not used here
BORDER = 20  # px of the detector's input; a box side nearer to the picture's border is moved onto the border
SAM_SIDE = 1024  # px
MEAN = np.array([123.675, 116.28, 103.53], np.float32)
DEVIATION = np.array([58.395, 57.12, 57.375], np.float32)
BATCH_CPU, BATCH_GPU = 4, 320  # boxes per batch: on a GPU all boxes, as published; a CPU works better with few
ENCODER, PROMPTS, DECODER = "image_encoder.", "prompt_encoder.", "mask_decoder."  # prefixes of keys in a whole SAM
PICTURES_KEPT = 256  # maximum number of pictures whose regions stay in memory
UNUSED = (f"{ENCODER}norm_head.", f"{ENCODER}head.")  # TinyViT's classifier


def snapped(boxes: Boxes, size: Size) -> Boxes:
    """Move box sides less than BORDER px from the border of the detector's input onto the border."""
    height, width = size
    low = np.where(boxes[:, :2] < BORDER, 0, boxes[:, :2])
    ends = np.array([width, height])
    return np.hstack([low, np.where(boxes[:, 2:] > ends - BORDER, ends, boxes[:, 2:])])


def from_letterbox(boxes: Boxes, network: Size, picture: Size) -> Boxes:
    """Convert boxes from the detector's padded input to the picture. Boxes are clipped to the picture."""
    gain = min(network[0] / picture[0], network[1] / picture[1])
    pads = [round((network[axis] - picture[axis] * gain) / 2 - 0.1) for axis in (1, 0)]
    clipped: Boxes = np.clip((boxes - [*pads, *pads]) / gain, 0, [picture[1], picture[0]] * 2)
    return clipped


def sam_size(picture: Size, side: int = SAM_SIDE) -> Size:
    """Return a picture's size (height, width) after its longer side is scaled to `side` px."""
    scale = side / max(picture)
    return int(picture[0] * scale + 0.5), int(picture[1] * scale + 0.5)


def to_sam(boxes: Boxes, picture: Size, side: int = SAM_SIDE) -> Boxes:
    """Convert boxes from the picture's coordinates to those of SAM's input."""
    height, width = sam_size(picture, side)
    scaled: Boxes = boxes * ([width / picture[1], height / picture[0]] * 2)
    return scaled


def sam_pixels(rgb: Rgb, side: int = SAM_SIDE) -> npt.NDArray[np.float32]:
    """Return a picture as SAM's input, float32 [1, 3, side, side]: resized, standardised, padded with zeros."""
    height, width = sam_size(rgb.shape[:2], side)
    resized = np.asarray(Image.fromarray(rgb).resize((width, height), Image.Resampling.BILINEAR))
    pixels = np.zeros((1, 3, side, side), np.float32)
    pixels[0, :, :height, :width] = ((resized - MEAN) / DEVIATION).transpose(2, 0, 1)
    return pixels


def detected(network: Any, rgb: Rgb) -> Boxes:
    """Return the boxes [N, 4] of objects on a picture, the most confident first. network: a YOLOv8-seg network."""
    prepare_ultralytics()
    from ultralytics.data.augment import LetterBox

    framed = LetterBox(DETECTOR_SIDE, auto=True, stride=STRIDE)(image=rgb)
    pixels = torch.from_numpy(np.ascontiguousarray(framed.transpose(2, 0, 1)))[None]
    with torch.inference_mode():  # the network gets RGB; the published script swaps red and blue by mistake
        predictions, _ = network(pixels.to(next(network.parameters()).device).float() / 255)[0]
    kept = suppressed(predictions[0]).cpu().double().numpy()
    size = (pixels.shape[2], pixels.shape[3])
    return from_letterbox(snapped(kept, size), size, rgb.shape[:2])


def suppressed(anchors: torch.Tensor) -> torch.Tensor:
    """Return the confident boxes [N, 4] as x0, y0, x1, y1, best first, without boxes that overlap a better box.

    anchors: [4 + classes + MASK_NUMBERS, anchors]. The rows are the boxes' centre x and y, width, height, the
    confidence for each class, and numbers for masks.
    """
    from ultralytics.utils.nms import TorchNMS

    confidence = anchors[4:-MASK_NUMBERS].amax(dim=0)
    sure = confidence > CONFIDENCE
    centre, sides = anchors[:2, sure].T, anchors[2:4, sure].T
    boxes = torch.cat([centre - sides / 2, centre + sides / 2], dim=1)
    return boxes[TorchNMS.nms(boxes, confidence[sure], IOU)[:MAX_BOXES]]


class BoxDecoder:
    """Makes a mask for each box on a picture, by the modules of SAM in ultralytics."""

    def __init__(self, sam: Any, side: int = SAM_SIDE) -> None:
        self._prompts, self._decoder, self._side = sam.prompt_encoder.eval(), sam.mask_decoder.eval(), side

    def logits(self, embedding: torch.Tensor, boxes: Boxes) -> tuple[torch.Tensor, torch.Tensor]:
        """Return low-resolution mask logits [B, 1, 4g, 4g] of the first mask token, and predicted IoU [B, 1].

        embedding: the picture's embedding [1, C, g, g]. boxes: [B, 4], in the coordinates of SAM's input.
        """
        with torch.inference_mode():
            corners = torch.as_tensor(boxes, dtype=torch.float32, device=embedding.device)
            sparse, dense = self._prompts(points=None, boxes=corners, masks=None)
            logits, quality = self._decoder(
                image_embeddings=embedding,
                image_pe=self._prompts.get_dense_pe(),
                sparse_prompt_embeddings=sparse,
                dense_prompt_embeddings=dense.to(embedding),
                multimask_output=False,
            )
        return logits, quality

    def full_logits(self, logits: torch.Tensor, picture: Size) -> torch.Tensor:
        """Enlarge low-resolution logits, crop the padding, and resize to the picture's size [B, height, width]."""
        height, width = sam_size(picture, self._side)
        large = interpolate(logits.float(), (self._side, self._side), mode="bilinear", align_corners=False)
        return interpolate(large[..., :height, :width], picture, mode="bilinear", align_corners=False)[:, 0]

    def masks(self, embedding: torch.Tensor, boxes: Boxes, picture: Size) -> list[Mask]:
        """Return one bool mask [height, width] per box, in the order of the boxes."""
        logits, _ = self.logits(embedding, boxes)
        return [np.asarray((self.full_logits(one[None], picture)[0] > 0).cpu()) for one in logits]


class MobileSam:
    """A RegionFinder: it finds a picture's regions with a detector and SAM."""

    def __init__(self, detector: Any, encoder: Any, decoder: BoxDecoder, weights: str, device: torch.device) -> None:
        self._detector, self._encoder, self._decoder, self._device = detector, encoder.eval(), decoder, device
        self.name = f"mobile-sam-v2/{weights}"  # in signatures
        self._kept = lru_cache(PICTURES_KEPT)(self._found)
        self._batch = BATCH_CPU if device.type == "cpu" else BATCH_GPU

    def regions(self, image: ImageRef) -> tuple[ImageRegion, ...]:
        """Return a region for each object, and as the last region the whole picture. Raises BadImage, Cancelled."""
        return self._kept(image)

    def _found(self, image: ImageRef) -> tuple[ImageRegion, ...]:
        rgb = np.array(open_rgb(file_of(image)))
        size = (rgb.shape[0], rgb.shape[1])
        report("Finding objects", 0, 1)
        boxes = detected(self._detector, rgb)
        report("Finding objects", 1, 1)
        return with_full([ImageRegion(encode(mask), size) for mask in self._masks(rgb, boxes, size)], size)

    def _masks(self, rgb: Rgb, boxes: Boxes, size: Size) -> Iterator[Mask]:
        """Yield one mask per box, computed in batches. Work can be cancelled between batches."""
        if not len(boxes):
            return
        report("Computing features of the picture", 0, 1)
        with torch.inference_mode():
            embedding = self._encoder(torch.from_numpy(sam_pixels(rgb)).to(self._device))
        report("Computing features of the picture", 1, 1)
        prompts = to_sam(boxes, size)
        for start in range(0, len(boxes), self._batch):
            report("Drawing regions", start, len(boxes))
            yield from self._decoder.masks(embedding, prompts[start : start + self._batch], size)
        report("Drawing regions", len(boxes), len(boxes))


def prepare_ultralytics() -> None:
    """Import ultralytics without side effects: it contacts no host, installs nothing and writes no settings.

    On import, the library replaces Pillow's Image.open by a function that asks for a package when a picture is broken.
    This function restores Pillow's own Image.open.
    """
    os.environ.update(YOLO_OFFLINE="true", YOLO_AUTOINSTALL="false", YOLO_VERBOSE="false")
    prepare_torchvision()
    if "ultralytics" not in sys.modules:
        with TemporaryDirectory() as folder:  # when imported, ultralytics writes settings, which are not needed later
            os.environ["YOLO_CONFIG_DIR"] = folder
            importlib.import_module("ultralytics.utils")
    from ultralytics.utils import patches

    Image.open = patches._image_open  # Pillow's function, which ultralytics saved under this name


def load_detector(path: Path) -> torch.nn.Module:
    """Load the network of a YOLOv8-seg checkpoint of ultralytics. Raises ModelUnavailable."""
    prepare_ultralytics()
    from ultralytics.nn.tasks import torch_safe_load

    try:
        content = torch_safe_load(path.resolve(), safe_only=True)[0]
    except BROKEN as error:
        raise ModelUnavailable(
            f"{path.name}: the file is broken or contains code that is not part of an ultralytics detector; "
            "download it again"
        ) from error
    network = (content.get("ema") or content.get("model")) if isinstance(content, dict) else None
    if not isinstance(network, torch.nn.Module):
        raise ModelUnavailable(f"{path.name}: this checkpoint is no detector of ultralytics")
    return network.float().eval()


def sam_weights(path: Path) -> dict[str, torch.Tensor]:
    """Return a file's weights with the keys of a whole SAM. Raises ModelUnavailable.

    mobile_sam.pt and l2.pt are a whole SAM or only an image encoder, at the top level, under "model" or "state_dict".
    Prompt_guided_Mask_Decoder.pt has the state dicts "PromtEncoder" (so spelled) and "MaskDecoder".
    """
    content = read_checkpoint_file(path)
    for name in ("state_dict", "model"):
        if isinstance(content, Mapping) and isinstance(content.get(name), Mapping):
            content = content[name]
    if isinstance(content, Mapping) and isinstance(content.get("PromtEncoder"), Mapping):
        parts = ((PROMPTS, content["PromtEncoder"]), (DECODER, content.get("MaskDecoder") or {}))
        content = {prefix + key: tensor for prefix, state in parts for key, tensor in state.items()}
    if not isinstance(content, Mapping) or not content or not all(map(torch.is_tensor, content.values())):
        raise ModelUnavailable(f"{path.name}: the file contains neither the weights of a SAM nor of its image encoder")
    whole = any(key.startswith((ENCODER, PROMPTS, DECODER)) for key in content)
    return {key if whole else ENCODER + key: tensor for key, tensor in content.items()}


def load_needed(module: torch.nn.Module, state: Mapping[str, torch.Tensor], file: str, parts: Sequence[str]) -> None:
    """Load the weights of some parts of a SAM from a file's weights, and ignore others. Raises ModelUnavailable.

    parts: prefixes of the keys that must be there.
    """
    wanted = {key: tensor for key, tensor in state.items() if key.startswith(tuple(parts))}
    try:
        missing = module.load_state_dict(wanted, strict=False).missing_keys
    except RuntimeError as error:  # raised if a weight has another shape than in the module
        raise ModelUnavailable(f"{file}: these are not the weights of this part of SAM: {error}") from error
    needed = [key for key in missing if key.startswith(tuple(parts)) and not key.startswith(UNUSED)]
    if needed:
        raise ModelUnavailable(f"{file}: {len(needed)} weights are missing, such as {needed[0]}")


def load_mobile_sam(files: tuple[Path, Path, Path], device: str = "auto") -> MobileSam:
    """Load detector, image encoder and mask decoder from their files. Raises ModelUnavailable."""
    detector, encoder, decoder = files
    prepare_ultralytics()
    from ultralytics.models.sam.build import build_mobile_sam

    sam: Any = build_mobile_sam()
    if encoder.name == ENCODER_FILE:
        sam.image_encoder = EfficientVitL2().eval()
    load_needed(sam, sam_weights(encoder), encoder.name, [ENCODER])
    load_needed(sam, sam_weights(decoder), decoder.name, [PROMPTS, DECODER])
    order = (MOBILE_SAM.repo, ENCODER_FILE, DECODER_FILE)  # of the files in the signature
    used = [detector, *sorted({encoder, decoder}, key=lambda path: order.index(path.name))]
    network, place = load_detector(detector), torch_device(device)
    sam.to(place)
    return MobileSam(network.to(place), sam.image_encoder, BoxDecoder(sam), "+".join(map(weights_name, used)), place)
