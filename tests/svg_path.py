"""SVG paths of outlines read back as masks."""

import re
from itertools import pairwise

import numpy as np

from core.regions import outlines
from core.regions.masks import Mask, Size

_COMMAND = re.compile(r"M(\d+) (\d+)|v(-?\d+)|h(-?\d+)")


def mask_of(path: str, size: Size) -> Mask:
    """Return the bool mask [height, width] of a path of straight lines."""
    corners = np.zeros((size[0] + 1, size[1] + 1), np.int64)
    x = y = 0
    for move_x, move_y, vertical, horizontal in _COMMAND.findall(path):
        x, y = int(move_x or x + int(horizontal or 0)), int(move_y or y + int(vertical or 0))
        corners[y, x] ^= bool(vertical or horizontal)
    mask: Mask = corners.cumsum(axis=0).cumsum(axis=1)[:-1, :-1] % 2 == 1
    return mask


def svg_path(rle: str, size: Size) -> str:
    """Return the exact outline of a mask as a path."""
    loops = ((loop[0], pairwise([*loop, loop[0]])) for loop in outlines.outlines(rle, size))
    return "".join(
        f"M{x} {y}{''.join(f'v{y1 - y0}' if x0 == x1 else f'h{x1 - x0}' for (x0, y0), (x1, y1) in steps)}Z"
        for (x, y), steps in loops
    )
