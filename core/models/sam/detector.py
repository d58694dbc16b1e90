"""Detect boxes around objects of any class: FastSAM, or MobileSAMv2's ObjectAwareModel, both YOLOv8-seg networks.

Only the networks' output of boxes is used. The steps are those of MobileSAMv2 (ChaoningZhang/MobileSAM@34bbbfd):
letterbox (padding) to 1024 px, confidence 0.4, non-maximum suppression at IoU 0.9, at most 300 boxes. Box sides near
the picture's border are moved onto the border.
"""

import importlib
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from PIL import Image

from core.errors import ModelUnavailable
from core.models.runtime.torchvision_ops import nms, prepare_torchvision
from core.models.sam.geometry import Boxes, Rgb, from_letterbox, snapped
from core.models.weights.files import BROKEN

IMAGE_SIDE, CONFIDENCE, IOU, MAX_BOXES = 1024, 0.4, 0.9, 300
MASK_NUMBERS = 32  # number of rows for masks, which follow the rows of confidences; not used here
STRIDE = 32  # stride in px; the letterbox pads pictures to a multiple of it


class BoxDetector:
    """A detector that finds objects without naming their class."""

    def __init__(self, network: Any) -> None:
        self._network = network.eval()

    def to(self, device: torch.device) -> "BoxDetector":
        """Move this detector to a device and return it."""
        self._network.to(device)
        return self

    def boxes(self, rgb: Rgb) -> Boxes:
        """Return boxes [N, 4] on the picture, the most confident first; an empty array if there are no boxes."""
        pixels = letterboxed(rgb, next(self._network.parameters()).device)
        with torch.inference_mode():
            predictions, _ = self._network(pixels)[0]  # predictions: boxes; _: prototypes of masks, not used here
        kept = suppressed(predictions[0]).cpu().double().numpy()
        network = (pixels.shape[2], pixels.shape[3])
        return from_letterbox(snapped(kept, network), network, rgb.shape[:2])


def letterboxed(rgb: Rgb, device: torch.device) -> torch.Tensor:
    """Return a picture as a network's input [1, 3, height, width] in [0, 1].

    The longer side is scaled to IMAGE_SIDE px, and the picture is padded.
    """
    prepare_ultralytics()
    from ultralytics.data.augment import LetterBox

    framed = LetterBox(IMAGE_SIDE, auto=True, stride=STRIDE)(image=rgb)
    return torch.from_numpy(np.ascontiguousarray(framed.transpose(2, 0, 1))).to(device).float()[None] / 255


def suppressed(anchors: torch.Tensor) -> torch.Tensor:
    """Return the confident boxes [N, 4] as x0, y0, x1, y1, best first.

    Boxes that largely overlap a better box are removed. At most MAX_BOXES boxes are returned. anchors: [4 + classes +
    MASK_NUMBERS, anchors]. The rows are the boxes' centre x and y, width, height, the confidence for each class, and
    numbers for masks.
    """
    confidence = anchors[4:-MASK_NUMBERS].amax(dim=0)
    sure = confidence > CONFIDENCE
    centre, sides = anchors[:2, sure].T, anchors[2:4, sure].T
    boxes = torch.cat([centre - sides / 2, centre + sides / 2], dim=1)
    return boxes[nms(boxes, confidence[sure], IOU)[:MAX_BOXES]]


def prepare_ultralytics() -> None:
    """Import ultralytics without side effects.

    Afterwards the library contacts no host, installs nothing, prints only errors and writes no settings. On import, the
    library replaces Pillow's Image.open by a function that asks for a package when a picture is broken. This function
    restores Pillow's own Image.open.
    """
    os.environ.update(YOLO_OFFLINE="true", YOLO_AUTOINSTALL="false", YOLO_VERBOSE="false")
    prepare_torchvision()
    if "ultralytics" not in sys.modules:
        with TemporaryDirectory() as folder:  # when imported, ultralytics writes settings, which are not needed later
            os.environ["YOLO_CONFIG_DIR"] = folder
            importlib.import_module("ultralytics.utils")
    from ultralytics.utils import patches

    Image.open = patches._image_open  # restores Pillow's function, which ultralytics replaced and saved under this name


def load_detector(path: Path) -> BoxDetector:
    """Load a YOLOv8-seg checkpoint of ultralytics as a detector of boxes. Raises ModelUnavailable."""
    return BoxDetector(load_network(path))


def load_network(path: Path) -> torch.nn.Module:
    """Load the network of a YOLOv8-seg checkpoint of ultralytics. Raises ModelUnavailable."""
    if not path.is_file():
        raise ModelUnavailable(f"there are no weights of a detector at {path}")
    prepare_ultralytics()
    content = _read(path)
    network = (content.get("ema") or content.get("model")) if isinstance(content, dict) else None
    if not isinstance(network, torch.nn.Module):
        raise ModelUnavailable(f"{path.name}: this checkpoint is no detector of ultralytics")
    return network.float().eval()


def _read(path: Path) -> Any:
    from ultralytics.nn.tasks import torch_safe_load

    if path.suffix != ".pt":
        raise ModelUnavailable(f"{path.name}: the file of an ultralytics detector must end in .pt")
    try:
        return torch_safe_load(path.resolve(), safe_only=True)[0]
    except BROKEN as error:
        raise ModelUnavailable(
            f"{path.name}: the file is broken or contains code that is not part of an ultralytics detector; "
            "download it again"
        ) from error
