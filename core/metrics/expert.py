"""EXPERT: a two-stage template, a smoothed score and a structured explanation.

Hyunjong Kim, Sangyeop Kim, Jongheon Jeong, Yeongjae Cho, Sungzoon Cho. "EXPERT: An Explainable Image Captioning
Evaluation Metric with Structured Explanations." Findings of ACL 2025.
Prompts are those of the published code, word for word.
"""

from collections.abc import Mapping
from typing import Literal

Wording = Literal["code", "paper"]

CRITERIA = ("fluency", "relevance", "descriptiveness")

SCORE_PROMPT = (
    "Evaluate the caption and assign a score on a scale of 0.0 to 1.0.\n\nCaption: {caption}\n\nScore (0.0~1.0):"
)
EXPLANATION_PROMPT = (
    "Provide a brief explanation for the score based on three criteria: Fluency, Relevance, and Descriptiveness.\n\n"
    "Caption: {caption}\n\n"
    "Evaluation Criteria:\n"
    "- Fluency: Whether the caption is fluent, natural, and grammatically correct.\n"
    "- Relevance: Whether the sentence correctly describes the visual content and {be} closely relevant to the image.\n"
    "- Descriptiveness: Whether the sentence is a precise, informative caption that describes important details"
    " of the image.\n\n"
    "Output Format:\n"
    "Fluency: {Provide explanation here.}\n"
    "Relevance: {Provide explanation here.}\n"
    "Descriptiveness: {Provide explanation here.}"
)
BE: Mapping[Wording, str] = {"code": "be", "paper": "is"}  # the published adapter was prompted with the code's wording


def score_prompt(caption: str) -> str:
    """Return the first turn, up to where the score is expected. The caption goes in as it is."""
    return SCORE_PROMPT.replace("{caption}", caption)


def explanation_prompt(caption: str, wording: Wording = "code") -> str:
    """Return the second turn. "code": "and be closely relevant", "paper": "and is closely relevant"."""
    return EXPLANATION_PROMPT.replace("{be}", BE[wording]).replace("{caption}", caption)


def explanation_answer(rationales: Mapping[str, str]) -> str:
    """Return the answer that the explanation prompt asks for: one line for each of the three criteria in rationales."""
    return "\n".join(f"{name.capitalize()}: {rationales[name]}" for name in CRITERIA)
