"""Where on the picture errors sit: each wrong judgement with a place spread over a coarse grid of the picture."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.regions import masks
from core.studies.results.evidence_export import EvidenceRecord
from core.types import ImageRegion

CELLS = 10  # a side
Grid = npt.NDArray[np.float64]  # [CELLS, CELLS], rows from the top; sums to 1, or all 0


@dataclass(frozen=True, slots=True)
class ErrorMap:
    """Where one metric's errors sit, as shares of them, and how the regions that could be chosen lie."""

    metric: str
    n: int  # wrong judgements with a region or a box
    cells: tuple[tuple[float, ...], ...]  # CELLS rows from the top, each from the left; all sum to 1
    regions: tuple[tuple[float, ...], ...]  # likewise of the regions of the same pictures; all 0 without any


def error_maps(
    records: Iterable[EvidenceRecord], regions: Callable[[int], tuple[ImageRegion, ...]]
) -> tuple[ErrorMap, ...]:
    """Return a map for each metric with a placed error; regions: those of an item that raters could choose.

    An error counts 1, spread evenly over its place. Beside it lie the regions of the same pictures, a picture counting
    as often as errors were placed on it: errors sit where the things are unless the two maps differ.
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
    """Return how a region's pixels are spread over the grid. Raises BadMask."""
    mask = masks.decode(region.rle, region.size)
    rows, columns = np.nonzero(mask)
    height, width = region.size
    found = np.zeros((CELLS, CELLS))
    np.add.at(found, (rows * CELLS // height, columns * CELLS // width), 1.0)
    return found / len(rows) if len(rows) else found


def of_box(left: float, top: float, right: float, bottom: float) -> Grid:
    """Return how a box is spread over the grid; its sides are shares of the picture."""
    across, down = _overlap(left, right), _overlap(top, bottom)
    found = np.outer(down, across)
    shares: Grid = found / found.sum()
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
