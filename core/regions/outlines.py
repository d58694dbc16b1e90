"""Outlines of masks along the edges of their pixels, and how they are drawn: smooth lines and their thickness.

An outline has a corner wherever the mask's second difference ∂x∂y is not 0. The corners are joined by edges in two
steps. For the vertical edges, the corners are sorted down the columns and numbered from 1. An edge joins corners 1 and
2, another joins corners 3 and 4, and so on. For the horizontal edges, the same is done with corners sorted along the
rows. These edges form closed loops. Holes are loops too, so paths need the even-odd fill rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import hypot

import numpy as np

from core.regions import masks
from core.regions.masks import Size

STEP = 1.0  # px; a corner at most this far from a straight line is left out
SHARE = 0.25  # a left-out corner is at most this far from the straight line; share of the region's thickness

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Shape:
    """A region as it is drawn."""

    path: str  # SVG path in px, with the even-odd fill rule; straight lines replace the steps of pixels
    thickness: float  # px: twice the area, divided by the length of the outline


@lru_cache(maxsize=4096)  # cached, because a page draws the same masks again after each edit of its caption
def shape(rle: str, size: Size) -> Shape:
    """Return how to draw a mask. Lines of thin regions stay exact. Raises BadMask."""
    loops = outlines(rle, size)
    edges = (edge for loop in loops for edge in pairwise([*loop, loop[0]]))
    length = sum(abs(x1 - x0) + abs(y1 - y0) for (x0, y0), (x1, y1) in edges)
    thickness = 2 * masks.area(rle, size) / length if length else 0.0
    path = "".join(_written(_simplified(loop, min(STEP, SHARE * thickness))) for loop in loops)
    return Shape(path, round(thickness, 2))


def outlines(rle: str, size: Size) -> list[list[Point]]:
    """Return the loops of a mask's outline as corners (x, y). Raises BadMask.

    A corner at which two pixels of the mask touch only diagonally occurs twice.
    """
    columns = np.pad(masks.decode(rle, size).T.astype(np.int8), 1)
    second = np.diff(np.diff(columns, axis=0), axis=1)  # [width + 1, height + 1]
    places = np.repeat(np.argwhere(second), np.abs(second[second != 0]), axis=0)  # sorted by x, then by y
    along_rows = np.lexsort((places[:, 0], places[:, 1]))
    across = np.empty_like(along_rows)
    across[along_rows] = along_rows[np.arange(along_rows.size) ^ 1]
    corners, neighbour, left, loops = places.tolist(), across.tolist(), set(range(len(places))), []
    for start in range(len(corners)):
        here, loop = start, []
        while here in left:
            below = here ^ 1  # sorted by column, so corners 0 and 1, 2 and 3 ... are the ends of one vertical edge
            left -= {here, below}
            loop += [tuple(corners[here]), tuple(corners[below])]
            here = neighbour[below]
        if loop:
            loops.append(loop)
    return loops


def pieces(rle: str, size: Size) -> int:
    """Return the number of separate pieces of a mask, without counting holes. Raises BadMask."""
    closed = ([*loop, loop[0]] for loop in outlines(rle, size))
    areas = [sum(x * (b - a) for (x, a), (_, b) in pairwise(loop)) for loop in closed]
    outer = max(areas, key=abs, default=0)
    return sum(area * outer > 0 for area in areas)


def _simplified(loop: Sequence[Point], most: float) -> list[Point]:
    """Leave out corners that are near straight lines. The outermost corners stay, so that rectangles stay so."""
    kept = {
        at
        for axis in (0, 1)
        for edge in (min(point[axis] for point in loop), max(point[axis] for point in loop))
        for at, point in enumerate(loop)
        if point[axis] == edge
    }
    fixed = sorted(kept)
    round_trip = [*loop, *loop[: fixed[0] + 1]]  # closes the loop at its first outermost corner
    ranges = list(pairwise([*fixed, len(loop) + fixed[0]]))
    while ranges:
        start, end = ranges.pop()
        (x0, y0), (x1, y1) = round_trip[start], round_trip[end]
        across, down, farthest, distance = x1 - x0, y1 - y0, start, most
        length = hypot(across, down)
        for at in range(start + 1, end):
            x, y = round_trip[at]
            away = abs(across * (y0 - y) - (x0 - x) * down) / length if length else hypot(x - x0, y - y0)
            if away > distance:
                farthest, distance = at, away
        if farthest != start:
            kept.add(farthest % len(loop))
            ranges += [(start, farthest), (farthest, end)]
    return [loop[at] for at in sorted(kept)]


def _written(corners: Sequence[Point]) -> str:
    steps = ((x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise([*corners, corners[0]]))
    lines = (f"l{right} {down}" if right and down else f"h{right}" if right else f"v{down}" for right, down in steps)
    return f"M{corners[0][0]} {corners[0][1]}{''.join(lines)}Z"
