"""Tokens, prices and seconds: what counts as a number of them, and how they add up."""

import json
import math
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.costs import Usage, are_seconds, summed, timed, timing, usage_fields

COUNTED = Usage(1, 1, 100, 20, 120, 40, 5)
ODD: list[Any] = [-1, 1.5, "7", True, None, 10**400, float("nan"), float("inf"), [], {}]


def test_a_sum_keeps_apart_what_was_not_told_from_nothing() -> None:
    assert summed([]) is None and summed([None, None]) is None
    untold = Usage(1, 0)
    assert summed([untold, None, untold]) == Usage(2, 0)
    assert summed([COUNTED, untold, Usage(1, 1, 10, 2, 12)]) == Usage(3, 2, 110, 22, 132, 40, 5)


def test_fields_without_a_number_are_left_out_of_json() -> None:
    assert usage_fields(None) is None and usage_fields(Usage(2, 0)) == {"answers": 2, "counted": 0}
    told = usage_fields(COUNTED)
    assert told is not None and Usage(**told) == COUNTED


@pytest.mark.parametrize("odd", [number for number in ODD if number is not None])
@pytest.mark.parametrize("name", ["answers", "counted", "prompt", "completion", "total", "cached", "reasoning"])
def test_no_usage_holds_a_number_that_is_no_count(name: str, odd: Any) -> None:
    with pytest.raises(ValueError, match="must be a whole number"):
        Usage(**((usage_fields(COUNTED) or {}) | {name: odd}))


def test_tokens_are_known_exactly_where_answers_are_counted() -> None:
    for wrong in ({"answers": 1, "counted": 2}, {"answers": 1, "counted": 1}):
        with pytest.raises(ValueError, match="counted"):
            Usage(**wrong)
    with pytest.raises(ValueError, match="counted"):
        Usage(1, 0, 5, 5, 10)


@pytest.mark.parametrize("odd", [one for one in ODD if one != 1.5])
def test_seconds_are_finite_and_not_negative(odd: Any) -> None:
    assert are_seconds({}) and are_seconds({"model": 0, "picture": 1.5})
    assert not are_seconds({"model": odd})
    assert not are_seconds(odd) or odd == {}
    assert not are_seconds({"two\nlines": 1.0}) and not are_seconds({"": 1.0}) and not are_seconds({"x" * 81: 1.0})


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(), st.lists, max_leaves=5))
def test_seconds_that_pass_can_be_written_as_json(given_: Any) -> None:
    if are_seconds({"model": given_}):
        assert math.isfinite(json.loads(json.dumps(given_, allow_nan=False)))


def test_parts_are_timed_only_where_somebody_takes_times_and_in_that_thread_alone() -> None:
    with timed("model"):
        pass
    with timing() as seconds:
        for _ in range(2):
            with timed("model"):
                pass
        with pytest.raises(KeyError), timed("reading"):
            raise KeyError
        other = Thread(target=lambda: timed("elsewhere").__enter__())
        other.start()
        other.join()
    assert sorted(seconds) == ["model", "reading"] and are_seconds(seconds)
    with timed("later"):
        pass
    assert "later" not in seconds
