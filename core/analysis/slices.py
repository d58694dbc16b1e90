"""Slices: saved filters over samples, to which every plot and number of an analysis can be limited.

A slice is data, never code: a fixed list of conditions, all of which must hold. A sample does not meet a condition on a
value that it lacks (no score, not rated, not coded).
"""

from dataclasses import asdict, dataclass
from typing import Annotated, Any

import numpy as np
from pydantic import ConfigDict, Field

from core.analysis.caption_words import PHRASE_KINDS, check_words
from core.analysis.score_table import Mask
from core.arrays import Floats
from core.errors import BadSetting
from core.foreign_values import shaped

LONGEST_NAME = 200
MOST_CORNERS = 500  # maximum number of corners of a lasso; the web page draws fewer corners
LARGEST_NUMBER = 1e15  # largest number in a condition; larger numbers would lose digits
Number = Annotated[
    float, Field(strict=True, ge=-LARGEST_NUMBER, le=LARGEST_NUMBER, allow_inf_nan=False)
]  # strict: only numbers are accepted, never text, true or false
Column = str  # the name of a column, see core.analysis.score_table


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
        return np.asarray((values >= low) & (values <= high))


@dataclass(frozen=True, slots=True)
class OwnValue:
    """Condition: a column of the researcher's own table has a certain value for the sample."""

    column: str
    value: str

    def __post_init__(self) -> None:
        if not self.column.strip() or not self.value.strip():
            raise BadSetting("A filter by your own column needs a column and a value.")


@dataclass(frozen=True, slots=True)
class Lasso:
    """Condition: the sample lies inside a closed line that a user drew in a plot."""

    __pydantic_config__ = ConfigDict(extra="forbid")
    x: Column | None  # the column on the x axis, on its own scale; None: human judgement, [0, 1]
    y: Column | None
    corners: tuple[tuple[Number, Number], ...]  # (x, y) points of the line; the last is joined to the first

    def __post_init__(self) -> None:
        if not 3 <= len(self.corners) <= MOST_CORNERS:
            raise BadSetting(f"A lasso must have 3 to {MOST_CORNERS} corners, found {len(self.corners)}")

    @property
    def by_error(self) -> bool:
        """Return whether the lasso selects samples by a score's error: one axis is a score, the other is judgement."""
        return (self.x is None) != (self.y is None)

    def holds(self, across: Floats, up: Floats) -> Mask:
        """Return which samples lie inside the line, (samples,). Samples with a NaN are never inside.

        A sample is inside if a ray from it to the right crosses the line an odd number of times.
        """
        inside = np.zeros(len(across), dtype=bool)
        ends = (self.corners[-1], *self.corners[:-1])
        for (x1, y1), (x2, y2) in zip(ends, self.corners, strict=True):
            if y1 != y2:
                inside ^= ((y1 > up) != (y2 > up)) & (across < (x2 - x1) * (up - y1) / (y2 - y1) + x1)
        return inside & np.isfinite(across) & np.isfinite(up)


@dataclass(frozen=True, slots=True)
class Slice:
    """A named filter. A sample must meet all of the filter's conditions that are not None."""

    __pydantic_config__ = ConfigDict(extra="forbid")
    name: str
    metric: Column | None = None  # the column that `score` and `error` filter
    score: Range | None = None  # allowed scores, on the metric's scale
    error: Range | None = None  # allowed |score - human|, both on [0, 1]
    words: Range | None = None  # caption length
    human: Range | None = None  # allowed mean human score, [0, 1]
    phrase: str | None = None  # kind of phrase in the caption, one of PHRASE_KINDS
    code: str | None = None  # error code that at least one coder gave the sample, as "codebook/code"
    system: str | None = None  # the captioner
    own: OwnValue | None = None  # value in a column of the researcher's own table
    criterion: str | None = None  # the criterion whose mean rating `rating` filters
    rating: Range | None = None  # allowed mean rating for `criterion`, in points
    caption: str | None = None  # words or phrases separated by commas; the caption has at least one
    explanation: str | None = None  # words, separated by commas, in an explanation by `metric` (None: by any metric)
    lasso: Lasso | None = None  # the samples inside a line that was drawn in a plot

    def __post_init__(self) -> None:
        if not self.name.strip() or len(self.name) > LONGEST_NAME or not self.name.isprintable():
            raise BadSetting(f"A slice needs a name of 1 to {LONGEST_NAME} printable characters.")
        if (self.score or self.error) and self.metric is None:
            raise BadSetting(f"The slice {self.name} filters by score or error, so it also needs a metric.")
        if (self.rating is None) != (self.criterion is None):
            raise BadSetting(f"The slice {self.name} filters by rating, so it needs both a criterion and a rating.")
        if self.phrase is not None and self.phrase not in PHRASE_KINDS:
            raise BadSetting(f"The kind of phrase must be one of {', '.join(PHRASE_KINDS)}, found {self.phrase!r}")
        for words in (self.caption, self.explanation):
            if words is not None:
                check_words(words)

    @property
    def by_error(self) -> bool:
        """Return whether the slice selects samples by a score's distance from human judgement.

        In such a slice, the agreement of the score with people mainly reflects how the samples were chosen.
        """
        return self.error is not None or (self.lasso is not None and self.lasso.by_error)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The names of all columns that the slice's conditions use."""
        of_lasso = (self.lasso.x, self.lasso.y) if self.lasso else ()
        return tuple(one for one in (self.metric, *of_lasso) if one is not None)


def slice_json(chosen: Slice) -> dict[str, Any]:
    """Return a slice as plain values for JSON, without conditions that are not set."""
    return {name: value for name, value in asdict(chosen).items() if value is not None}


def slice_of(content: object) -> Slice:
    """Return the slice that parsed JSON contains. Raises BadSetting for any unknown or invalid field."""
    return shaped(Slice, content, BadSetting)
