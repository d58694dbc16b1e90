import json
from dataclasses import asdict

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.studies.results.rating_errors import rating_error_table


def rated(pairs: list[tuple[float, float]], criterion: str = "factuality") -> pd.DataFrame:
    rows = [("FLEUR", criterion, rating, error) for rating, error in pairs]
    return pd.DataFrame(rows, columns=["metric", "criterion", "rating", "error"])


LOW = {"factuality": 2, "consistency": 2}


def test_low_ratings_that_go_with_large_errors_show_in_means_and_tau() -> None:
    (row,) = rating_error_table(rated([(1, 0.9), (2, 0.5), (3, 0.3), (4, 0.1)]), LOW)
    assert (row.n, row.n_low, row.error_low, row.tau_b) == (4, 2, pytest.approx(0.7), -1.0)
    assert row.error_other == pytest.approx(0.2)
    assert row.p == row.p_holm == pytest.approx(stats.kendalltau([1, 2, 3, 4], [4, 3, 2, 1]).pvalue)


def test_holm_covers_all_rows() -> None:
    pairs = [(float(i % 4 + 1), i / 20) for i in range(12)]
    rows = rating_error_table(pd.concat([rated(pairs), rated(pairs, "consistency")]), LOW)
    assert [row.criterion for row in rows] == ["factuality", "consistency"]
    assert rows[0].p_holm == pytest.approx(min(1, 2 * (rows[0].p or 0)))


@pytest.mark.parametrize(
    ("pairs", "note"),
    [
        ([(1, 0.2), (2, 0.1)], "fewer than three"),
        ([(3, 0.1), (3, 0.2), (3, 0.3)], "same mean rating"),
        ([(1, 0.2), (2, 0.2), (3, 0.2)], "same error"),
    ],
)
def test_an_undefined_test_is_none_and_explained(pairs: list[tuple[float, float]], note: str) -> None:
    (row,) = rating_error_table(rated(pairs), LOW)
    assert (row.tau_b, row.p, row.p_holm) == (None, None, None)
    assert note in row.note


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 3)), max_size=15))
def test_no_table_gives_nan(pairs: list[tuple[int, int]]) -> None:
    for row in rating_error_table(rated([(float(r), e / 3) for r, e in pairs]), LOW):
        json.dumps(asdict(row), allow_nan=False)
