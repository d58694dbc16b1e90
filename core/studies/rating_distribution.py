"""How often raters gave each point: what a mean hides."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from core.studies.report import RatingRow


@dataclass(frozen=True, slots=True)
class PointShare:
    """How often one point was given to one metric's explanations on one criterion."""

    metric: str
    criterion: str
    point: int  # 0: abstained
    count: int
    share: float  # of all ratings of the metric on the criterion, abstentions included, [0, 1]

    def as_json(self) -> dict[str, Any]:
        """Return the fields as plain values."""
        return asdict(self)


def rating_distribution(ratings: Iterable[RatingRow], scales: Mapping[str, Sequence[int]]) -> tuple[PointShare, ...]:
    """Return one entry a metric, criterion and point, unused points too, in order of first appearance.

    `scales` names every point of a criterion, 0 included where it can be given; a point beyond them is added.
    """
    cells: dict[tuple[str, str], Counter[int]] = {}
    for rating in ratings:
        cells.setdefault((rating.metric, rating.criterion), Counter())[rating.point] += 1
    return tuple(
        PointShare(metric, criterion, point, given[point], given[point] / given.total())
        for (metric, criterion), given in cells.items()
        for point in sorted({*scales.get(criterion, ()), *given})
    )
