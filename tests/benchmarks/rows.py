"""What every benchmark returns: rows of one table, ours beside something else or beside a limit."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


class NotHere(Exception):
    """A benchmark needs something that this machine does not have; says what."""


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement. Limits are what is aimed at; a row without one is for information."""

    what: str
    ours: float | None  # None: not run, the note says why
    unit: str  # of ours, theirs and most: "ms", "s", "rows/s" ...
    theirs: float | None = None
    other: str = ""  # what theirs is of
    most: float | None = None  # ours is to be at most this
    most_ratio: float | None = None  # ours is to be at most this many times theirs
    holds: bool = True  # whether what must hold at any speed does: same result, nothing lost
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times theirs ours is; None without another."""
        return None if self.theirs is None or self.ours is None else self.ours / self.theirs

    @property
    def limits(self) -> tuple[str, ...]:
        """What is asked for, in words."""
        asked = (("≤", self.most, self.unit), ("≤", self.most_ratio, "×"))
        return tuple(f"{sign} {figure(limit)} {unit}" for sign, limit, unit in asked if limit is not None)

    @property
    def met(self) -> bool | None:
        """Whether every limit is kept; None where none is set."""
        if not self.limits or self.ours is None:
            return None if self.holds else False
        checks = (
            self.most is None or self.ours <= self.most,
            self.most_ratio is None or (self.ratio is not None and self.ratio <= self.most_ratio),
        )
        return self.holds and all(checks)


def figure(value: float) -> str:
    """Return a number with about three digits that matter."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def percentile(values: Sequence[float], percent: float) -> float:
    """Return a percentile of some measurements, in their unit."""
    return float(np.percentile(values, percent))
