"""SAM's prompt encoder and mask decoder, which make a mask for each of several boxes.

They are used as in MobileSAMv2. The modules are from ultralytics (segment-anything's modules, with the same keys). The
mask of a box is the mask of the decoder's first mask token. Masks are not filtered by quality or stability, and
overlapping masks are kept, as in ChaoningZhang/MobileSAM@34bbbfd Inference.py.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch.nn.functional import interpolate

from core.errors import ModelUnavailable
from core.models.sam.geometry import SAM_SIDE, Boxes, Size, sam_size
from core.regions.masks import Mask


class BoxDecoder:
    """Makes a mask for each box on a picture whose embedding is known."""

    def __init__(self, prompt_encoder: Any, mask_decoder: Any, side: int = SAM_SIDE) -> None:
        self._prompts, self._decoder = prompt_encoder.eval(), mask_decoder.eval()
        self._side = side

    def logits(self, embedding: torch.Tensor, boxes: Boxes) -> tuple[torch.Tensor, torch.Tensor]:
        """Return low-resolution mask logits [B, 1, 4g, 4g] and predicted IoU [B, 1].

        embedding: the picture's embedding [1, C, g, g], with C channels on a grid of g × g positions. boxes: [B, 4], in
        the coordinates of SAM's input.
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
        """Return the logits in the picture's size, [B, height, width].

        The low-resolution logits are enlarged, the padding is cropped, and the rest is resized.
        """
        height, width = sam_size(picture, self._side)
        large = interpolate(logits.float(), (self._side, self._side), mode="bilinear", align_corners=False)
        cut = large[..., :height, :width]
        return interpolate(cut, picture, mode="bilinear", align_corners=False)[:, 0]

    def masks(self, embedding: torch.Tensor, boxes: Boxes, picture: Size) -> list[Mask]:
        """Return one bool mask [height, width] per box, in the order of the boxes."""
        logits, _ = self.logits(embedding, boxes)
        return [np.asarray((self.full_logits(one[None], picture)[0] > 0).cpu()) for one in logits]


def load_decoder(sam: Any, checkpoint: Mapping[str, Any]) -> None:
    """Load the authors' Prompt_guided_Mask_Decoder.pt into an ultralytics SAM. Raises ModelUnavailable.

    The file has the state dicts "PromtEncoder" (so spelled) and "MaskDecoder".
    """
    try:
        sam.prompt_encoder.load_state_dict(checkpoint["PromtEncoder"], strict=True)
        sam.mask_decoder.load_state_dict(checkpoint["MaskDecoder"], strict=True)
    except (KeyError, TypeError, RuntimeError, AttributeError) as error:
        raise ModelUnavailable(f"these are not the weights of a prompt-guided mask decoder: {error}") from error
