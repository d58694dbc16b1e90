import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.disagreements import distance, only_right, rank_shift, right_together

NAN = float("nan")


def test_distances_and_rank_shifts_by_hand() -> None:
    first, second = np.array([0.9, 0.5, 0.1, NAN]), np.array([0.2, 0.3, 0.1, 0.9])
    assert distance(first, second) == pytest.approx([0.7, 0.2, 0.0, NAN], nan_ok=True)
    # among the three that both scored: first ranks 1, 1/2, 0, second ranks 1/2, 1, 0
    assert rank_shift(first, second) == pytest.approx([0.5, -0.5, 0.0, NAN], nan_ok=True)


errors = st.lists(st.tuples(st.integers(-8, 8), st.integers(-8, 8)), min_size=1, max_size=20)


@given(errors)
def test_counts_are_those_of_a_loop_and_both_sides_mirror_each_other(cells: list[tuple[int, int]]) -> None:
    first, second = (np.array(column) / 8 for column in zip(*cells, strict=True))
    found = right_together(first, second, np.arange(len(cells)), 0.25)
    kinds = [(abs(a) < 2, abs(b) < 2) for a, b in cells]
    assert (found.both, found.first) == (kinds.count((True, True)), kinds.count((True, False)))
    assert (found.second, found.neither) == (kinds.count((False, True)), kinds.count((False, False)))
    alone = only_right("first", first, second, 0.25)
    assert np.isfinite(alone).sum() == found.first
    assert alone == pytest.approx(only_right("second", second, first, 0.25), nan_ok=True)
