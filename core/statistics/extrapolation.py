"""Estimate the tokens of many requests from a few measured requests.

Services count the tokens of a caption by its length. They count the tokens of a picture by a constant, by its area, or
by the tiles that cover it. The tokens are estimated as a sum of these four terms. Their factors, none of them negative,
are fitted to the measured requests (non-negative least squares).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

LONGEST_SIDE = 1024  # longest side in px to which Capscope reduces pictures before it sends them
SHORT_SIDE, TILE = 768, 512  # px; OpenAI's services reduce the shorter side to SHORT_SIDE and count tiles of side TILE
FREE = 2  # an estimate of the fit's error needs at least this many more measurements than fitted parameters


@dataclass(frozen=True, slots=True)
class RequestSize:
    """The sizes that determine a request's tokens."""

    characters: int  # length of caption and references
    width: int | None = None  # the picture's width in px; None: unknown
    height: int | None = None


@dataclass(frozen=True, slots=True)
class Extrapolated:
    """An estimated sum of tokens, with its likely relative error."""

    total: float
    margin: float | None  # relative error that 5 of 100 estimates exceed; None: too few measurements


def features(size: RequestSize) -> tuple[float, float, float, float]:
    """Return the four terms for a request: 1, hundreds of characters, megapixels and tiles.

    A picture of unknown size counts as a tiny picture.
    """
    width, height = size.width or 1, size.height or 1
    scale = min(1.0, LONGEST_SIDE / max(width, height))
    width, height = max(1, round(width * scale)), max(1, round(height * scale))
    shrink = min(1.0, SHORT_SIDE / min(width, height))
    tiles = ceil(round(width * shrink, 6) / TILE) * ceil(round(height * shrink, 6) / TILE)
    return 1.0, size.characters / 100, width * height / 1e6, float(tiles)


def spread(sizes: Sequence[RequestSize], count: int) -> list[int]:
    """Choose at most `count` requests that represent all sizes; return their indices.

    The chosen requests include small, medium and large pictures and captions.
    """
    order = sorted(range(len(sizes)), key=lambda place: (*reversed(features(sizes[place])), place))
    count = min(count, len(order))
    return sorted(order[(2 * number + 1) * len(order) // (2 * count)] for number in range(count))


def extrapolated(
    measured: Sequence[tuple[RequestSize, float]], wanted: Sequence[RequestSize], by_size: bool = True
) -> Extrapolated:
    """Estimate the tokens of all wanted requests together.

    measured: the size and tokens of each measured request. by_size: if False, each request is estimated by the mean
    number of tokens of the measured requests. Raises ValueError if nothing was measured.
    """
    if not measured:
        raise ValueError("nothing was measured")
    values = np.array([value for _, value in measured], dtype=np.float64)
    if by_size:
        from scipy.optimize import nnls  # imported late, because it takes as long as all other imports here together

        table = np.array([features(size) for size, _ in measured])
        scale = np.maximum(table.max(axis=0), 1e-12)
        found, _ = nnls(table / scale, values)
        each = np.array([features(size) for size in wanted]).reshape(-1, 4) / scale @ found
        off = values - table / scale @ found
    else:
        each, off = np.full(len(wanted), fmean(values)), values - fmean(values)
    return Extrapolated(float(each.sum()), _margin(off, 4 if by_size else 1, float(values.mean())))


def _margin(off: NDArray[np.float64], fitted: int, mean: float) -> float | None:
    """Return twice the standard error of the mean tokens per request.

    The result is a share of this mean. It is None if there are too few measured requests. off: the error of the fit for
    each measured request. fitted: the number of fitted parameters. mean: the mean tokens of the measured requests.
    """
    free = len(off) - fitted
    if free < FREE or mean <= 0:
        return None
    return 2 * sqrt(float((off**2).sum()) / free / len(off)) / mean
