"""Raters, hours and cost of a study, worked by hand."""

import pytest

from core.errors import BadSetting
from core.studies.planning.control_places import Controls
from core.studies.planning.forecast import Effort, coverage, forecast


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


def test_what_fifty_invited_raters_cover_worked_by_hand() -> None:
    # 40 of 50 finish, 20 items each: 800 ratings of 300 items are 2 each, and 200 items get a third
    effort = Effort(
        items=300,
        ratings_per_item=3,
        items_per_rater=20,
        controls=Controls(training=2),
        item_seconds=30,
        opening_seconds=60,
        drop_out=0.2,
        hourly_rate=10,
        fee=0.25,
    )
    found = coverage(effort, 50)
    assert (found.invited, found.finishing, found.item_ratings) == (50, 40, 800)
    assert (found.ratings_per_item, found.items_with_more) == (2, 200)
    assert found.items == 266  # 800 ratings, three for each
    assert (found.minutes, found.hours) == (12.0, 8.0)  # 22 x 30 s + 60 s
    assert (found.pay_each, found.pay, found.fee, found.cost) == (2.0, 80.0, 20.0, 100.0)


def test_a_forecast_and_what_its_raters_cover_agree() -> None:
    effort = Effort(items=100, ratings_per_item=3, items_per_rater=20, drop_out=0.3, hourly_rate=9)
    needed = forecast(effort)
    found = coverage(effort, needed.starting)
    assert found.finishing >= needed.raters and found.ratings_per_item == 3
    assert coverage(effort, needed.starting - 1).ratings_per_item == 2


def test_raters_who_rate_everything_give_each_item_a_rating_and_fewer_than_wanted_cover_none() -> None:
    found = coverage(Effort(items=12, ratings_per_item=1), 5)
    assert (found.ratings_per_item, found.items_with_more, found.items) == (5, 0, None)
    assert coverage(Effort(items=12, ratings_per_item=3, items_per_rater=4), 2).items == 0


def test_raters_never_cover_more_items_than_the_study_has() -> None:
    # 30 raters could give 270 ratings of 9 items each, but 30 items with 3 ratings each take 90: ten raters
    effort = Effort(items=30, ratings_per_item=3, items_per_rater=9, item_seconds=60, opening_seconds=60, reward=2)
    found = coverage(effort, 30)
    assert (found.item_ratings, found.items, found.ratings_per_item, found.items_with_more) == (90, 30, 3, 0)
    assert (found.finishing, found.working) == (30, 10)
    assert (found.pay_each, found.pay) == (2.0, 20.0)


def test_raters_get_the_reward_or_the_hourly_pay_if_it_is_more() -> None:
    def paid(hourly: float | None, reward: float | None) -> float | None:
        effort = Effort(12, 3, item_seconds=30, opening_seconds=0, hourly_rate=hourly, reward=reward)
        return forecast(effort).pay_each

    assert [paid(10, None), paid(10, 2), paid(None, 2), paid(10, 0.5), paid(None, None)] == [1.0, 2.0, 2.0, 1.0, None]


def test_a_forecast_has_the_minutes_that_raters_read() -> None:
    found = forecast(Effort(items=12, ratings_per_item=3, item_seconds=31, opening_seconds=90))
    assert (found.minutes, found.announced) == (pytest.approx(7.7), 8)


@pytest.mark.parametrize("invited", [0, 100_001])
def test_an_impossible_number_of_raters_is_refused(invited: int) -> None:
    with pytest.raises(BadSetting):
        coverage(Effort(items=12, ratings_per_item=1), invited)
