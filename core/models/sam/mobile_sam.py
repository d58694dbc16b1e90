"""MobileSAMv2: regions of a picture by object-aware prompting instead of a grid of points.

Zhang et al., "MobileSAMv2: Faster Segment Anything to Everything", 2023, and its published script
(ChaoningZhang/MobileSAM@34bbbfd MobileSAMv2/Inference.py): boxes from a class-agnostic detector, one embedding of
the picture, and one mask a box from SAM's decoder.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from core.errors import BadImage, ModelUnavailable
from core.images import open_rgb
from core.models.runtime.device import torch_device
from core.models.sam.decoder import BoxDecoder, load_decoder
from core.models.sam.detector import BoxDetector, load_detector, prepare_ultralytics
from core.models.sam.efficient_vit import encoder_from
from core.models.sam.geometry import Boxes, Rgb, sam_pixels, to_sam
from core.models.weights.files import read_checkpoint_file, weights_name
from core.progress import report
from core.regions.masks import Mask, encode
from core.regions.protocols import with_full
from core.types import ImageRef, ImageRegion

BATCH_CPU, BATCH_GPU = 4, 320  # boxes at a time; 320 as published, so all at once; few are faster on a CPU
RELEASE = "https://github.com/ultralytics/assets/releases/download/v8.4.0"


@dataclass(frozen=True, slots=True)
class SamFiles:
    """Where the weights are. Without encoder and decoder, mobile_sam.pt's own are used."""

    detector: Path  # FastSAM-x.pt, FastSAM-s.pt or ObjectAwareModel.pt
    sam: Path  # mobile_sam.pt
    encoder: Path | None = None  # l2.pt: EfficientViT-L2
    decoder: Path | None = None  # Prompt_guided_Mask_Decoder.pt
    trust: bool = False  # let these files run code of their own when they are read

    def name(self) -> str:
        """Return the files' names and checksums, for signatures."""
        used = [self.detector, self.sam, self.encoder, self.decoder]
        if self.encoder and self.decoder:
            used.remove(self.sam)
        return "+".join(weights_name(path) for path in used if path)


class MobileSam:
    """A RegionFinder."""

    def __init__(
        self, detector: BoxDetector, encoder: Any, decoder: BoxDecoder, weights: str, device: torch.device
    ) -> None:
        self._detector, self._encoder, self._decoder = detector, encoder.eval(), decoder
        self._device, self._weights = device, weights
        self._batch = BATCH_CPU if device.type == "cpu" else BATCH_GPU

    @property
    def name(self) -> str:
        """What signatures call this finder."""
        return f"mobile-sam-v2/{self._weights}"

    def regions(self, image: ImageRef) -> tuple[ImageRegion, ...]:
        """Return a region for every object found, the whole picture last. Raises BadImage, Cancelled."""
        if image.path is None:
            raise BadImage(f"{image.name}: the picture was not found")
        rgb = np.array(open_rgb(image.path))
        size = (rgb.shape[0], rgb.shape[1])
        report("Finding objects", 0, 1)
        boxes = self._detector.boxes(rgb)
        report("Finding objects", 1, 1)
        parts = [ImageRegion(encode(mask), size) for mask in self._masks(rgb, boxes)]
        return with_full(parts, size)

    def _masks(self, rgb: Rgb, boxes: Boxes) -> Iterator[Mask]:
        """Yield one mask a box, a batch at a time; between batches the work can be cancelled."""
        if not len(boxes):
            return
        size = (rgb.shape[0], rgb.shape[1])
        report("Looking at the picture", 0, 1)
        embedding = self._embedding(rgb)
        report("Looking at the picture", 1, 1)
        prompts = to_sam(boxes, size)
        for start in range(0, len(boxes), self._batch):
            report("Drawing regions", start, len(boxes))
            yield from self._decoder.masks(embedding, prompts[start : start + self._batch], size)
        report("Drawing regions", len(boxes), len(boxes))

    def _embedding(self, rgb: Rgb) -> torch.Tensor:
        with torch.inference_mode():
            embedding: torch.Tensor = self._encoder(torch.from_numpy(sam_pixels(rgb)).to(self._device))
        return embedding


def load_mobile_sam(files: SamFiles, device: str = "auto") -> MobileSam:
    """Load the detector and SAM. Raises ModelUnavailable, saying what to fetch."""
    for path in (files.detector, files.sam):
        if not path.is_file():
            raise ModelUnavailable(f"expected weights at {path}; fetch {RELEASE}/{path.name} and put it there")
    prepare_ultralytics()
    from ultralytics.models.sam.build import build_mobile_sam

    sam = build_mobile_sam()
    _load_sam(sam, read_checkpoint_file(files.sam, files.trust), files.sam.name)
    if files.decoder:
        load_decoder(sam, read_checkpoint_file(files.decoder, files.trust))
    encoder = sam.image_encoder if files.encoder is None else encoder_from(_encoder_state(files.encoder, files.trust))
    detector = load_detector(files.detector, files.trust)
    return assembled(detector, sam, encoder, files.name(), torch_device(device))


def assembled(detector: BoxDetector, sam: Any, encoder: Any, weights: str, device: torch.device) -> MobileSam:
    """Put the parts together on one device."""
    decoder = BoxDecoder(sam.prompt_encoder.to(device), sam.mask_decoder.to(device))
    return MobileSam(detector.to(device), encoder.to(device), decoder, weights, device)


def _load_sam(sam: Any, content: Any, name: str) -> None:
    state = content.get("model", content) if isinstance(content, dict) else content
    try:
        sam.load_state_dict(state, strict=True)
    except (RuntimeError, TypeError, AttributeError) as error:
        raise ModelUnavailable(f"{name}: these are not the weights of MobileSAM: {error}") from error


def _encoder_state(path: Path, trust: bool) -> dict[str, torch.Tensor]:
    content = read_checkpoint_file(path, trust)
    state = content.get("state_dict", content) if isinstance(content, dict) else None
    if not isinstance(state, dict):
        raise ModelUnavailable(f"{path.name}: expected a state dict of EfficientViT-L2, found another layout")
    return state
