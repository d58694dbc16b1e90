"""FLEUR and RefFLEUR: a large multimodal model rates a caption and explains the rating.

Yebin Lee, Imseong Park, Myungjoo Kang. "FLEUR: An Explainable Reference-Free Evaluation Metric for Image Captioning
Using a Large Multimodal Model." ACL 2024. https://arxiv.org/abs/2406.06004

The prompts are exactly those of the published code. Section 3.2 smooths the rating: core.score_reading.smoothing.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from core.errors import BadSetting
from core.metrics.asking import AskingMetric
from core.models import Checkpoint, ModelSettings
from core.models.checkpoints import LLAVA_13B
from core.models.vlm import load_vlm

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
# Section 5.1, Figure 5a: the ablation's criteria. The paper prints no prompt without criteria, so `criteria=none` is
# the published one without the words about them.
INTERMEDIATE_CRITERIA = CRITERIA.replace(
    "\n",
    "\n0.3: The caption describes minor aspects of the image but does not describe the image."
    "\n0.7: The caption almost describes the image with minor mistakes.\n",
)
WORDS_ABOUT_CRITERIA = (" based on the given Grading Criteria", f"Grading Criteria:\n\n{CRITERIA}\n\n")
# Appendix G: the explanation before the score. The paper does not print this prompt, so its words are ours.
WHY_FIRST = (
    "Your task is to evaluate the caption based on the given Grading Criteria and to tell the reason. "
    "(Do NOT print a score)\n\n"
    f"Grading Criteria:\n\n{CRITERIA}\n\n"
    "Caption: {candidate}\n\n"
    "Reason:"
)
ORDERS = ("score-first", "explanation-first")


@dataclass(frozen=True)
class Fleur(AskingMetric):
    """FLEUR: shows a picture and a caption to a model and asks for a score. Needs no references.

    Options: criteria (published, intermediate, none, or the user's own text) and order (see ORDERS).
    """

    name: ClassVar[str] = "FLEUR"
    paper: ClassVar[str] = "https://arxiv.org/abs/2406.06004"
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = (LLAVA_13B,)
    prompt: ClassVar[str] = PROMPT
    why: ClassVar[str] = "Why? Tell me the reason."

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Return the metric with the model that `settings` names. Raises ModelUnavailable, BadSetting."""
        if settings.options.get("order", ORDERS[0]) not in ORDERS:
            raise BadSetting(f"order must be {' or '.join(ORDERS)}, found {settings.options['order']!r}.")
        of_model = {name: value for name, value in settings.options.items() if name not in ("criteria", "order")}
        return cls(load_vlm(cls.name, replace(settings, options=of_model), LLAVA_13B), settings)

    @property
    def explains_first(self) -> bool:
        """Whether the model explains before it scores."""
        return self.settings.options.get("order") == ORDERS[1]

    def prompts(self) -> tuple[str, str]:
        """Return both questions with the chosen criteria."""
        choice = self.settings.options.get("criteria", "published")
        criteria = {"published": CRITERIA, "intermediate": INTERMEDIATE_CRITERIA, "none": ""}.get(choice, choice)
        asked = self.prompt, WHY_FIRST if self.explains_first else self.why
        if not criteria.strip():
            for words in WORDS_ABOUT_CRITERIA:
                asked = asked[0].replace(words, ""), asked[1].replace(words, "")
        return asked[0].replace(CRITERIA, criteria), asked[1].replace(CRITERIA, criteria)


class RefFleur(Fleur):
    """RefFLEUR: as FLEUR, but also shows the references to the model."""

    name: ClassVar[str] = "RefFLEUR"
    requires_references: ClassVar[bool] = True
    prompt: ClassVar[str] = REFERENCE_PROMPT
