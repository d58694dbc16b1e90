"""What raters are asked: the three criteria of EXPERT (Appendix C), with the guideline text of every point.

The wording is the paper's protocol and must not be changed. A new criterion is one entry in CRITERIA.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InvalidRating, NotFound

ABSTAIN = 0  # the point of an abstain option: a category, not the bottom of the scale; never aggregated


@dataclass(frozen=True, slots=True)
class Guideline:
    """One answer a rater can give."""

    point: int  # 1 (worst) to 4 (best), or ABSTAIN
    text: str  # what the point means


@dataclass(frozen=True, slots=True)
class Criterion:
    """A question about an explanation, answered on a scale without a neutral point."""

    key: str  # stable name in files and in the database
    name: str  # heading on the page
    question: str
    guidelines: tuple[Guideline, ...]  # ascending points; an abstain option comes last
    without_image: bool = False  # the rubric asks to judge it before looking at the picture

    @property
    def allows_abstain(self) -> bool:
        """Whether the rater may decline to judge."""
        return any(guideline.point == ABSTAIN for guideline in self.guidelines)

    @property
    def lowest(self) -> int:
        """The smallest point that may be stored."""
        return min(guideline.point for guideline in self.guidelines)

    @property
    def highest(self) -> int:
        """The largest point that may be stored."""
        return max(guideline.point for guideline in self.guidelines)


CONSISTENCY = Criterion(
    key="consistency",
    name="Consistency",
    question=(
        "How logically consistent is the explanation with the given score? "
        "Consider only the explanation text and the numerical score, without referencing the image."
    ),
    guidelines=(
        Guideline(
            1,
            "The nuance and tone of the explanation are completely misaligned with the score, "
            "offering contradictory reasoning that fails to justify the score in any meaningful way.",
        ),
        Guideline(
            2,
            "The nuance and tone of the explanation are partially aligned with the score, "
            "with noticeable mismatches or gaps in logic that make the connection unclear.",
        ),
        Guideline(
            3,
            "The nuance and tone of the explanation are mostly aligned with the score, "
            "but minor inconsistencies or subtle mismatches slightly reduce its overall coherence.",
        ),
        Guideline(
            4,
            "The nuance and tone of the explanation are fully aligned with the score, "
            "leaving no doubt about the connection between the explanation and the score.",
        ),
    ),
    without_image=True,
)

FACTUALITY = Criterion(
    key="factuality",
    name="Factuality",
    question="How factually accurate is the explanation in describing the image-caption pair?",
    guidelines=(
        Guideline(
            1,
            "The explanation contains critical factual errors or describes something entirely unrelated "
            "or contradictory to the image-caption pair.",
        ),
        Guideline(
            2,
            "The explanation is partially factual, with some accurate elements but significant incorrect details.",
        ),
        Guideline(
            3,
            "The explanation is mostly factual, with only minor factual inaccuracies "
            "that do not affect the overall context.",
        ),
        Guideline(
            4,
            "The explanation is entirely factual, containing only accurate and verifiable information "
            "consistent with the image-caption pair.",
        ),
    ),
)

INFORMATIVENESS = Criterion(
    key="informativeness",
    name="Informativeness",
    question="How detailed and meaningful is the explanation in justifying the score?",
    guidelines=(
        Guideline(
            1,
            "The explanation is not informative at all, providing little to no relevant information to justify "
            "the score, or presenting incorrect or misleading justifications that confuse the evaluator.",
        ),
        Guideline(
            2,
            "The explanation is partially informative, offering some relevant information but lacking sufficient "
            "detail or depth, or providing unclear or slightly inaccurate justifications.",
        ),
        Guideline(
            3,
            "The explanation is fairly informative, providing useful information but missing important aspects "
            "or including some redundant or unnecessary information.",
        ),
        Guideline(
            4,
            "The explanation is highly informative, offering rich, relevant, and detailed reasoning "
            "that thoroughly supports the score.",
        ),
        Guideline(
            ABSTAIN,
            "I cannot understand or justify the given score for this image-caption pair. The score is severely "
            "misaligned, and I am unable to evaluate the explanation in a meaningful way.",
        ),
    ),
)

CRITERIA: tuple[Criterion, ...] = (CONSISTENCY, FACTUALITY, INFORMATIVENESS)


def criterion_named(key: str, criteria: Sequence[Criterion] = CRITERIA) -> Criterion:
    """Return the criterion with that key. Raises NotFound, naming those there are."""
    for criterion in criteria:
        if criterion.key == key:
            return criterion
    raise NotFound(f"There is no criterion {key!r}; there are {', '.join(c.key for c in criteria)}.")


def check_point(criterion: Criterion, point: object) -> int:
    """Return the point if it is one of the criterion's.

    Raises InvalidRating for anything but a plain int among its points: True, 2.0, None and "2" are refused.
    """
    allowed = [guideline.point for guideline in criterion.guidelines]
    if type(point) is not int or point not in allowed:
        listed = ", ".join(map(str, allowed))
        raise InvalidRating(f"{criterion.name}: expected one of the whole numbers {listed}, found {point!r}.")
    return point
