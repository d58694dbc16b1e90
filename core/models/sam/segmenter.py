"""Find a picture's regions by the masks of a YOLO segmenter, without SAM.

The HICE-S paper compares such regions with those of MobileSAMv2 in its Table 6. The steps and thresholds are those of
ultralytics' `predict` with `retina_masks`: confidence 0.25, non-maximum suppression by class at IoU 0.7, at most 300
masks, each clipped to its box.
"""

from pathlib import Path
from typing import cast

import numpy as np
import torch

from core.images.pictures import file_of, open_rgb
from core.long_work.progress import report
from core.models.runtime.device import torch_device
from core.models.sam.detector import letterboxed, load_network, prepare_ultralytics
from core.models.weights.files import weights_name
from core.regions.masks import encode
from core.regions.protocols import with_full
from core.types import ImageRef, ImageRegion

CONFIDENCE, IOU, MAX_MASKS = 0.25, 0.7, 300
COEFFICIENTS = 6  # index of a mask's first coefficient, after the box, its confidence and its class


class Segmenter:
    """A RegionFinder: it finds a picture's regions with a YOLO segmentation network."""

    def __init__(self, network: torch.nn.Module, weights: str, classes: int) -> None:
        """Take the network.

        weights: the file's name and checksum. classes: the number of classes of the network.
        """
        self._network, self._weights, self._classes = network.eval(), weights, classes

    @property
    def name(self) -> str:
        """Return the region finder's name, as it appears in the signatures of scores."""
        return f"segmenter/{self._weights}"

    def regions(self, image: ImageRef) -> tuple[ImageRegion, ...]:
        """Return a region for each mask, most confident first, and as the last region the whole picture.

        Raises BadImage.
        """
        rgb = np.array(open_rgb(file_of(image)))
        size = (rgb.shape[0], rgb.shape[1])
        report("Finding objects", 0, 1)
        masks = self._masks(letterboxed(rgb, next(self._network.parameters()).device), size)
        report("Finding objects", 1, 1)
        return with_full([ImageRegion(encode(mask), size) for mask in masks if mask.any()], size)

    def _masks(self, pixels: torch.Tensor, size: tuple[int, int]) -> np.ndarray:
        """Return the masks [N, height, width] in the picture's size (px)."""
        prepare_ultralytics()
        from ultralytics.utils import nms, ops

        with torch.inference_mode():
            predictions, prototypes = self._network(pixels)[0]
            (kept,) = nms.non_max_suppression(predictions, CONFIDENCE, IOU, max_det=MAX_MASKS, nc=self._classes)
            boxes = ops.scale_boxes(pixels.shape[2:], kept[:, :4], size)
            masks = ops.process_mask_native(prototypes[0], kept[:, COEFFICIENTS:], boxes, size)
        found: np.ndarray = masks.bool().cpu().numpy()
        return found


def load_segmenter(path: Path, device: str = "auto") -> Segmenter:
    """Load a YOLOv8-seg checkpoint of ultralytics. Raises ModelUnavailable."""
    network = load_network(path).to(torch_device(device))
    return Segmenter(network, weights_name(path), len(cast("dict[int, str]", network.names)))
