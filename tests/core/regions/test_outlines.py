import numpy as np
from hypothesis import given
from hypothesis.extra import numpy as arrays

from core.regions import masks
from tests.svg_path import mask_of, svg_path

any_mask = arrays.arrays(np.bool_, arrays.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=14))


@given(any_mask)
def test_a_mask_survives_its_svg_path(mask: np.ndarray) -> None:
    path = svg_path(masks.encode(mask), mask.shape)
    assert (mask_of(path, mask.shape) == mask).all()


def test_the_empty_mask_is_the_empty_path() -> None:
    rle = masks.encode(np.zeros((4, 6), bool))
    assert svg_path(rle, (4, 6)) == ""
    assert masks.box(rle, (4, 6)) is None
