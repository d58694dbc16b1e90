"""FLEUR and RefFLEUR: a large multimodal model rates a caption and explains the rating.

The rating is smoothed.

Yebin Lee, Imseong Park, Myungjoo Kang. "FLEUR: An Explainable Reference-Free Evaluation Metric for Image Captioning
Using a Large Multimodal Model." ACL 2024. https://arxiv.org/abs/2406.06004

The prompts are exactly those of the published code.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from core.datasets.benchmark import Published
from core.metrics.vlm_judge import Rationales, Script, judge
from core.metrics.vlm_options import Allowed, Conduct, caption_text, chosen, conduct
from core.models import Checkpoint, ModelSettings
from core.models.vlm.load import load_vlm
from core.models.vlm.protocol import Vlm
from core.models.weights.checkpoints import LLAVA_13B
from core.score_reading.sampled import MEANINGS as SAMPLED
from core.score_reading.smoothing import MEANINGS
from core.types import Outcome, Sample

CRITERIA = (
    "0.0: The caption does not describe the image at all.\n1.0: The caption accurately and clearly describes the image."
)
INTERMEDIATE_CRITERIA = (  # criteria of the ablation in Section 5.1; the option "intermediate" chooses them
    "0.0: The caption does not describe the image at all.\n"
    "0.3: The caption describes minor aspects of the image but does not describe the image.\n"
    "0.7: The caption almost describes the image with minor mistakes.\n"
    "1.0: The caption accurately and clearly describes the image."
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
# Appendix G asks for the explanation before the score, but does not publish the prompt's wording. So we wrote this one.
WHY_FIRST = (
    "Your task is to evaluate the caption based on the given Grading Criteria and to tell the reason. "
    "(Do NOT print a score)\n\n"
    "Grading Criteria:\n\n{criteria}\n\n"
    "Caption: {candidate}\n\n"
    "Reason:"
)
PUBLISHED, NO_CRITERIA = "published", "none"
BASED_ON_CRITERIA, CRITERIA_BLOCK = " based on the given Grading Criteria", "Grading Criteria:\n\n{criteria}\n\n"
OPTIONS: Allowed = {"criteria": (), "order": ("score-first", "explanation-first")}


def score_prompt(sample: Sample, prompt: str, choice: Mapping[str, str]) -> str:
    """Return the prompt that asks for a score, with caption and references inserted unchanged.

    choice: the values of all options. The first reference is on the same line as the words "Reference Captions:". Each
    further reference has a line of its own.
    """
    return frame(prompt, choice).format(
        criteria=criteria(choice),
        references="\n".join(sample.references),
        candidate=caption_text(sample.candidate, choice),
    )


def why_prompt(sample: Sample, choice: Mapping[str, str]) -> str:
    """Return the prompt that asks for an explanation.

    The model gets this prompt after the prompt for the score or, if an option says so, before it.
    """
    if choice["order"] == "score-first":
        return WHY
    caption = caption_text(sample.candidate, choice)
    return frame(WHY_FIRST, choice).format(criteria=criteria(choice), candidate=caption)


def criteria(choice: Mapping[str, str]) -> str:
    """Return the grading criteria, one per line.

    An option chooses them: the criteria of the paper, those of its ablation (variants that it tests), the user's own
    criteria, or none.
    """
    known = {PUBLISHED: CRITERIA, "intermediate": INTERMEDIATE_CRITERIA, NO_CRITERIA: ""}
    return known.get(choice["criteria"], choice["criteria"])


def frame(prompt: str, choice: Mapping[str, str]) -> str:
    """Return the prompt that fits the chosen grading criteria.

    With criteria, this is `prompt` unchanged, with its placeholders still empty. Without criteria, it is `prompt`
    without the words about criteria and without their heading (Figure 5a). The paper does not print a prompt without
    criteria. So this prompt is made from the published one.
    """
    if criteria(choice).strip():
        return prompt
    return prompt.replace(BASED_ON_CRITERIA, "").replace(CRITERIA_BLOCK, "")


def options_of(settings: ModelSettings) -> dict[str, str]:
    """Return every option with its chosen or default value.

    An empty text for the criteria means no criteria. Raises BadSetting.
    """
    return chosen({"criteria": PUBLISHED, **settings.options}, OPTIONS)


def read_reason(answer: str) -> Rationales:
    """Return the model's explanation as one text under "overall"."""
    return Rationales({"overall": answer.strip()})


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
    meanings: ClassVar[Mapping[str, str]] = {**MEANINGS, **SAMPLED}
    published: ClassVar[tuple[Published, ...]] = ()
    prompt: ClassVar[str] = PROMPT

    vlm: Vlm
    settings: ModelSettings = ModelSettings()

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Return the metric with the model that `settings` names. Raises ModelUnavailable, BadSetting."""
        options_of(settings)
        return cls(load_vlm(cls.name, settings, LLAVA_13B), settings)

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome per sample, in order, lazily, settings.batch_size at a time."""
        choice = options_of(self.settings)
        script = Script(
            self.name,
            lambda sample: score_prompt(sample, self.prompt, choice),
            lambda sample: why_prompt(sample, choice),
            read_reason,
        )
        return judge(self.vlm, script, self._conduct(choice), samples)

    def signature(self) -> str:
        """Return the signature of the metric's scores.

        The signature is a text that names everything that can change a score.
        """
        return self._conduct(options_of(self.settings)).signature

    def _conduct(self, choice: Mapping[str, str]) -> Conduct:
        asked = frame(self.prompt, choice).replace("{criteria}", criteria(choice))
        why = WHY_FIRST if choice["order"] == "explanation-first" else WHY
        return conduct(self.name, self.vlm, self.settings, choice, asked, why)


class RefFleur(Fleur):
    """RefFLEUR: as FLEUR, but also shows the references to the model."""

    name: ClassVar[str] = "RefFLEUR"
    requires_references: ClassVar[bool] = True
    prompt: ClassVar[str] = REFERENCE_PROMPT
