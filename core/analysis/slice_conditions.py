"""Slice conditions with several values: ranges, differences of two scores, lassos."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

import numpy as np

from core.analysis.column_names import part_name
from core.analysis.score_table import Mask
from core.arrays import Floats
from core.errors import BadSetting
from core.types import RAW, ErrorScale, Parted

MOST_CORNERS = 500  # maximum corners of a lasso; the page draws fewer
TOLERANCE = 0.25  # smaller errors count as right; Polos' authors use this limit (Appendix C)
LARGEST_NUMBER = 1e15  # largest number in a condition; larger numbers would lose digits


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from `low` (included) to `high` (excluded); None leaves a side open."""

    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise BadSetting(f"The low end of a range must be below its high end, found {self.low} to {self.high}")

    def holds(self, values: Floats) -> Mask:
        """Return which values lie in the range. NaN never does."""
        low = -np.inf if self.low is None else self.low
        high = np.inf if self.high is None else self.high
        is_known = ~np.isnan(values)
        return np.asarray(is_known & (values >= low) & ((values < high) | np.isinf(high)))


@dataclass(frozen=True, slots=True)
class Parting:
    """Condition: two scores differ by an amount, or only one of them is right."""

    first: str  # name of a column, see core.analysis.column_names
    second: str
    by: Parted = "scores"
    gap: Range = field(default_factory=Range)  # allowed difference, see core.statistics.disagreements
    errors: ErrorScale = "plain"  # scale of the errors, if the condition asks which score is right
    tolerance: float = TOLERANCE  # errors below it count as right

    def __post_init__(self) -> None:
        if self.first == self.second:
            raise BadSetting("Choose two different scores. The same score was chosen twice.")
        if not 0 < self.tolerance < 1:
            raise BadSetting(f"The tolerance must be between 0 and 1, found {self.tolerance}")

    @property
    def by_error(self) -> bool:
        """Return whether the condition depends on a score's distance from human judgement."""
        return self.by in ("first right", "second right")


@dataclass(frozen=True, slots=True)
class Lasso:
    """Condition: the sample lies inside a closed line that a user drew in a plot."""

    x: str | None  # name of the column on the x axis, on its own scale; None: human judgement, [0, 1]
    y: str | None  # name of the column on the y axis, as for `x`
    corners: tuple[tuple[float, float], ...]  # (x, y) points of the line; the last is joined to the first

    def __post_init__(self) -> None:
        if not 3 <= len(self.corners) <= MOST_CORNERS:
            raise BadSetting(f"A lasso must have 3 to {MOST_CORNERS} corners, found {len(self.corners)}")

    @property
    def by_error(self) -> bool:
        """Return whether the condition depends on both a score and human judgement."""
        return (self.x is None) != (self.y is None)

    def holds(self, across: Floats, up: Floats) -> Mask:
        """Return which samples lie inside the line. Samples with a NaN never do.

        Counts how often a ray to the right crosses the line.
        """
        inside = np.zeros(len(across), dtype=bool)
        ends: Sequence[tuple[float, float]] = (self.corners[-1], *self.corners[:-1])
        for (x1, y1), (x2, y2) in zip(ends, self.corners, strict=True):
            if y1 != y2:
                crossed = ((y1 > up) != (y2 > up)) & (across < (x2 - x1) * (up - y1) / (y2 - y1) + x1)
                inside ^= crossed
        return inside & np.isfinite(across) & np.isfinite(up)


def range_of(name: str, value: object) -> Range:
    """Return the range in parsed JSON. Raises BadSetting."""
    ends = _fields(name, value, (), ("low", "high"))
    return Range(**{end: number_of(name, number) for end, number in ends.items() if number is not None})


def parting_of(value: object) -> Parting:
    """Return the difference condition in parsed JSON. Raises BadSetting."""
    known = _fields("parting", value, ("first", "second"), ("by", "gap", "errors", "tolerance"))
    return Parting(
        _column("first", known["first"]),
        _column("second", known["second"]),
        _one_of("by", known.get("by", "scores"), get_args(Parted)),
        range_of("gap", known.get("gap", {})),
        _one_of("errors", known.get("errors", "plain"), get_args(ErrorScale)),
        number_of("tolerance", known.get("tolerance", TOLERANCE)),
    )


def lasso_of(value: object) -> Lasso:
    """Return the lasso in parsed JSON. Raises BadSetting."""
    known = _fields("lasso", value, ("x", "y", "corners"), ())
    corners = known["corners"]
    if not isinstance(corners, list | tuple) or not all(isinstance(c, list | tuple) and len(c) == 2 for c in corners):
        raise BadSetting("Each corner of a lasso must be a list of two numbers.")
    x, y = (None if known[axis] is None else _column(axis, known[axis]) for axis in ("x", "y"))
    return Lasso(x, y, tuple((number_of("corners", a), number_of("corners", b)) for a, b in corners))


def _column(name: str, value: object) -> str:
    """Return the name of a column in parsed JSON.

    Slices of older versions have an object with a metric and a flag instead of a name.
    """
    if isinstance(value, str):
        return value
    known = _fields(name, value, ("metric",), ("raw",))
    if not isinstance(known["metric"], str) or not isinstance(known.get("raw", False), bool):
        raise BadSetting(f"{name} must be the name of a column, found {value!r}")
    return part_name(known["metric"], RAW) if known.get("raw") else known["metric"]


def _fields(name: str, value: object, needed: Sequence[str], allowed: Sequence[str]) -> dict[str, Any]:
    if not isinstance(value, dict) or not {*needed} <= value.keys() <= {*needed, *allowed}:
        raise BadSetting(f"expected {name} as {' and '.join((*needed, *allowed))}, found {value!r:.200}")
    return value


def _one_of(name: str, value: object, allowed: Sequence[str]) -> Any:
    if value not in allowed:
        raise BadSetting(f"{name} must be one of {', '.join(allowed)}, found {value!r:.40}")
    return value


def number_of(name: str, value: object) -> float:
    """Return a finite number from parsed JSON. Raises BadSetting."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST_NUMBER:
        raise BadSetting(f"expected {name} as a number, found {value!r:.40}")
    return float(value)
