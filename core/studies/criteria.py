"""What raters are asked: the three criteria of EXPERT (Appendix C), with the guideline text of every point.

The wording is the paper's protocol and must not be changed. A new criterion is one entry in CRITERIA, on a scale of
its own; no study asks for it that does not name it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import BadSetting, InvalidRating, NotFound

FEWEST_POINTS, MOST_POINTS = 2, 10  # of a scale; raters answer with the digit keys
ABSTAIN = 0  # the point of an abstain option: a category, not the bottom of the scale; never aggregated


@dataclass(frozen=True, slots=True)
class Guideline:
    """One answer a rater can give."""

    point: int  # 1 (worst) up to the best, or ABSTAIN
    text: str  # what the point means
    short: str = ""  # the words of the text that tell it from the other points; empty where there are none


@dataclass(frozen=True, slots=True)
class Criterion:
    """A question about an explanation, answered on a scale of 2 to 10 points, perhaps with an abstain option."""

    key: str  # stable name in files and in the database
    name: str  # heading on the page
    question: str
    guidelines: tuple[Guideline, ...]  # ascending points; an abstain option comes last
    without_image: bool = False  # the rubric asks to judge it before looking at the picture
    unseen: Guideline | None = None  # how to abstain where the picture is missing, if nobody can judge without it

    def __post_init__(self) -> None:
        """Refuse points that are no scale. Raises BadSetting."""
        points = self.scale
        if not FEWEST_POINTS <= len(points) <= MOST_POINTS or points != tuple(range(1, len(points) + 1)):
            raise BadSetting(
                f"The criterion {self.key!r} needs guidelines for the points 1, 2 ... of a scale of {FEWEST_POINTS} to "
                f"{MOST_POINTS} points in ascending order, found {', '.join(map(str, points)) or 'none'}."
            )
        if self.unseen is not None and (self.unseen.point != ABSTAIN or ABSTAIN in self.points):
            raise BadSetting(f"The criterion {self.key!r} needs {ABSTAIN} for a missing picture alone.")
        if ABSTAIN in self.points[:-1]:
            raise BadSetting(f"The criterion {self.key!r} needs its abstain option once, behind the scale's points.")

    @property
    def points(self) -> tuple[int, ...]:
        """Every point that raters may give, as they see them: the scale, and ABSTAIN where they may decline."""
        return tuple(guideline.point for guideline in self.guidelines)

    @property
    def bounds(self) -> tuple[int, int]:
        """The lowest and the highest point that may be stored, of items without their picture too."""
        unseen = () if self.unseen is None else (self.unseen.point,)
        return min(*self.points, *unseen), max(self.points)

    @property
    def scale(self) -> tuple[int, ...]:
        """The points that are judgements, worst first, without ABSTAIN: what figures, statistics and pages go by."""
        return tuple(point for point in self.points if point != ABSTAIN)

    @property
    def scale_name(self) -> str:
        """The ends of the scale as people read them: "1–4"."""
        return f"{self.scale[0]}–{self.scale[-1]}"

    @property
    def low(self) -> int:
        """The highest point of the scale's lower half: 2 on a scale of four, 3 on one of seven."""
        return self.scale[len(self.scale) // 2 - 1]


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
            "completely misaligned",
        ),
        Guideline(
            2,
            "The nuance and tone of the explanation are partially aligned with the score, "
            "with noticeable mismatches or gaps in logic that make the connection unclear.",
            "partially aligned",
        ),
        Guideline(
            3,
            "The nuance and tone of the explanation are mostly aligned with the score, "
            "but minor inconsistencies or subtle mismatches slightly reduce its overall coherence.",
            "mostly aligned",
        ),
        Guideline(
            4,
            "The nuance and tone of the explanation are fully aligned with the score, "
            "leaving no doubt about the connection between the explanation and the score.",
            "fully aligned",
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
            "critical factual errors",
        ),
        Guideline(
            2,
            "The explanation is partially factual, with some accurate elements but significant incorrect details.",
            "partially factual",
        ),
        Guideline(
            3,
            "The explanation is mostly factual, with only minor factual inaccuracies "
            "that do not affect the overall context.",
            "mostly factual",
        ),
        Guideline(
            4,
            "The explanation is entirely factual, containing only accurate and verifiable information "
            "consistent with the image-caption pair.",
            "entirely factual",
        ),
    ),
    unseen=Guideline(ABSTAIN, "I cannot judge this, because the picture is missing.", "the picture is missing"),
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
            "not informative at all",
        ),
        Guideline(
            2,
            "The explanation is partially informative, offering some relevant information but lacking sufficient "
            "detail or depth, or providing unclear or slightly inaccurate justifications.",
            "partially informative",
        ),
        Guideline(
            3,
            "The explanation is fairly informative, providing useful information but missing important aspects "
            "or including some redundant or unnecessary information.",
            "fairly informative",
        ),
        Guideline(
            4,
            "The explanation is highly informative, offering rich, relevant, and detailed reasoning "
            "that thoroughly supports the score.",
            "highly informative",
        ),
        Guideline(
            ABSTAIN,
            "I cannot understand or justify the given score for this image-caption pair. The score is severely "
            "misaligned, and I am unable to evaluate the explanation in a meaningful way.",
            "cannot understand or justify the given score",
        ),
    ),
)

CRITERIA: tuple[Criterion, ...] = (CONSISTENCY, FACTUALITY, INFORMATIVENESS)
EXPERT_PROTOCOL = (CONSISTENCY.key, FACTUALITY.key, INFORMATIVENESS.key)  # what EXPERT's studies asked, in its order


def criterion_named(key: str, criteria: Sequence[Criterion] = CRITERIA) -> Criterion:
    """Return the criterion with that key. Raises NotFound, naming those there are."""
    for criterion in criteria:
        if criterion.key == key:
            return criterion
    raise NotFound(f"There is no criterion {key!r}; there are {', '.join(c.key for c in criteria)}.")


def check_point(criterion: Criterion, point: object, has_image: bool = True) -> int:
    """Return the point if it is one of the criterion's, about an item with or without its picture.

    Raises InvalidRating for anything but a plain int among its points: True, 2.0, None and "2" are refused.
    """
    points = criterion.points
    if criterion.unseen is not None and not has_image:
        points = (*points, criterion.unseen.point)
    if type(point) is not int or point not in points:
        listed = ", ".join(map(str, points))
        raise InvalidRating(f"{criterion.name}: expected one of the whole numbers {listed}, found {point!r}.")
    return point
