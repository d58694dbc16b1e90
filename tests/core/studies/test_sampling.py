import pytest

from core.studies.planning.choices import human_stratum, score_stratum
from core.studies.planning.plan import draw


@pytest.mark.parametrize(
    ("value", "stratum"),
    [
        (0.0, "[0, 0.33)"),
        (0.3299999, "[0, 0.33)"),
        (0.33, "[0.33, 0.66)"),
        (0.6599999, "[0.33, 0.66)"),
        (0.66, "[0.66, 1]"),
        (1.0, "[0.66, 1]"),
    ],
)
def test_score_intervals_are_closed_on_the_left_and_the_last_one_on_the_right(value: float, stratum: str) -> None:
    assert score_stratum(value) == stratum


@pytest.mark.parametrize(
    ("judgements", "stratum"), [((3.0, 3.0, 3.0), "3"), ((1.0,), None), ((3.0, 3.0, 4.0), None), ((), None)]
)
def test_only_unanimous_judges_give_a_human_stratum(judgements: tuple[float, ...], stratum: str | None) -> None:
    assert human_stratum(judgements) == stratum


def test_strata_are_mixed_in_the_drawn_order() -> None:
    drawn = draw({"low": range(50), "high": range(50)}, {"low": 50, "high": 50}, 3)
    assert {name for name, _ in drawn[:10]} == {"low", "high"}
