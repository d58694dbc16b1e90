import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from pycocotools import mask as coco

from core.errors import BadMask
from core.regions import masks

any_mask = arrays.arrays(np.bool_, arrays.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=14))


def oracle(mask: np.ndarray) -> str:
    return str(coco.encode(np.asfortranarray(mask.astype(np.uint8)))["counts"], "ascii")


@given(any_mask)
def test_a_mask_survives_encoding(mask: np.ndarray) -> None:
    assert (masks.decode(masks.encode(mask), mask.shape) == mask).all()


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
