"""Find a picture's regions with MobileSAMv2: object-aware prompts instead of a grid of points.

Zhang et al., "MobileSAMv2: Faster Segment Anything to Everything", 2023, and its published script
(ChaoningZhang/MobileSAM@34bbbfd MobileSAMv2/Inference.py): boxes from a class-agnostic detector, one embedding of
the picture, and one mask per box from SAM's decoder.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from core.errors import ModelUnavailable
from core.images.pictures import file_of, open_rgb
from core.long_work.progress import report
from core.models.runtime.device import torch_device
from core.models.sam.decoder import BoxDecoder, load_decoder
from core.models.sam.detector import BoxDetector, load_detector, prepare_ultralytics
from core.models.sam.efficient_vit import encoder_from
from core.models.sam.files import ENCODER, encoder_weights, load_needed, sam_weights
from core.models.sam.geometry import Boxes, Rgb, sam_pixels, to_sam
from core.models.weights.checkpoints import FAST_SAM, MOBILE_SAM
from core.models.weights.files import read_checkpoint_file, weights_name
from core.regions.masks import Mask, encode
from core.regions.protocols import with_full
from core.types import ImageRef, ImageRegion

BATCH_CPU, BATCH_GPU = 4, 320  # boxes per batch: on a GPU all boxes, as published; a CPU works better with few
TINY_VIT = "patch_embed."  # prefix of keys in MobileSAM's TinyViT encoder; EfficientViT-L2 has no such keys
UNUSED = (f"{ENCODER}norm_head.", f"{ENCODER}head.")  # keys of TinyViT's classifier, which is not used
DECODER = ("prompt_encoder.", "mask_decoder.")
DETECTORS = ("ObjectAwareModel.pt", FAST_SAM.repo, "FastSAM-s.pt")  # the first one in the folder is used
ENCODER_FILE, DECODER_FILE = "l2.pt", "Prompt_guided_Mask_Decoder.pt"  # EfficientViT-L2 and the authors' decoder
RELEASE = "https://github.com/ultralytics/assets/releases/download/v8.4.0"


@dataclass(frozen=True, slots=True)
class SamFiles:
    """Paths of the weights.

    If no file is given for the encoder or the decoder, mobile_sam.pt is used for it. If files for both are given,
    mobile_sam.pt is not read.
    """

    detector: Path  # FastSAM-x.pt, FastSAM-s.pt or ObjectAwareModel.pt
    sam: Path  # mobile_sam.pt
    encoder: Path | None = None  # weights of the image encoder: l2.pt (EfficientViT-L2) or another mobile_sam.pt
    decoder: Path | None = None  # Prompt_guided_Mask_Decoder.pt

    @classmethod
    def within(cls, folder: Path) -> "SamFiles":
        """Return the files in a folder. The authors' own files are preferred to those of ultralytics."""
        detector = next((folder / name for name in DETECTORS if (folder / name).is_file()), folder / FAST_SAM.repo)
        encoder, decoder = (path if path.is_file() else None for path in (folder / ENCODER_FILE, folder / DECODER_FILE))
        return cls(detector, folder / MOBILE_SAM.repo, encoder, decoder)

    def name(self) -> str:
        """Return the files' names and checksums, as they appear in the signatures of scores."""
        return "+".join(weights_name(path) for path in self.used())

    def used(self) -> list[Path]:
        """Return the files that will be read."""
        sam = None if self.encoder and self.decoder else self.sam
        return [path for path in (self.detector, sam, self.encoder, self.decoder) if path]


class MobileSam:
    """A RegionFinder: it finds a picture's regions with a detector and SAM."""

    def __init__(
        self, detector: BoxDetector, encoder: Any, decoder: BoxDecoder, weights: str, device: torch.device
    ) -> None:
        self._detector, self._encoder, self._decoder = detector, encoder.eval(), decoder
        self._device, self._weights = device, weights
        self._batch = BATCH_CPU if device.type == "cpu" else BATCH_GPU

    @property
    def name(self) -> str:
        """Return the region finder's name for use in signatures of scores."""
        return f"mobile-sam-v2/{self._weights}"

    def regions(self, image: ImageRef) -> tuple[ImageRegion, ...]:
        """Return a region for each object, and as the last region the whole picture.

        Raises BadImage, Cancelled.
        """
        rgb = np.array(open_rgb(file_of(image)))
        size = (rgb.shape[0], rgb.shape[1])
        report("Finding objects", 0, 1)
        boxes = self._detector.boxes(rgb)
        report("Finding objects", 1, 1)
        parts = [ImageRegion(encode(mask), size) for mask in self._masks(rgb, boxes)]
        return with_full(parts, size)

    def _masks(self, rgb: Rgb, boxes: Boxes) -> Iterator[Mask]:
        """Yield one mask per box, computed in batches. Work can be cancelled between batches."""
        if not len(boxes):
            return
        size = (rgb.shape[0], rgb.shape[1])
        report("Computing features of the picture", 0, 1)
        embedding = self._embedding(rgb)
        report("Computing features of the picture", 1, 1)
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
    """Load the detector and SAM. Raises ModelUnavailable with the file to download."""
    for path in files.used():
        if path in (files.detector, files.sam) and not path.is_file():
            raise ModelUnavailable(f"expected weights at {path}; fetch {RELEASE}/{path.name} and put it there")
    prepare_ultralytics()
    from ultralytics.models.sam.build import build_mobile_sam

    sam = build_mobile_sam()
    if files.sam in files.used():
        spare = [*UNUSED, *([ENCODER] if files.encoder else []), *(DECODER if files.decoder else [])]
        load_needed(sam, sam_weights(files.sam), f"MobileSAM ({files.sam.name})", spare)
    if files.decoder:
        load_decoder(sam, read_checkpoint_file(files.decoder))
    encoder = sam.image_encoder if files.encoder is None else _encoder(files.encoder, sam.image_encoder)
    detector = load_detector(files.detector)
    return assembled(detector, sam, encoder, files.name(), torch_device(device))


def assembled(detector: BoxDetector, sam: Any, encoder: Any, weights: str, device: torch.device) -> MobileSam:
    """Build the region finder from its components on one device."""
    decoder = BoxDecoder(sam.prompt_encoder.to(device), sam.mask_decoder.to(device))
    return MobileSam(detector.to(device), encoder.to(device), decoder, weights, device)


def _encoder(path: Path, tiny_vit: Any) -> Any:
    """Return a file's image encoder: MobileSAM's tiny_vit or EfficientViT-L2."""
    state = encoder_weights(path)
    if not any(key.startswith(TINY_VIT) for key in state):
        return encoder_from(state)
    load_needed(tiny_vit, state, f"TinyViT ({path.name})", [key.removeprefix(ENCODER) for key in UNUSED])
    return tiny_vit
