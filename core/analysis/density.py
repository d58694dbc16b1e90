"""Plots of many samples: counts in the cells of a grid, and the samples near a position."""

from dataclasses import dataclass

import numpy as np

from core.analysis.slice_conditions import LARGEST_NUMBER
from core.arrays import Floats, Ints
from core.errors import BadSetting

BINS = 60  # number of the plot's cells along each axis
FEW_LEVELS = 128  # up to this many distinct values, each gets its own cell; in 60 cells, 101 values would show stripes
_LOOKED_AT = 1_000  # number of values in a first, quick check for more than FEW_LEVELS distinct values
HERE = 100  # maximum number of samples returned for one position in the plot
_NARROWEST = 1e-100  # smallest width of an axis; if it is narrower, squared distances may be too small for a float
_NARROWEST_PART = 1e-12  # minimum of an axis's width / largest absolute value; below it, rounding makes cells equal

Ends = tuple[float, float]  # lowest and highest value on an axis


def check_ends(ends: Ends) -> None:
    """Raise BadSetting if the range of an axis is too narrow or too large for a grid."""
    low, high = ends
    largest = max(abs(low), abs(high))
    if not largest <= LARGEST_NUMBER:
        raise BadSetting(
            f"The ends of a plot's axis must be numbers from -{LARGEST_NUMBER:g} to {LARGEST_NUMBER:g}, found {ends}"
        )
    if not high - low >= max(_NARROWEST, _NARROWEST_PART * largest):
        raise BadSetting(f"The range of a plot's axis is too narrow: {low} to {high}. Choose a wider range.")


def check_place(place: tuple[float, float], across: Ends, up: Ends) -> None:
    """Raise BadSetting if a position is too far outside the shown area of a plot."""
    for at, (low, high) in zip(place, (across, up), strict=True):
        if not low - (high - low) <= at <= high + (high - low):
            raise BadSetting(f"The position on a plot's axis must be from {low:g} to {high:g}, found {at:g}")


@dataclass(frozen=True, slots=True, eq=False)
class Density:
    """Number of samples in each grid cell of a plot's shown area."""

    across: Floats  # (columns,) middles of the cells, rising
    up: Floats  # (rows,)
    counts: Ints  # (rows, columns)
    shown: Ints  # indices of the shown samples among all samples


def density(xs: Floats, ys: Floats, across: Ends, up: Ends) -> Density:
    """Count the samples in each grid cell of a plot's shown area, edges included.

    xs, ys: (samples,), NaN: unknown. across, up: the ranges of the axes. An axis with few distinct values gets one cell
    for each value. Other axes get 60 equal cells.
    """
    shown = np.flatnonzero((xs >= across[0]) & (xs <= across[1]) & (ys >= up[0]) & (ys <= up[1]))
    column, columns = _cells(xs[shown], across)
    row, rows = _cells(ys[shown], up)
    counts = np.bincount(row * len(columns) + column, minlength=len(rows) * len(columns))
    return Density(columns, rows, counts.reshape(len(rows), len(columns)), shown)


def _cells(values: Floats, ends: Ends) -> tuple[Ints, Floats]:
    """Return each value's cell number on one axis, and the middles of the cells."""
    levels = _levels(values)
    if levels is not None:
        return np.searchsorted(levels, values), levels
    low, high = ends
    cell = np.clip(np.floor(BINS * (values - low) / (high - low)), 0, BINS - 1).astype(np.int64)
    return cell, low + (np.arange(BINS) + 0.5) * (high - low) / BINS


def _levels(values: Floats) -> Floats | None:
    """Return the distinct values in rising order.

    Returns None if there is only one distinct value, or if there are more than FEW_LEVELS.
    """
    if len(np.unique(values[:_LOOKED_AT])) > FEW_LEVELS:
        return None
    levels = np.unique(values)
    return levels if 1 < len(levels) <= FEW_LEVELS else None


def around(xs: Floats, ys: Floats, place: tuple[float, float], across: Ends, up: Ends) -> Ints:
    """Return the indices of the samples near a plot position, nearest first.

    Distances are measured in grid cells: horizontally in cell widths, vertically in cell heights. A sample is near if
    its distance is at most one cell. If there is no such sample, the nearest sample is returned. xs, ys: (samples,),
    NaN: unknown. across, up: the ranges of the axes. At most `HERE` samples are returned. The result is empty only if
    no sample has both an x and a y value.
    """
    wide, high = (across[1] - across[0]) / BINS, (up[1] - up[0]) / BINS
    far = ((xs - place[0]) / wide) ** 2 + ((ys - place[1]) / high) ** 2
    known = np.flatnonzero(np.isfinite(far))
    if not len(known):
        return known
    far = far[known]
    near = np.flatnonzero(far <= max(1.0, far.min()))
    if far.min() > 1:
        near = near[:1]
    return known[near[np.argsort(far[near], kind="stable")]][:HERE]


QUANTILES = 1_000  # quantiles divide a group's sorted scores into at most this many parts with equally many scores


def quantiles(values: Floats) -> Floats:
    """Return sorted scores that represent the distribution of all finite scores.

    values: (samples,), NaN: unknown. If more than QUANTILES + 1 values are finite, returns their quantiles in steps of
    0.001. Otherwise returns all finite values. Every returned score is one of `values`. Returns an empty array if no
    value is finite.
    """
    finite = np.sort(values[np.isfinite(values)])
    if not len(finite):
        return finite
    return finite[np.round(np.linspace(0, len(finite) - 1, min(len(finite), QUANTILES + 1))).astype(np.int64)]
