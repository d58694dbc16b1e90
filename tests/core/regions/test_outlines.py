import gzip
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis.extra import numpy as arrays

from core.regions import masks, outlines
from tests.svg_path import mask_of, svg_path

any_mask = arrays.arrays(np.bool_, arrays.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=14))


@given(any_mask)
def test_a_mask_survives_its_svg_path(mask: np.ndarray) -> None:
    path = svg_path(masks.encode(mask), mask.shape)
    assert (mask_of(path, mask.shape) == mask).all()


def test_a_square_is_one_loop_along_its_edges() -> None:
    mask = np.zeros((4, 5), bool)
    mask[1:3, 2:4] = True
    assert svg_path(masks.encode(mask), mask.shape) == "M2 1v2h2v-2h-2Z"


def test_the_path_of_a_round_mask_compresses_to_little() -> None:
    y, x = np.ogrid[:600, :600]
    path = svg_path(masks.encode((y - 300) ** 2 + (x - 300) ** 2 < 290**2), (600, 600))
    assert len(gzip.compress(path.encode())) < 800  # 2,429 with places in the stead of lengths


def test_a_hole_is_a_second_loop() -> None:
    mask = np.ones((3, 3), bool)
    mask[1, 1] = False
    assert svg_path(masks.encode(mask), mask.shape).count("M") == 2


def test_the_whole_picture_is_its_frame() -> None:
    assert svg_path(masks.full((480, 640)), (480, 640)) == "M0 0v480h640v-480h-640Z"
    assert masks.decode(masks.full((480, 640)), (480, 640)).all()


def test_the_empty_mask_is_the_empty_path() -> None:
    rle = masks.encode(np.zeros((4, 6), bool))
    assert svg_path(rle, (4, 6)) == ""
    assert masks.box(rle, (4, 6)) is None


@given(any_mask)
def test_outlines_are_the_same_loops_as_points(mask: np.ndarray) -> None:
    rle = masks.encode(mask)
    loops = outlines.outlines(rle, mask.shape)
    assert all(loop[0] == loop[-1] for loop in loops)
    assert all((a[0] == b[0]) != (a[1] == b[1]) for loop in loops for a, b in zip(loop, loop[1:], strict=False))
    written = "".join(
        f"M{loop[0][0]} {loop[0][1]}"
        + "".join(f"v{y - b}" if x == a else f"h{x - a}" for (a, b), (x, y) in pairwise(loop))
        + "Z"
        for loop in loops
    )
    assert written == svg_path(rle, mask.shape)
