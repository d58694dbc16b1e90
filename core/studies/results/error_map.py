"""Show where in pictures metrics' explanations are wrong, according to raters.

Each error with a position is spread over its area on a coarse grid.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.regions import masks
from core.studies.results.evidence_export import EvidenceRecord
from core.types import ImageRegion

CELLS = 10  # number of cells along each side of the map
Grid = npt.NDArray[np.float64]  # share in each cell of the map, shape [CELLS, CELLS], top row first; sum 1, or all 0


@dataclass(frozen=True, slots=True)
class ErrorMap:
    """Where the errors of one metric's explanations are, and where the regions are that raters could choose.

    Both are maps of the picture on a grid. Each cell of a map has its share of all errors, or of all regions.
    """

    metric: str
    n: int  # number of judgements "wrong" for which the rater gave a region or a box
    cells: tuple[tuple[float, ...], ...]  # share of errors per cell, [CELLS][CELLS], from the top left; sum 1
    regions: tuple[tuple[float, ...], ...]  # share of all regions per cell, [CELLS][CELLS]; all 0: there are no regions


def error_maps(
    records: Iterable[EvidenceRecord], regions: Callable[[int], tuple[ImageRegion, ...]]
) -> tuple[ErrorMap, ...]:
    """Return error maps of metrics whose explanations have errors with a position.

    regions: returns the regions of an item that raters could choose. Each error has weight 1, spread evenly over its
    region or box. For comparison, a second map shows all regions of the same pictures. In the second map, a picture
    with n errors has weight n. If both maps are equal, the errors are simply where the pictures have regions.
    """
    placed: dict[str, list[tuple[Grid, Grid]]] = defaultdict(list)
    drawn: dict[int, list[Grid]] = {}
    for record in records:
        if record.verdict != "wrong" or record.place not in ("region", "box"):
            continue
        if record.item not in drawn:
            drawn[record.item] = [of_region(region) for region in regions(record.item)]
        around = drawn[record.item]
        if record.box is not None:
            at = of_box(*map(float, record.box.split()))
        elif record.region is not None and record.region < len(around):
            at = around[record.region]
        else:
            continue
        placed[record.metric].append((at, np.mean(around, axis=0) if around else np.zeros((CELLS, CELLS))))
    return tuple(_map(metric, pairs) for metric, pairs in placed.items())


def of_region(region: ImageRegion) -> Grid:
    """Return which share of a region's pixels is in each cell of the grid. Raises BadMask."""
    mask = masks.decode(region.rle, region.size)
    rows, columns = np.nonzero(mask)
    height, width = region.size
    counts = np.zeros((CELLS, CELLS))
    np.add.at(counts, (rows * CELLS // height, columns * CELLS // width), 1.0)
    return counts / len(rows) if len(rows) else counts


def of_box(left: float, top: float, right: float, bottom: float) -> Grid:
    """Return which share of a box is in each cell of the grid.

    left, top, right, bottom: the box's sides, as shares of the picture's width and height.
    """
    across, down = _overlap(left, right), _overlap(top, bottom)
    overlaps = np.outer(down, across)
    shares: Grid = overlaps / overlaps.sum()
    return shares


def _overlap(start: float, end: float) -> Grid:
    edges = np.linspace(0, 1, CELLS + 1)
    overlap: Grid = np.clip(np.minimum(edges[1:], end) - np.maximum(edges[:-1], start), 0, None)
    return overlap


def _map(metric: str, pairs: list[tuple[Grid, Grid]]) -> ErrorMap:
    at, around = (np.mean([pair[side] for pair in pairs], axis=0) for side in (0, 1))
    return ErrorMap(metric, len(pairs), _plain(at), _plain(around))


def _plain(grid: Grid) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(round(float(cell), 6) for cell in row) for row in grid)
