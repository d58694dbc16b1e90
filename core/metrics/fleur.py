"""FLEUR and RefFLEUR: a large multimodal model rates a caption and explains the rating.

Yebin Lee, Imseong Park, Myungjoo Kang. "FLEUR: An Explainable Reference-Free Evaluation Metric for Image Captioning
Using a Large Multimodal Model." ACL 2024. https://arxiv.org/abs/2406.06004

The prompts are exactly those of the published code. Section 3.2 smooths the rating: core.score_reading.smoothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from core.metrics.asking import Allowed, AskingMetric, Script, chosen, one_line
from core.models import Checkpoint, ModelSettings
from core.models.checkpoints import LLAVA_13B
from core.models.vlm import load_vlm
from core.score_reading.smoothing import MEANINGS
from core.types import Sample

# Section 3.3, Figure 3: the grading criteria.
CRITERIA = (
    "0.0: The caption does not describe the image at all.\n1.0: The caption accurately and clearly describes the image."
)
PROMPT = (
    "Your task is to evaluate and rate the caption on a scale of 0.0 to 1.0 based on the given Grading Criteria. "
    "(Print Real Number Score ONLY)\n\n"
    "Grading Criteria:\n\n{criteria}\n\n"
    "Caption: {candidate}\n\n"
    "Score(Choose a rating from 0.0 to 1.0):"
)
REFERENCE_PROMPT = (
    "Your task is to evaluate and rate the candidate caption on a scale of 0.0 to 1.0 based on the given Grading "
    "Criteria. (Print Real Number Score ONLY)\n\n"
    "Grading Criteria:\n\n{criteria}\n\n"
    "Reference Captions: {references}\n\n"
    "Candidate Caption: {candidate}\n\n"
    "Score(Choose a rating from 0.0 to 1.0):"
)
WHY = "Why? Tell me the reason."
# Section 5.1: the criteria of the ablation. Figure 5a has none. The paper prints no prompt without criteria, so this
# prompt is the published one without the words about criteria.
INTERMEDIATE_CRITERIA = (
    "0.0: The caption does not describe the image at all.\n"
    "0.3: The caption describes minor aspects of the image but does not describe the image.\n"
    "0.7: The caption almost describes the image with minor mistakes.\n"
    "1.0: The caption accurately and clearly describes the image."
)
BASED_ON_CRITERIA, CRITERIA_BLOCK = " based on the given Grading Criteria", "Grading Criteria:\n\n{criteria}\n\n"
# Appendix G asks for the explanation before the score, but does not publish the prompt's wording. So we wrote this one.
WHY_FIRST = (
    "Your task is to evaluate the caption based on the given Grading Criteria and to tell the reason. "
    "(Do NOT print a score)\n\n"
    "Grading Criteria:\n\n{criteria}\n\n"
    "Caption: {candidate}\n\n"
    "Reason:"
)
OPTIONS: Allowed = {"criteria": (), "order": ("score-first", "explanation-first")}


@dataclass(frozen=True)
class Fleur(AskingMetric):
    """FLEUR: shows a picture and a caption to a model and asks for a score. Needs no references."""

    name: ClassVar[str] = "FLEUR"
    paper: ClassVar[str] = "https://arxiv.org/abs/2406.06004"
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = (LLAVA_13B,)
    meanings: ClassVar[Mapping[str, str]] = MEANINGS
    prompt: ClassVar[str] = PROMPT

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Return the metric with the model that `settings` names. Raises ModelUnavailable, BadSetting."""
        chosen(settings.options, OPTIONS)
        return cls(load_vlm(cls.name, settings, LLAVA_13B), settings)

    def signature(self) -> str:
        """Return the signature of the metric's scores."""
        first = self._is_reason_first()
        prompt = self._framed(self.prompt).replace("{criteria}", self._criteria())
        return self.signed((prompt, WHY_FIRST if first else WHY), first)

    def script(self) -> Script:
        """Return the prompts, with the reason after the score or before it."""
        first = self._is_reason_first()
        return Script(
            ask_score=lambda sample: self._filled(self.prompt, sample),
            ask_why=lambda sample: self._filled(WHY_FIRST, sample) if first else WHY,
            reason_first=first,
        )

    def _is_reason_first(self) -> bool:
        return chosen(self.settings.options, OPTIONS)["order"] == "explanation-first"

    def _criteria(self) -> str:
        """Return the grading criteria, one per line: the paper's, those of its ablation, the user's own, or none."""
        choice = self.settings.options.get("criteria", "published")
        return {"published": CRITERIA, "intermediate": INTERMEDIATE_CRITERIA, "none": ""}.get(choice, choice)

    def _framed(self, prompt: str) -> str:
        """Return a prompt with empty placeholders, without the words about criteria if there are none."""
        has_criteria = self._criteria().strip()
        return prompt if has_criteria else prompt.replace(BASED_ON_CRITERIA, "").replace(CRITERIA_BLOCK, "")

    def _filled(self, prompt: str, sample: Sample) -> str:
        """Return a prompt with criteria, caption and references.

        The first reference is on the same line as "Reference Captions:". Each further reference has its own line.
        """
        references, caption = "\n".join(sample.references), one_line(sample.candidate)
        return self._framed(prompt).format(criteria=self._criteria(), references=references, candidate=caption)


class RefFleur(Fleur):
    """RefFLEUR: as FLEUR, but also shows the references to the model."""

    name: ClassVar[str] = "RefFLEUR"
    requires_references: ClassVar[bool] = True
    prompt: ClassVar[str] = REFERENCE_PROMPT
