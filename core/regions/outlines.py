"""Outlines of masks along the edges of their pixels, as points.

An outline has a corner wherever the mask's second difference ∂x∂y is not 0. The corners are joined by edges in two
steps. For the vertical edges, the corners are sorted down the columns and numbered from 1. An edge joins corners 1 and
2, another joins corners 3 and 4, and so on. For the horizontal edges, the same is done with corners sorted along the
rows. These edges form closed loops. Holes are loops too, so paths need the even-odd fill rule.
"""

import itertools
from collections.abc import Iterator

import numpy as np

from core.regions.masks import Ints, Size, column_edges


def outlines(rle: str, size: Size) -> list[list[tuple[int, int]]]:
    """Return the loops of a mask's outline as corners (x, y). Raises BadMask.

    Each loop ends with its first corner.
    """
    loops = []
    for x, y, walk in _loops(rle, size):
        points = [(x, y)]
        for below, across in zip(walk[::2], walk[1::2], strict=True):
            points += [(points[-1][0], below), (across, below)]
        loops.append(points)
    return loops


def pieces(rle: str, size: Size) -> int:
    """Return the number of separate pieces of a mask, without counting holes. Raises BadMask."""
    areas = [sum(x * (b - a) for (x, a), (_, b) in itertools.pairwise(loop)) for loop in outlines(rle, size)]
    outer = max(areas, key=abs, default=0)
    return sum(area * outer > 0 for area in areas)


def _loops(rle: str, size: Size) -> Iterator[tuple[int, int, list[int]]]:
    """Yield each loop: the x and y of its first corner, then a list of its other corners.

    The list has y, x, y, x ..., because along each edge only one coordinate changes. The first edge is vertical.
    """
    corners_x, corners_y = _corners(rle, size)
    along_rows = np.argsort(corners_y * (size[1] + 1) + corners_x, kind="stable")
    neighbour = np.empty_like(along_rows)
    neighbour[along_rows] = along_rows[np.arange(along_rows.size) ^ 1]
    x, y, across = corners_x.tolist(), corners_y.tolist(), neighbour.tolist()
    seen = bytearray(len(x))
    start = seen.find(0)
    while start >= 0:
        walk: list[int] = []
        here = start
        while not seen[here]:
            below = here ^ 1  # sorted by column, so corners 0 and 1, 2 and 3 ... are the ends of one vertical edge
            seen[here] = seen[below] = 1
            here = across[below]
            walk += y[below], x[here]
        yield x[start], y[start], walk
        start = seen.find(0, start)


def _corners(rle: str, size: Size) -> tuple[Ints, Ints]:
    """Return the x and y of the outline's corners, sorted by x, then by y.

    A corner at which two pixels of the mask touch only diagonally occurs twice.
    """
    column, row, sign = column_edges(rle, size)
    if not column.size:
        return column, row
    place = np.concatenate((column, column + 1)) * (size[0] + 1) + np.concatenate((row, row))
    signed = np.sort(place * 4 + np.concatenate((sign, -sign)) + 1)  # one number for a corner's place and its +1 or -1
    place = signed >> 2
    firsts = np.flatnonzero(np.diff(place, prepend=-1))
    second_difference = np.add.reduceat((signed & 3) - 1, firsts)
    corners = np.repeat(place[firsts], np.abs(second_difference))
    x, y = np.divmod(corners, size[0] + 1)
    return x, y
