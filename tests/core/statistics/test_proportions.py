import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.proportions import wilson


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_it_is_scipys(of: tuple[int, int]) -> None:
    count, n = of
    found, theirs = wilson(count / n, n), scipy.stats.binomtest(count, n).proportion_ci(method="wilson")
    assert found and (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
