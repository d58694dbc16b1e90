"""How regions are drawn: smooth outlines and their thickness."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import hypot

from core.regions import masks, outlines
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
    loops = outlines.outlines(rle, size)
    length = sum(abs(x1 - x0) + abs(y1 - y0) for loop in loops for (x0, y0), (x1, y1) in pairwise(loop))
    thickness = 2 * masks.area(rle, size) / length if length else 0.0
    path = "".join(_written(_simplified(loop[:-1], min(STEP, SHARE * thickness))) for loop in loops)
    return Shape(path, round(thickness, 2))


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
