"""Numbers are rounded as papers round them: half up, by their decimal digits."""

import pytest

from core.statistics.rounding import half_up


@pytest.mark.parametrize(
    ("value", "decimals", "shown"),
    [
        (80.125, 2, "80.13"),
        (100 * 0.0045, 1, "0.5"),  # 0.44999999999999996
        (0.5, 0, "1"),
        (-0.125, 2, "-0.13"),
        (-1e-12, 3, "0.000"),
        (float("nan"), 2, "nan"),
    ],
)
def test_numbers_are_rounded_half_up_by_their_decimals(value: float, decimals: int, shown: str) -> None:
    assert half_up(value, decimals) == shown
