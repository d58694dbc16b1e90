import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as arrays

from core.captions.judging.kinds import wholes
from core.regions import masks, outlines
from tests.svg_path import mask_of, svg_path

SIZE = (120, 200)
any_mask = arrays.arrays(np.bool_, arrays.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=14))


def box(x0: int, y0: int, x1: int, y1: int, hole: int = 0) -> str:
    mask = np.zeros(SIZE, bool)
    mask[y0:y1, x0:x1] = True
    if hole:
        mask[y0 + hole : y1 - hole, x0 + hole : x1 - hole] = False
    return masks.encode(mask)


def parts(*named: tuple[str | None, str]) -> list[tuple[int, ...]]:
    return list(wholes(tuple((rle, SIZE, label) for label, rle in named)))


LARGE, INNER = box(0, 0, 100, 100), box(20, 20, 60, 60)


def test_a_region_is_a_part_by_its_area_holes_apart() -> None:
    beside = box(95, 0, 195, 90)
    named = (None, LARGE), (None, INNER), (None, beside)
    assert wholes((*((rle, SIZE, label) for label, rle in named), None)) == ((), (0,), (), ())
    assert parts((None, box(0, 0, 100, 100, hole=10)), (None, INNER)) == [(), ()]
    assert parts((None, LARGE), (None, LARGE)) == [(), ()]  # of two alike neither is a part


@pytest.mark.parametrize(
    ("label", "whole", "is_part"),
    [
        ("viewing platform", "blue evening sky", False),
        ("viewing platform", "wall of bricks", False),
        (None, "lake", False),
        ("viewing platform", "Eiffel Tower", True),
        (None, "lake house", True),
        ("parked bicycles", "yellow building", False),
        ("man in a coat", "balconies", False),
        ("lion's face", "male lion", True),
        ("face of an elderly woman", "woman in a naval uniform", True),
        ("man in a hat", "group of people", True),
        ("orange dahlia", "red dahlia", False),  # one flower before another
    ],
)
def test_labels_tell_which_regions_may_be_parts(label: str | None, whole: str, is_part: bool) -> None:
    assert parts((whole, LARGE), (label, INNER)) == [(), (0,) if is_part else ()]


def test_a_rectangle_stays_one_and_a_slope_becomes_a_line() -> None:
    found = outlines.shape(INNER, SIZE)
    assert (found.path, found.thickness) == ("M20 20v40h40v-40h-40Z", 20.0)
    steps = np.tri(60, 60, dtype=bool)
    assert outlines.shape(masks.encode(steps), steps.shape).path.count("l") <= 2
    empty = masks.encode(np.zeros(SIZE, bool))
    assert (outlines.shape(empty, SIZE).path, masks.box(empty, SIZE)) == ("", None)


@given(any_mask)
def test_a_mask_survives_its_svg_path(mask: np.ndarray) -> None:
    path = svg_path(masks.encode(mask), mask.shape)
    assert (mask_of(path, mask.shape) == mask).all()
