"""Raters, hours and cost of a study, worked by hand."""

import pytest

from core.errors import BadSetting
from core.studies.planning.control_places import Controls
from core.studies.planning.forecast import Effort, forecast


def test_a_study_of_two_hundred_raters_worked_by_hand() -> None:
    # 3,333 items x 3 ratings = 9,999; 50 each: 199.98, so 200 raters. Each: 50 + 2 practice + 5 gold = 57 items.
    found = forecast(
        Effort(
            items=3333,
            ratings_per_item=3,
            items_per_rater=50,
            controls=Controls(training=2, gold=100, gold_every=10),
            item_seconds=20,
            opening_seconds=60,
            drop_out=0.2,
            hourly_rate=9,
            fee=1 / 3,
        )
    )
    assert (found.item_ratings, found.raters, found.starting) == (9999, 200, 250)
    assert (found.each.items, found.each.practice, found.each.gold) == (50, 2, 5)
    assert found.minutes == pytest.approx(20)  # 57 x 20 s + 60 s
    assert found.hours == pytest.approx(200 / 3)
    assert (found.pay_each, found.pay, found.fee, found.cost) == (3.0, 600.0, 200.0, 800.0)


def test_raters_who_rate_everything_are_as_many_as_the_ratings_per_item() -> None:
    found = forecast(Effort(items=12, ratings_per_item=4, item_seconds=30, opening_seconds=0))
    assert (found.raters, found.each.total, found.minutes, found.cost) == (4, 12, 6.0, None)


def test_an_item_never_gets_two_ratings_by_one_rater() -> None:
    assert forecast(Effort(items=10, ratings_per_item=3, items_per_rater=100)).raters == 3


def test_pay_is_rounded_to_cents_for_each_rater_before_it_is_added_up() -> None:
    found = forecast(Effort(items=3, ratings_per_item=3, item_seconds=1, opening_seconds=0, hourly_rate=10))
    assert (found.pay_each, found.pay) == (0.01, 0.03)  # 3 seconds are 0.0083


def test_no_one_leaves_is_not_rounded_up() -> None:
    assert forecast(Effort(items=9, ratings_per_item=1, items_per_rater=1, drop_out=0.1)).starting == 10


@pytest.mark.parametrize(
    "change", [{"items": 0}, {"ratings_per_item": 0}, {"drop_out": 1.0}, {"hourly_rate": -1.0}, {"fee": -0.1}]
)
def test_impossible_settings_are_refused(change: dict[str, float]) -> None:
    with pytest.raises(BadSetting):
        Effort(**({"items": 10, "ratings_per_item": 2} | change))  # type: ignore[arg-type]
