"""Numbers are rounded as papers round them: half up, by their decimal digits."""

import pytest

from core.statistics.rounding import half_up


@pytest.mark.parametrize(
    ("value", "decimals", "shown"),
    [
        (80.125, 2, "80.13"),
        (100 * 0.80125, 2, "80.13"),
        (83.35, 1, "83.4"),
        (65.15, 1, "65.2"),
        (2.675, 2, "2.68"),
        (0.5, 0, "1"),
        (-0.125, 2, "-0.13"),
        (0.1 + 0.2, 1, "0.3"),
        (1e-12, 3, "0.000"),
        (-1e-12, 3, "0.000"),
        (123456.5, 0, "123457"),
        (float("nan"), 2, "nan"),
    ],
)
def test_numbers_are_rounded_half_up_by_their_decimals(value: float, decimals: int, shown: str) -> None:
    assert half_up(value, decimals) == shown
