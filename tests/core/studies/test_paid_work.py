"""Seconds worked, decisions and amounts, by hand."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadSetting
from core.studies.pay.money import hourly_pay, minor_units, money_text, pay_for, plain_amount
from core.studies.results.owed_pay import Decision, StoredMoments, decide, paid_rater, seconds_worked
from core.studies.results.participants import Participant

START = datetime(2026, 1, 5, 12, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def person(**facts: object) -> Participant:
    return Participant(code="A", arrived_at=START, **facts)  # type: ignore[arg-type]


def test_of_an_idle_stretch_two_minutes_count() -> None:
    before = (at(0), at(30), at(630))  # 30 s of reading, then ten minutes away: 30 + 120
    items = ((10_000, 25_000), (400_000, 401_000))  # 25 s; 400 s without an answer: 120 + 1
    after = (at(900), at(905))
    assert seconds_worked(StoredMoments(before, items, after)) == 150 + 25 + 121 + 5
    assert seconds_worked(StoredMoments()) == 0
    assert seconds_worked(StoredMoments(items=((1,),))) == 1  # rounded up


@pytest.mark.parametrize(
    ("facts", "gate", "wanted"),
    [
        ({"finished_at": START, "excluded_at": START, "excluded": "low agreement"}, {}, "approve"),
        ({"screened_out_at": START, "screened_out": "failed the check"}, {}, "return"),
        ({"excluded_at": START, "excluded": "failed 2 gold items"}, {"failed_gold": True, "gold_allowed": 2}, "reject"),
        ({"excluded_at": START, "excluded": "failed 1 gold item"}, {"failed_gold": True, "gold_allowed": 1}, "return"),
        ({"excluded_at": START, "excluded": "too fast"}, {}, "return"),
        ({"returned_at": START}, {}, "return"),
        ({"rated_at": START, "last_at": START}, {}, "wait"),
        ({"rated_at": START, "last_at": START}, {"is_over": True}, "return"),
        ({}, {"is_over": True}, "return"),
        ({"joined": False}, {"is_over": True}, "return"),
    ],
)
def test_whom_to_approve_to_reject_and_to_ask_to_return(
    facts: dict[str, object], gate: dict[str, object], wanted: str
) -> None:
    rules = {"failed_gold": False, "gold_allowed": None, "minutes": 20, "is_over": False} | gate
    assert decide(person(**facts), **rules)[0] == wanted  # type: ignore[arg-type]


def test_a_slow_rater_gets_a_bonus_up_to_the_rate_and_a_quick_one_none() -> None:
    done = person(finished_at=START, last_at=START)
    slow = paid_rater(done, 3_000, ("approve", ""), hourly_rate=900, reward=600)
    assert (slow.owed, slow.bonus, slow.hourly, slow.below_rate) == (750, 150, 720, True)
    quick = paid_rater(done, 1_000, ("approve", ""), hourly_rate=900, reward=600)
    assert (quick.owed, quick.bonus, quick.below_rate) == (600, 0, False)
    began = paid_rater(person(last_at=START), 100, ("return", ""), hourly_rate=900, reward=600)
    assert (began.reward, began.bonus) == (0, 25)
    assert paid_rater(person(), 100, ("return", ""), hourly_rate=900, reward=600).bonus == 0
    assert paid_rater(done, 100, ("reject", ""), hourly_rate=900, reward=600).owed == 0


@pytest.mark.parametrize(
    ("decision", "facts", "below"),
    [
        ("wait", {"last_at": START}, True),
        ("wait", {}, False),
        ("return", {"last_at": START}, True),
        ("return", {}, False),
        ("reject", {"last_at": START}, False),
    ],
)
def test_a_rater_without_a_reward_has_a_rate_of_zero_and_is_below_the_rate_after_an_item(
    decision: Decision, facts: dict[str, object], below: bool
) -> None:
    one = paid_rater(person(**facts), 100, (decision, ""), hourly_rate=900, reward=600)
    assert (one.reward, one.hourly, one.below_rate) == (0, 0, below)


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_amounts_are_exact_and_never_below_the_rate(seconds: int, rate: int) -> None:
    amount = pay_for(seconds, rate)
    assert amount == ceil(Fraction(seconds * rate, 3600))
    assert seconds == 0 or (hourly_pay(amount, seconds) or 0) >= rate


def test_amounts_are_read_and_written_without_floats() -> None:
    assert minor_units("9.5", "GBP") == 950 and minor_units("1000", "JPY") == 1000
    assert plain_amount(905, "EUR") == "9.05" and plain_amount(7, "JPY") == "7"
    assert [money_text(950, code) for code in ("GBP", "CHF")] == ["£9.50", "9.50 CHF"]
    for wrong, code in (("9.505", "GBP"), ("1.5", "JPY"), ("-1", "GBP"), ("9,50", "EUR"), ("1e3", "EUR"), ("1", "XXX")):
        with pytest.raises(BadSetting):
            minor_units(wrong, code)
