"""Masks: convert bool arrays to COCO's compressed run-length encoding and back.

A mask is stored as the "counts" string of COCO's run-length encoding, with its size
(height, width) in px. A run is a number of equal pixels, one below the other. COCO counts runs down each column,
beginning with the background.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from core.errors import BadMask

Mask = npt.NDArray[np.bool_]  # [height, width]; True inside the region
Ints = npt.NDArray[np.int64]
Size = tuple[int, int]  # (height, width) in px
Box = tuple[int, int, int, int]  # x0, y0, x1, y1 in px; x1 and y1 exclusive


def encode(mask: Mask) -> str:
    """Return a bool mask [height, width] as COCO's compressed run-length encoding."""
    from pycocotools import mask as coco

    return str(coco.encode(np.asfortranarray(mask, np.uint8))["counts"], "ascii")


def decode(rle: str, size: Size) -> Mask:
    """Return the bool mask [height, width] that a run-length encoding describes.

    rle: COCO's compressed run-length encoding. Raises BadMask if the run lengths do not add up to the size.
    """
    counts = run_lengths(rle, size)
    inside = np.arange(counts.size) % 2 == 1
    mask: Mask = np.repeat(inside, counts).reshape(size[1], size[0]).T
    return mask


@lru_cache(maxsize=256)
def full(size: Size) -> str:
    """Return the compressed run-length encoding of a mask of the whole picture."""
    return encode(np.ones(size, np.bool_))


@lru_cache(maxsize=16_384)
def area(rle: str, size: Size) -> int:
    """Return the number of px inside the mask. Raises BadMask."""
    return int(run_lengths(rle, size)[1::2].sum())


@lru_cache(maxsize=16_384)
def box(rle: str, size: Size) -> Box | None:
    """Return the smallest box around a mask; None if the mask is empty. Raises BadMask."""
    mask = decode(rle, size)
    x, y = (np.flatnonzero(mask.any(axis=axis)) for axis in (0, 1))
    return (int(x[0]), int(y[0]), int(x[-1]) + 1, int(y[-1]) + 1) if x.size else None


def from_counts(counts: Sequence[int], size: Size) -> str:
    """Return plain run lengths as COCO's compressed run-length encoding.

    COCO stores the masks of crowds as plain run lengths. Raises BadMask if the run lengths do not add up to the size.
    """
    lengths = np.asarray(counts, np.int64)
    _check(lengths, size)
    return encode(np.repeat(np.arange(lengths.size) % 2 == 1, lengths).reshape(size[1], size[0]).T)


def from_polygons(polygons: Sequence[Sequence[float]], size: Size) -> str:
    """Return the area of polygons as COCO's compressed run-length encoding.

    A pixel belongs to the area if it is in at least one polygon, drawn as in COCO. A polygon is [x0, y0, x1, y1, ...]
    in px. Raises BadMask if a polygon has fewer than three points. A point may be outside the picture by at most the
    picture's size. If a point is farther away, BadMask is raised.
    """
    from pycocotools import mask as coco

    height, width = size
    for polygon in polygons:
        points = np.asarray(polygon, np.float64)
        if points.size < 6 or points.size % 2:
            raise BadMask("a polygon of at least three x, y points", f"{points.size} numbers")
        if not (np.abs(points.reshape(-1, 2) - (width / 2, height / 2)) <= (1.5 * width, 1.5 * height)).all():
            raise BadMask(
                f"polygon points in or near a picture of {width}×{height} px",
                "points far outside the picture, or not numbers",
            )
    if not polygons:
        raise BadMask("at least one polygon", "none")
    merged = coco.merge(coco.frPyObjects([list(map(float, polygon)) for polygon in polygons], height, width))
    return str(merged["counts"], "ascii")


def run_lengths(rle: str, size: Size) -> Ints:
    """Return the lengths of a mask's runs (equal pixels in a row).

    Runs go down the columns, and the first is a run of background. rle: the encoded numbers as text. Each character
    stands for five bits of a number, lowest bits first, beginning with the character "0" for 0. If the character's
    sixth bit is 1, the number continues in the next character. The first three numbers are run lengths. Each later
    number is the difference from the run length two positions before. Raises BadMask if the runs do not add up to the
    size.
    """
    try:
        groups = np.frombuffer(rle.encode("ascii"), np.uint8) - np.uint8(48)  # "/" wraps around to 255: refused below
    except UnicodeEncodeError:
        raise BadMask("run-length encoding in ASCII", rle[:40]) from None
    ends = np.flatnonzero(groups & 32 == 0)
    if not ends.size or groups.max() > 63 or ends[-1] != groups.size - 1:
        raise BadMask("compressed run-length encoding", rle[:40])
    starts = np.concatenate(([0], ends[:-1] + 1))
    if (ends - starts).max() > 6:
        raise BadMask("run lengths of at most 32 bits", rle[:40])
    place = 5 * (np.arange(groups.size) - np.repeat(starts, ends - starts + 1))
    values: Ints = np.add.reduceat((groups & 31).astype(np.int64) << place, starts)
    values -= np.where(groups[ends] & 16, 1 << (place[ends] + 5), 0)
    values[1::2] = np.cumsum(values[1::2])
    values[2::2] = np.cumsum(values[2::2])
    _check(values, size)
    return values


def _check(lengths: Ints, size: Size) -> None:
    if lengths.size == 0 or lengths.min() < 0 or lengths.sum() != size[0] * size[1]:
        raise BadMask(
            f"run lengths that fill {size[1]}×{size[0]} px", f"{lengths.size} run lengths that fill {lengths.sum()} px"
        )
