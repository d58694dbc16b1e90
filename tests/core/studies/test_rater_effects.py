"""Severity, time and places: worked by hand, and against means computed another way."""

from itertools import product

import pytest

from core.studies.results.raters import rater_summaries
from core.studies.results.report import position_effects
from tests.core.studies.frames import answer, table

FOUR = {"factuality": (1, 2, 3, 4), "liking": tuple(range(1, 8))}


def test_whoever_gives_a_point_less_than_the_others_is_a_third_of_four_points_stricter() -> None:
    mild, strict = rater_summaries(
        table([answer("A", 1, 4), answer("B", 1, 3), answer("A", 2, 3), answer("B", 2, 2)]), FOUR
    )
    assert (mild.rater, mild.severity, strict.severity) == ("A", pytest.approx(-1 / 3), pytest.approx(1 / 3))
    assert (mild.mean, strict.mean, mild.compared) == (pytest.approx(5 / 6), pytest.approx(0.5), 2)


def test_scales_of_other_lengths_count_by_their_shares() -> None:
    answers = [answer("A", 1, 7, criterion="liking"), answer("B", 1, 1, criterion="liking")]
    assert [one.severity for one in rater_summaries(table(answers), FOUR)] == [-1.0, 1.0]


def test_time_is_that_of_an_items_last_answer_and_abstentions_are_counted_never_averaged() -> None:
    answers = [
        answer("A", 1, 4, duration_ms=2000),
        answer("A", 1, 0, "N", duration_ms=9000),
        answer("A", 2, 2, duration_ms=3000),
    ]
    (one,) = rater_summaries(table(answers), FOUR)
    assert (one.items, one.n, one.seconds) == (2, 3, 6.0)
    assert (one.abstain_rate, one.mean) == (pytest.approx(1 / 3), pytest.approx((1 + 1 / 3) / 2))
    assert (one.severity, one.note) == (None, "no other rater answered the same questions")
    (silent,) = rater_summaries(table([answer("A", 1, 0)]), FOUR)
    assert (silent.mean, silent.note) == (None, "gave no rating on the scale")


def test_what_stands_first_and_gets_a_point_more_shows_an_effect_of_a_sixth_either_way() -> None:
    answers = [
        answer(rater, item, 3 + (place == 1), f"M{(place + item) % 2}", place)
        for rater, item, place in product("AB", (1, 2, 3), (1, 2))
    ]
    first, second = position_effects(table(answers), FOUR)
    assert (first.position, first.n, first.difference) == (1, 6, pytest.approx(1 / 6))
    assert (second.position, second.difference) == (2, pytest.approx(-1 / 6))
    assert (first.ci_low, first.ci_high) == (pytest.approx(1 / 6), pytest.approx(1 / 6))
