"""EXPERT: two prompts to a model, for a score and for a structured explanation. The score is smoothed.

Hyunjong Kim, Sangyeop Kim, Jongheon Jeong, Yeongjae Cho, Sungzoon Cho. "EXPERT: An Explainable Image Captioning
Evaluation Metric with Structured Explanations." Findings of ACL 2025. https://arxiv.org/abs/2506.24016

The prompts are exactly those of the published code. The paper (Appendix B.3) prints "and is closely relevant" for "and
be closely relevant". We assume that the published adapter was trained with the prompts of the code.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from core.metrics.asking import AskingMetric, Rationales
from core.models import Checkpoint, ModelSettings
from core.models.checkpoints import EXPERT_ADAPTER, LLAVA_13B
from core.models.vlm import load_vlm

CRITERIA = ("fluency", "relevance", "descriptiveness")
SCORE_PROMPT = (
    "Evaluate the caption and assign a score on a scale of 0.0 to 1.0.\n\nCaption: {caption}\n\nScore (0.0~1.0):"
)
EXPLANATION_PROMPT = (
    "Provide a brief explanation for the score based on three criteria: Fluency, Relevance, and Descriptiveness.\n\n"
    "Caption: {caption}\n\n"
    "Evaluation Criteria:\n"
    "- Fluency: Whether the caption is fluent, natural, and grammatically correct.\n"
    "- Relevance: Whether the sentence correctly describes the visual content and be closely relevant to the image.\n"
    "- Descriptiveness: Whether the sentence is a precise, informative caption that describes important details"
    " of the image.\n\n"
    "Output Format:\n"
    "Fluency: {Provide explanation here.}\n"
    "Relevance: {Provide explanation here.}\n"
    "Descriptiveness: {Provide explanation here.}"
)
PUBLISHED_FORM = re.compile(r"Fluency:\s*(.*?)\nRelevance:\s*(.*?)\nDescriptiveness:\s*(.*)", re.DOTALL)
HEADING = re.compile(  # finds a criterion's name and colon (plain, bold or bulleted) after a sentence or in a new line
    r"(?:^[ \t>#]*(?:(?:[-*\u2022]|\d+[.)])[ \t]+)?|(?<=[.!?;] ))[*_]{0,3}"
    rf"({'|'.join(CRITERIA)})[*_]{{0,3}}[ \t]*[:\uff1a][*_]{{0,3}}",
    re.IGNORECASE | re.MULTILINE,
)


def explanation_answer(rationales: Mapping[str, str]) -> str:
    """Return the explanation as a model must write it, with one line for each of the three criteria."""
    return "\n".join(f"{name.capitalize()}: {rationales[name]}" for name in CRITERIA)


def read_explanation(answer: str) -> Rationales:
    """Read the texts of an explanation, one for each criterion.

    The answer is first parsed as in the published code. If that fails, bullets, bold headings, other cases and another
    order are also accepted. An answer without any heading is returned whole as "overall". Empty texts are skipped.
    """
    published = PUBLISHED_FORM.search(answer)
    texts = dict(zip(CRITERIA, published.groups(), strict=True)) if published else {}
    if not published:
        _, *parts = HEADING.split(answer)
        for name, text in zip(parts[::2], parts[1::2], strict=True):
            texts.setdefault(name.lower(), text)
    rationales = {name: texts[name].strip() for name in CRITERIA if texts.get(name, "").strip()}
    return rationales or ({"overall": answer.strip()} if answer.strip() else {})


@dataclass(frozen=True)
class Expert(AskingMetric):
    """EXPERT with its fine-tuned model: LLaVA-1.5 with the published adapter, or with one that Capscope trained."""

    name: ClassVar[str] = "EXPERT"
    paper: ClassVar[str] = "https://arxiv.org/abs/2506.24016"
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = (LLAVA_13B, EXPERT_ADAPTER)
    prompt: ClassVar[str] = SCORE_PROMPT
    why: ClassVar[str] = EXPLANATION_PROMPT
    criteria: ClassVar[tuple[str, ...]] = CRITERIA
    adapter: ClassVar[Checkpoint | None] = EXPERT_ADAPTER

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Return the metric with the model that `settings` names. Raises ModelUnavailable, BadSetting."""
        return cls(load_vlm(cls.name, settings, LLAVA_13B, cls.adapter), settings)

    def read_why(self, answer: str) -> Rationales:
        """Return the texts of an explanation, by criterion."""
        return read_explanation(answer)


class ExpertWithoutSft(Expert):
    """EXPERT's prompts on the base model, without fine-tuning."""

    name: ClassVar[str] = "EXPERT without SFT"
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = (LLAVA_13B,)
    adapter: ClassVar[Checkpoint | None] = None
