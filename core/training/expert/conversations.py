"""EXPERT's training data: two-stage LLaVA conversations from captions with human scores and GPT-4o's explanations.

EXPERT (Findings of ACL 2025), Appendices B and D: the first answer is the mean human score, rounded to the nearest
multiple of 0.10 ("score binning"). The second answer is the explanation in three aspects. Duplicates are the same
caption of the same image; they are averaged within and across the data sets before the rounding.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.metrics.expert import explanation_answer, explanation_prompt, score_prompt
from core.types import one_line, sample_identity

TENTHS = 10  # training scores are multiples of a tenth: a bin size of 0.10
IMAGE = "<image>"  # the picture's position in the first question
SPEAKERS = ("human", "gpt", "human", "gpt")

Turns = tuple[str, str, str, str]  # question with <image> at the start, score, question, explanation


@dataclass(frozen=True, slots=True)
class ExplainedCaption:
    """A caption of an image with its mean human score and the explanation written for it."""

    id: str  # unique among all merged data sets
    image: str  # path below the folder of pictures, e.g. "Polaris/<imgid>.jpg"
    caption: str
    score: float  # mean human score, [0, 1]
    rationales: Mapping[str, str]  # of fluency, relevance and descriptiveness


@dataclass(frozen=True, slots=True)
class Conversation:
    """Two questions about one picture, with their answers."""

    id: str
    image: str  # as in ExplainedCaption
    turns: Turns

    def as_json(self) -> dict[str, object]:
        """Return the record as LLaVA's training code reads it."""
        turns = [{"from": speaker, "value": text} for speaker, text in zip(SPEAKERS, self.turns, strict=True)]
        return {"id": self.id, "image": self.image, "conversations": turns}


def build(rows: Iterable[ExplainedCaption], wording: str = "code") -> list[Conversation]:
    """Return one conversation for each caption of each image, in order of first appearance.

    Rows are duplicates if their pictures have the same name (folder and ending aside) and their captions differ in
    white space at most. Each row counts once in the mean. The first row gives id, picture and explanation.
    """
    groups: dict[tuple[str, str], list[ExplainedCaption]] = {}
    for row in rows:
        groups.setdefault(sample_identity(row.image, row.caption), []).append(row)
    return [_conversation(group, wording) for group in groups.values()]


def mean_score(scores: Sequence[float]) -> Fraction:
    """Return the exact mean of scores; each score is taken as its printed decimal: 0.7 and 0.0 give 7/20."""
    return sum((Fraction(repr(score)) for score in scores), Fraction(0)) / len(scores)


def binned(score: Fraction) -> str:
    """Round a score in [0, 1] to the nearest tenth, half up, with one decimal: 1/4 gives "0.3"."""
    tenths = math.floor(score * TENTHS + Fraction(1, 2))
    return f"{tenths // TENTHS}.{tenths % TENTHS}"


def _conversation(rows: Sequence[ExplainedCaption], wording: str) -> Conversation:
    first = rows[0]
    caption = one_line(first.caption)
    question = f"{IMAGE}\n{score_prompt(caption)}"
    score = binned(mean_score([row.score for row in rows]))
    reasons = explanation_answer({name: one_line(text) for name, text in first.rationales.items()})
    return Conversation(first.id, first.image, (question, score, explanation_prompt(caption, wording), reasons))
