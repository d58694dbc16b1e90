"""FLEUR and RefFLEUR: a large multimodal model rates a caption and explains the rating.

Yebin Lee, Imseong Park, Myungjoo Kang. "FLEUR: An Explainable Reference-Free Evaluation Metric for Image Captioning
Using a Large Multimodal Model." ACL 2024. https://arxiv.org/abs/2406.06004

The prompts are exactly those of the published code. Section 3.2 smooths the rating: core.score_reading.smoothing.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

from core.metrics.asking import AskingMetric
from core.models import Checkpoint, ModelSettings
from core.models.checkpoints import LLAVA_13B
from core.models.vlm import load_vlm

# Section 3.3, Figure 3: the grading criteria.
CRITERIA = (
    "0.0: The caption does not describe the image at all.\n1.0: The caption accurately and clearly describes the image."
)
PROMPT = (
    "Your task is to evaluate and rate the caption on a scale of 0.0 to 1.0 based on the given Grading Criteria. "
    "(Print Real Number Score ONLY)\n\n"
    f"Grading Criteria:\n\n{CRITERIA}\n\n"
    "Caption: {candidate}\n\n"
    "Score(Choose a rating from 0.0 to 1.0):"
)
REFERENCE_PROMPT = (
    "Your task is to evaluate and rate the candidate caption on a scale of 0.0 to 1.0 based on the given Grading "
    "Criteria. (Print Real Number Score ONLY)\n\n"
    f"Grading Criteria:\n\n{CRITERIA}\n\n"
    "Reference Captions: {references}\n\n"
    "Candidate Caption: {candidate}\n\n"
    "Score(Choose a rating from 0.0 to 1.0):"
)


@dataclass(frozen=True)
class Fleur(AskingMetric):
    """FLEUR: shows a picture and a caption to a model and asks for a score. Needs no references."""

    name: ClassVar[str] = "FLEUR"
    paper: ClassVar[str] = "https://arxiv.org/abs/2406.06004"
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = (LLAVA_13B,)
    prompt: ClassVar[str] = PROMPT
    why: ClassVar[str] = "Why? Tell me the reason."

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Return the metric with the model that `settings` names. Raises ModelUnavailable, BadSetting."""
        return cls(load_vlm(cls.name, settings, LLAVA_13B), settings)


class RefFleur(Fleur):
    """RefFLEUR: as FLEUR, but also shows the references to the model."""

    name: ClassVar[str] = "RefFLEUR"
    requires_references: ClassVar[bool] = True
    prompt: ClassVar[str] = REFERENCE_PROMPT
