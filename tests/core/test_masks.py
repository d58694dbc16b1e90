import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from pycocotools import mask as coco

from core import masks
from core.errors import BadMask

any_mask = arrays.arrays(np.bool_, arrays.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=14))


def oracle(mask: np.ndarray) -> str:
    return str(coco.encode(np.asfortranarray(mask.astype(np.uint8)))["counts"], "ascii")


def inside_even_odd(path: str, x: float, y: float) -> bool:
    """Count the vertical edges that a ray from the point to the right crosses."""
    crossings, here_x, here_y = 0, 0, 0
    for command in path.replace("M", " M").replace("V", " V").replace("H", " H").replace("Z", " Z").split(" "):
        if command.startswith("M"):
            here_x = int(command[1:])
        elif command.startswith("H"):
            here_x = int(command[1:])
        elif command.startswith("V"):
            crossings += here_x > x and min(here_y, int(command[1:])) < y < max(here_y, int(command[1:]))
            here_y = int(command[1:])
        elif command not in ("Z", ""):
            here_y = int(command)
    return crossings % 2 == 1


@given(any_mask)
def test_encoding_is_what_pycocotools_writes(mask: np.ndarray) -> None:
    assert masks.encode(mask) == oracle(mask)


@given(any_mask)
def test_a_mask_survives_encoding(mask: np.ndarray) -> None:
    assert (masks.decode(masks.encode(mask), mask.shape) == mask).all()


@given(any_mask)
def test_a_mask_survives_its_svg_path(mask: np.ndarray) -> None:
    path = masks.svg_path(masks.encode(mask), mask.shape)
    assert (masks.from_svg_path(path, mask.shape) == mask).all()


@given(any_mask)
def test_every_pixel_centre_lies_inside_the_path_as_in_the_mask(mask: np.ndarray) -> None:
    path = masks.svg_path(oracle(mask), mask.shape)
    drawn = [[inside_even_odd(path, x + 0.5, y + 0.5) for x in range(mask.shape[1])] for y in range(mask.shape[0])]
    assert (np.array(drawn) == mask).all()


@given(any_mask)
def test_area_and_box_are_those_of_the_pixels(mask: np.ndarray) -> None:
    rle = oracle(mask)
    rows, columns = np.nonzero(mask)
    expected = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1) if rows.size else None
    assert masks.area(rle, mask.shape) == mask.sum()
    assert masks.box(rle, mask.shape) == expected


@given(any_mask, st.data())
def test_plain_counts_are_compressed_even_with_empty_runs_between(mask: np.ndarray, data: st.DataObject) -> None:
    counts = masks.run_lengths(oracle(mask), mask.shape).tolist()
    at = data.draw(st.integers(0, len(counts) - 1))
    part = data.draw(st.integers(0, counts[at]))
    assert masks.from_counts([*counts[:at], part, 0, counts[at] - part, *counts[at + 1 :]], mask.shape) == oracle(mask)


@settings(max_examples=10)
@given(
    arrays.arrays(
        np.bool_, st.tuples(st.integers(300, 400), st.integers(300, 400)), elements=st.booleans(), fill=st.just(False)
    )
)
def test_long_runs_are_read_as_pycocotools_reads_them(mask: np.ndarray) -> None:
    rle = oracle(mask)
    assert (masks.decode(rle, mask.shape) == coco.decode({"counts": rle, "size": mask.shape}).astype(bool)).all()


def test_a_square_is_one_loop_along_its_edges() -> None:
    mask = np.zeros((4, 5), bool)
    mask[1:3, 2:4] = True
    assert masks.svg_path(masks.encode(mask), mask.shape) == "M2 1V3H4V1H2Z"


def test_a_hole_is_a_second_loop() -> None:
    mask = np.ones((3, 3), bool)
    mask[1, 1] = False
    assert masks.svg_path(masks.encode(mask), mask.shape).count("M") == 2


def test_the_whole_picture_is_its_frame() -> None:
    assert masks.svg_path(masks.full((480, 640)), (480, 640)) == "M0 0V480H640V0H0Z"
    assert masks.decode(masks.full((480, 640)), (480, 640)).all()


def test_the_empty_mask_is_the_empty_path() -> None:
    rle = masks.encode(np.zeros((4, 6), bool))
    assert masks.svg_path(rle, (4, 6)) == ""
    assert masks.box(rle, (4, 6)) is None


def test_polygons_are_drawn_as_pycocotools_draws_them() -> None:
    polygons = [[1.2, 1.0, 8.5, 1.5, 8.0, 7.25], [10, 10, 14, 10, 14, 14, 10, 14]]
    expected = coco.merge(coco.frPyObjects(polygons, 20, 30))["counts"].decode()
    assert masks.from_polygons(polygons, (20, 30)) == expected


@pytest.mark.parametrize(
    "polygons",
    [[], [[1, 2, 3, 4]], [[1, 2, 3, 4, 5, 6, 7]], [[0, 0, 1e9, 0, 0, 1e9]], [[0, 0, float("nan"), 1, 2, 2]]],
)
def test_a_polygon_that_is_none_is_named(polygons: list[list[float]]) -> None:
    with pytest.raises(BadMask):
        masks.from_polygons(polygons, (20, 30))


@pytest.mark.parametrize("rle", ["", "5:", "zzzzzzzz", "P", "é", "\x01", "0P1", "PPPPPPPPPPPPPPPPPPP1", "5N"])
def test_counts_that_do_not_fill_the_picture_are_refused(rle: str) -> None:
    with pytest.raises(BadMask):
        masks.decode(rle, (1080, 1920))


@pytest.mark.parametrize("counts", [[], [-1, 5], [2, 1]])
def test_plain_counts_that_do_not_fill_the_picture_are_refused(counts: list[int]) -> None:
    with pytest.raises(BadMask):
        masks.from_counts(counts, (2, 2))


@pytest.mark.parametrize("path", ["L1 2", "M0 0V9H1Z", "M0 0V1H9Z"])
def test_a_path_of_another_kind_or_size_is_refused(path: str) -> None:
    with pytest.raises(BadMask):
        masks.from_svg_path(path, (4, 4))
