"""Criteria: the questions of a study's form, each with its own scale.

The forms that come with Capscope are in core/studies/forms.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InvalidRating, NotFound

FEWEST_POINTS, MOST_POINTS = 2, 10  # limits for the number of points of a scale; each point has one digit key
# These two points are not on the scale and are never aggregated. Points above ABSTAIN are judgements.
ABSTAIN = 0  # point for "abstain", if the study's form (its questions) has this option
NO_PICTURE = -1  # point of an item that was not judged, because its picture was missing


@dataclass(frozen=True, slots=True)
class Guideline:
    """One possible answer to a question, with the text that says when to choose it."""

    point: int  # number of the point: 1 (worst) up to the best point, or ABSTAIN, or NO_PICTURE
    text: str  # what the point means
    short: str = ""  # words of `text` that distinguish this point from the others; empty: none


UNSEEN = Guideline(NO_PICTURE, "I cannot judge this, because the picture is missing.", "the picture is missing")


@dataclass(frozen=True, slots=True)
class Criterion:
    """A question about the rated text, with a scale of 2 to 10 points.

    It may also have an option to abstain.
    """

    key: str  # identifier in files and in the database; never changes
    name: str  # heading on the page
    question: str
    guidelines: tuple[Guideline, ...]  # guidelines in the order of ascending points; an abstain option comes last
    without_image: bool = False  # True: the rubric asks raters to judge before they see the picture
    unseen: Guideline | None = None  # the answer offered for a missing picture; None: raters judge without the picture
    needs_picture: bool = True  # False: raters can answer the question before the picture is revealed
    compares: bool = False  # True: raters say how much better text 2 is than text 1; text 1 gets the opposite point

    @property
    def waits_for_picture(self) -> bool:
        """Return whether raters can answer this question only after they see the picture."""
        return self.needs_picture and not self.without_image

    @property
    def points(self) -> tuple[int, ...]:
        """All points that raters may give, in display order: the scale, and ABSTAIN if allowed."""
        return tuple(guideline.point for guideline in self.guidelines)

    @property
    def bounds(self) -> tuple[int, int]:
        """The lowest and highest value that may be stored as an answer.

        If raters can answer that the picture is missing, this answer is included.
        """
        unseen = () if self.unseen is None else (self.unseen.point,)
        return min(*self.points, *unseen), max(self.points)

    @property
    def scale(self) -> tuple[int, ...]:
        """The points of the scale, worst first, without ABSTAIN. Statistics and pages use them."""
        return tuple(point for point in self.points if point != ABSTAIN)

    @property
    def scale_name(self) -> str:
        """The ends of the scale as displayed: "1–4"."""
        return f"{self.scale[0]}–{self.scale[-1]}"

    @property
    def low(self) -> int:
        """The highest point of the scale's lower half.

        It is 2 on a scale of four points, and 3 on a scale of seven points.
        """
        return self.scale[len(self.scale) // 2 - 1]

    def mirrored(self, point: int) -> int:
        """Return a comparison's answer as if the two compared texts were exchanged.

        On a scale of three points, 1 becomes 3. ABSTAIN and NO_PICTURE are unchanged.
        """
        return point if point <= ABSTAIN else len(self.scale) + 1 - point


def criterion_named(key: str, criteria: Sequence[Criterion]) -> Criterion:
    """Return the criterion with this key. Raises NotFound with the existing keys."""
    for criterion in criteria:
        if criterion.key == key:
            return criterion
    raise NotFound(f"There is no criterion {key!r}. Criteria: {', '.join(c.key for c in criteria) or 'none'}.")


def check_point(criterion: Criterion, point: object, has_image: bool = True) -> int:
    """Return a rating's point if raters may give it for an item.

    has_image: whether the item has its picture. Raises InvalidRating if raters may not give the point. Also raises it
    for values of other types such as True, 2.0, None and "2".
    """
    points = criterion.points
    if criterion.unseen is not None and not has_image:
        points = (*points, criterion.unseen.point)
    if type(point) is not int or point not in points:
        listed = ", ".join(map(str, points))
        raise InvalidRating(f"{criterion.name}: the rating must be one of {listed}, found {point!r}.")
    return point
