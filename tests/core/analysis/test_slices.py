"""Slices as data: what a condition holds, and what is refused. Which samples they select: tests/ui/analyse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.slices import Lasso, Range, Slice, slice_json, slice_of
from core.errors import BadSetting

NAN = float("nan")
FLEUR, RAW = "FLEUR", "FLEUR#raw"


corners = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=7, unique=True)


@given(corners, st.tuples(st.integers(0, 8), st.integers(0, 8)))
def test_a_lasso_holds_what_its_line_goes_around_an_odd_number_of_times(
    line: list[tuple[int, int]], cell: tuple[int, int]
) -> None:
    x, y = cell[0] + 0.37, cell[1] + 0.61  # on no corner's height
    found = bool(Lasso(None, FLEUR, tuple(line)).holds(np.array([x]), np.array([y]))[0])
    crossings = 0
    for (x1, y1), (x2, y2) in zip(line, line[1:] + line[:1], strict=True):
        if min(y1, y2) < y < max(y1, y2):
            crossings += (x1 * (y2 - y) + x2 * (y - y1)) / (y2 - y1) > x
    assert found == (crossings % 2 == 1)


def test_a_slice_with_every_new_condition_comes_back_from_its_json() -> None:
    lasso = Lasso(None, RAW, ((0.0, 0.25), (1.0, 0.5), (0.5, 1.0)))
    one = Slice("s", caption="red, blue", explanation="omits", lasso=lasso)
    assert slice_of(slice_json(one)) == one
    assert one.columns == (RAW,)


def test_what_chooses_by_peoples_judgement_and_a_score_at_once_is_by_error() -> None:
    three = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
    for one, by_error in (
        (Slice("s", lasso=Lasso(FLEUR, None, three)), True),
        (Slice("s", lasso=Lasso(FLEUR, RAW, three)), False),
        (Slice("s", human=Range(0.5)), False),
    ):
        assert one.by_error is by_error, one


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"lasso": {"x": None, "y": None, "corners": [[0, 0], [1, 1]]}}, "3 to 500 corners"),
        ({"lasso": {"x": None, "y": None, "corners": [[0, float("inf")]] * 3}}, "expected a number, found inf"),
        ({"caption": " , "}, "words separated by commas"),
        ({"caption": "a" * 501}, "words separated by commas"),
        ({"criterion": "factuality"}, "both a criterion and a rating"),
        ({"phrase": "verb"}, "kind of phrase must be"),
        ({"words": {"low": 2, "high": 1}}, "low end of a range must not be above"),
        ({"where": "1=1"}, "where"),
        ({"words": {"low": True}}, "words.low"),
    ],
)
def test_a_condition_that_is_none_is_told(content: dict[str, object], words: str) -> None:
    with pytest.raises(BadSetting, match=words):
        slice_of({"name": "s", **content})
