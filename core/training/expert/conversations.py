"""EXPERT's training data: LLaVA conversations with two questions each.

The conversations are made from captions with human scores and GPT-4o's explanations. They follow EXPERT (Findings of
ACL 2025), Appendices B and D. The first answer is the mean human score, rounded to the nearest multiple of 0.10 ("score
binning"). The second answer is the explanation in three aspects. Equal captions of the same image are duplicates.
Before the rounding, their scores are averaged, also if they come from different data sets.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.errors import BadSetting
from core.metrics.expert import explanation_answer, explanation_prompt, score_prompt
from core.types import one_line, sample_identity

BIN_WIDTH = Fraction(1, 10)  # width of the bins of training scores in the paper
UNBINNED_DIGITS = 5  # number of decimals of scores that are not put in bins
IMAGE = "<image>"  # stands for the picture in the first question
SPEAKERS = ("human", "gpt", "human", "gpt")

Turns = tuple[str, str, str, str]  # (question with <image> at the start, score, second question, explanation)


@dataclass(frozen=True, slots=True)
class ExplainedCaption:
    """A caption of an image with its mean human score and its explanation."""

    id: str  # id of the caption, unique among all merged data sets
    image: str  # path below the folder of pictures, e.g. "Polaris/<imgid>.jpg"
    caption: str
    score: float  # mean human score, [0, 1]
    rationales: Mapping[str, str]  # keys: fluency, relevance and descriptiveness


@dataclass(frozen=True, slots=True)
class Conversation:
    """Two questions about one picture, with their answers."""

    id: str
    image: str  # path of the picture, as in ExplainedCaption
    turns: Turns

    def as_json(self) -> dict[str, object]:
        """Return the record in the format of LLaVA's training code."""
        turns = [{"from": speaker, "value": text} for speaker, text in zip(SPEAKERS, self.turns, strict=True)]
        return {"id": self.id, "image": self.image, "conversations": turns}


def build(rows: Iterable[ExplainedCaption], bin_width: Fraction = BIN_WIDTH) -> list[Conversation]:
    """Return one conversation for each caption of each image, in order of first appearance.

    Rows are duplicates if their pictures have the same name (without folder and extension) and their captions differ
    only in white space. The score is the mean over all duplicates. Id, picture and explanation come from the first of
    them. bin_width: see `binned`.
    """
    groups: dict[tuple[str, str], list[ExplainedCaption]] = {}
    for row in rows:
        groups.setdefault(sample_identity(row.image, row.caption), []).append(row)
    return [_conversation(group, bin_width) for group in groups.values()]


def mean_score(scores: Sequence[float]) -> Fraction:
    """Return the exact mean of scores: 0.7 and 0.0 give 7/20.

    Each score is used as its printed decimal number, without the rounding error of floats.
    """
    return sum((Fraction(repr(score)) for score in scores), Fraction(0)) / len(scores)


def bin_width_of(text: str) -> Fraction:
    """Read a width of score bins: 0 for no bins, or a divisor of 1 such as 0.1 or 0.05.

    The width has at most two decimals. Raises BadSetting.
    """
    try:
        width = Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise BadSetting(f"The width of bins must be a number such as 0.1, found {text!r}.") from error
    fits = width == 0 or (0 < width <= Fraction(1, 2) and (1 / width).denominator == 1)
    if not fits or (width * 100).denominator != 1:
        raise BadSetting(
            f"The width of bins must be 0 or a divisor of 1 with at most two decimals (0.1, 0.05). Found: {text}."
        )
    return width


def binned(score: Fraction, width: Fraction = BIN_WIDTH) -> str:
    """Round a score in [0, 1] to the nearest multiple of the width.

    A score in the middle between two multiples is rounded upwards: 1/4 with width 0.1 gives "0.3". A width of 0.1, 0.2
    or 0.5 gives one decimal, any other width two. With width 0 the score is not rounded and has one to five decimals.
    """
    if not width:
        whole, _, decimals = f"{float(round(score, UNBINNED_DIGITS)):.{UNBINNED_DIGITS}f}".rstrip("0").partition(".")
        return f"{whole}.{decimals or 0}"
    value = math.floor(score / width + Fraction(1, 2)) * width
    return f"{float(value):.{1 if (width * 10).denominator == 1 else 2}f}"


def _conversation(rows: Sequence[ExplainedCaption], bin_width: Fraction) -> Conversation:
    first = rows[0]
    caption = one_line(first.caption)
    question = f"{IMAGE}\n{score_prompt(caption)}"
    score = binned(mean_score([row.score for row in rows]), bin_width)
    reasons = explanation_answer({name: one_line(text) for name, text in first.rationales.items()})
    return Conversation(first.id, first.image, (question, score, explanation_prompt(caption), reasons))
