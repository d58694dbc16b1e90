"""FLEUR and RefFLEUR: a large multimodal model rates a caption and explains the rating.

Yebin Lee, Imseong Park, Myungjoo Kang. "FLEUR: An Explainable Reference-Free Evaluation Metric for Image Captioning
Using a Large Multimodal Model." ACL 2024. https://arxiv.org/abs/2406.06004

The prompts are exactly those of the published code. Section 3.2 smooths the rating: core.score_reading.smoothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from core.datasets.benchmark import Published
from core.metrics.asking import Allowed, Script, asked, chosen, one_line, signed
from core.models import Checkpoint, ModelSettings
from core.models.checkpoints import LLAVA_13B
from core.models.vlm import Vlm, load_vlm
from core.score_reading.smoothing import MEANINGS
from core.types import Outcome, Sample

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


def options_of(settings: ModelSettings) -> dict[str, str]:
    """Return every option with its chosen or default value. Raises BadSetting."""
    return chosen({"criteria": "published", **settings.options}, OPTIONS)


def criteria(choice: Mapping[str, str]) -> str:
    """Return the grading criteria, one per line: the paper's, those of its ablation, the user's own, or none."""
    known = {"published": CRITERIA, "intermediate": INTERMEDIATE_CRITERIA, "none": ""}
    return known.get(choice["criteria"], choice["criteria"])


def frame(prompt: str, choice: Mapping[str, str]) -> str:
    """Return a prompt with empty placeholders, without the words about criteria if there are none."""
    return prompt if criteria(choice).strip() else prompt.replace(BASED_ON_CRITERIA, "").replace(CRITERIA_BLOCK, "")


def filled(prompt: str, sample: Sample, choice: Mapping[str, str]) -> str:
    """Return a prompt with criteria, caption and references.

    The first reference is on the same line as "Reference Captions:". Each further reference has a line of its own.
    """
    references, caption = "\n".join(sample.references), one_line(sample.candidate)
    return frame(prompt, choice).format(criteria=criteria(choice), references=references, candidate=caption)


@dataclass(frozen=True)
class Fleur:
    """FLEUR: shows a picture and a caption to a model and asks for a score. Needs no references."""

    name: ClassVar[str] = "FLEUR"
    paper: ClassVar[str] = "https://arxiv.org/abs/2406.06004"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    needs_image: ClassVar[bool] = True
    requires_references: ClassVar[bool] = False
    shows_regions: ClassVar[bool] = False
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = (LLAVA_13B,)
    meanings: ClassVar[Mapping[str, str]] = MEANINGS
    published: ClassVar[tuple[Published, ...]] = ()
    prompt: ClassVar[str] = PROMPT

    vlm: Vlm
    settings: ModelSettings = ModelSettings()

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Return the metric with the model that `settings` names. Raises ModelUnavailable, BadSetting."""
        options_of(settings)
        return cls(load_vlm(cls.name, settings, LLAVA_13B), settings)

    def signature(self) -> str:
        """Return the signature of the metric's scores."""
        choice = options_of(self.settings)
        reason_first = choice["order"] == "explanation-first"
        prompt = frame(self.prompt, choice).replace("{criteria}", criteria(choice))
        prompts = prompt, WHY_FIRST if reason_first else WHY
        return signed(self.name, self.vlm, self.settings, prompts, reason_first)

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome per sample, in order, lazily, settings.batch_size at a time."""
        choice = options_of(self.settings)
        reason_first = choice["order"] == "explanation-first"
        script = Script(
            self.name,
            self.signature(),
            ask_score=lambda sample: filled(self.prompt, sample, choice),
            ask_why=lambda sample: filled(WHY_FIRST, sample, choice) if reason_first else WHY,
            read_why=lambda answer: {"overall": answer.strip()},
            reason_first=reason_first,
        )
        return asked(self.vlm, script, self.settings, samples)


class RefFleur(Fleur):
    """RefFLEUR: as FLEUR, but also shows the references to the model."""

    name: ClassVar[str] = "RefFLEUR"
    requires_references: ClassVar[bool] = True
    prompt: ClassVar[str] = REFERENCE_PROMPT
