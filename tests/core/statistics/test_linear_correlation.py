import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.statistics.linear_correlation import pearson, spearman

COLUMN = st.lists(st.tuples(st.integers(-20, 20), st.integers(0, 5)), min_size=3, max_size=60)


@given(COLUMN)
def test_both_equal_scipys(rows: list[tuple[int, int]]) -> None:
    x, y = (np.array(column, dtype=float) / 7 for column in zip(*rows, strict=True))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert pearson(x, y) is None and spearman(x, y) is None
    else:
        # sums in another order differ in the last digits
        assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-9)
        assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-9)
