import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.score_thresholds import at_or_above, cuts

NAN = float("nan")


def test_cuts_by_hand() -> None:
    # people call the second and the last good; the third has no judgement
    found = cuts(np.array([0.1, 0.3, 0.9, 0.8]), np.array([0.0, 0.5, NAN, 1.0]), good_from=0.5)
    assert found is not None and (found.n, found.good) == (3, 2)
    assert found.cuts == pytest.approx(np.arange(len(found.cuts)) / 100)
    table = {0.0: (2 / 3, 2 / 3, 1.0, 0.5), 0.3: (1, 1, 1, 1), 0.31: (2 / 3, 1, 0.5, 0.75), 0.8: (2 / 3, 1, 0.5, 0.75)}
    for cut, row in table.items():
        got = [
            float(column[int(cut * 100 + 0.5)])
            for column in (found.accuracy, found.precision, found.recall, found.balanced)
        ]
        assert got == pytest.approx(row), cut
    last = 81
    assert (
        found.called_good[last] == 0
        and found.accuracy[last] == pytest.approx(1 / 3)
        and np.isnan(found.precision[last])
    )


def test_where_all_are_good_nothing_is_balanced_and_where_none_is_nothing_is_recalled() -> None:
    good, bad = (cuts(np.array([0.2, 0.4]), np.array([h, h]), 0.5) for h in (1.0, 0.0))
    assert good is not None and bad is not None
    assert np.isnan(good.balanced).all() and good.recall[20] == 1
    assert np.isnan(bad.recall).all() and np.isnan(bad.balanced).all()
    assert cuts(np.array([NAN]), np.array([1.0]), 0.5) is None


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 4)), min_size=1, max_size=30), st.integers(0, 100))
def test_every_cut_is_counted_as_by_a_loop(cells: list[tuple[int, int]], place: int) -> None:
    score, human = np.array([a for a, _ in cells]) / 100, np.array([b for _, b in cells]) / 4
    found = cuts(score, human, 0.5)
    assert found is not None
    said = [a >= place for a, _ in cells]  # in whole hundredths, free of floats
    good = [b >= 2 for _, b in cells]
    assert found.called_good[place] == sum(said)
    assert found.right[place] == sum(s == g for s, g in zip(said, good, strict=True))
    assert found.hit[place] == sum(s and g for s, g in zip(said, good, strict=True))
    assert at_or_above(score, place / 100).tolist() == said
