"""Conditions of slices (saved filters) for which one value is not enough.

These conditions are ranges, differences of two scores, and lassos (areas drawn in a plot).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from pydantic import ConfigDict, Field

from core.analysis.score_table import Mask
from core.arrays import Floats
from core.errors import BadSetting
from core.types import ErrorScale, Parted

MOST_CORNERS = 500  # maximum number of corners of a lasso; the web page draws fewer corners
TOLERANCE = 0.25  # a score with a smaller |score - human| counts as right; Polos' authors use this limit (Appendix C)
LARGEST_NUMBER = 1e15  # largest number in a condition; larger numbers would lose digits
Number = Annotated[
    float, Field(strict=True, ge=-LARGEST_NUMBER, le=LARGEST_NUMBER, allow_inf_nan=False)
]  # strict: only numbers are accepted, never text, true or false
Column = str  # the name of a column, see core.analysis.column_names


@dataclass(frozen=True, slots=True)
class Range:
    """Range from `low` to `high`, both included. None means that the range has no limit on that side."""

    low: Number | None = None
    high: Number | None = None

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None and not self.low <= self.high:
            raise BadSetting(f"The low end of a range must not be above its high end, found {self.low} to {self.high}")

    def holds(self, values: Floats) -> Mask:
        """Return which values lie in the range. NaN lies in no range."""
        low = -np.inf if self.low is None else self.low
        high = np.inf if self.high is None else self.high
        is_known = ~np.isnan(values)
        return np.asarray(is_known & (values >= low) & (values <= high))


@dataclass(frozen=True, slots=True)
class OwnValue:
    """Condition: a column of the researcher's own table has a certain value for the sample."""

    column: str
    value: str

    def __post_init__(self) -> None:
        if not self.column.strip() or not self.value.strip():
            raise BadSetting("A filter by your own column needs a column and a value.")


@dataclass(frozen=True, slots=True)
class Parting:
    """Condition on two scores of a sample.

    Either the difference of the two scores is in a range, or only one of the two scores is close to human judgement.
    """

    first: Column
    second: Column
    by: Parted = "scores"
    gap: Range = field(default_factory=Range)  # allowed difference of the scores; see core.statistics.disagreements
    errors: ErrorScale = "plain"  # scale for |score - human|; used only if `by` requires exactly one right score
    tolerance: Number = TOLERANCE  # scores with a smaller error count as right

    def __post_init__(self) -> None:
        if self.first == self.second:
            raise BadSetting("Choose two different scores. The same score was chosen twice.")
        if not 0 < self.tolerance < 1:
            raise BadSetting(f"The tolerance must be between 0 and 1, found {self.tolerance}")

    @property
    def by_error(self) -> bool:
        """Return whether the condition depends on how close a score is to human judgement."""
        return self.by in ("first right", "second right")


@dataclass(frozen=True, slots=True)
class Lasso:
    """Condition: the sample lies inside a closed line that a user drew in a plot."""

    __pydantic_config__ = ConfigDict(extra="forbid")
    x: Column | None  # the column on the x axis, on its own scale; None: human judgement, [0, 1]
    y: Column | None  # name of the column on the y axis, on its own scale; None: human judgement, [0, 1]
    corners: tuple[tuple[Number, Number], ...]  # (x, y) points of the line; the last is joined to the first

    def __post_init__(self) -> None:
        if not 3 <= len(self.corners) <= MOST_CORNERS:
            raise BadSetting(f"A lasso must have 3 to {MOST_CORNERS} corners, found {len(self.corners)}")

    @property
    def by_error(self) -> bool:
        """Return whether one axis of the plot is a score and the other is human judgement.

        Such a lasso selects samples by the score's error.
        """
        return (self.x is None) != (self.y is None)

    def holds(self, across: Floats, up: Floats) -> Mask:
        """Return which samples lie inside the drawn line. Samples with a NaN are never inside.

        across, up: (samples,), x and y of each sample. A sample is inside if a ray from it to the right crosses the
        line an odd number of times.
        """
        inside = np.zeros(len(across), dtype=bool)
        ends: Sequence[tuple[float, float]] = (self.corners[-1], *self.corners[:-1])
        for (x1, y1), (x2, y2) in zip(ends, self.corners, strict=True):
            if y1 != y2:
                crossed = ((y1 > up) != (y2 > up)) & (across < (x2 - x1) * (up - y1) / (y2 - y1) + x1)
                inside ^= crossed
        return inside & np.isfinite(across) & np.isfinite(up)
