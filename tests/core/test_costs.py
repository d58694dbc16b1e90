"""Tokens and seconds: what counts as a number of them, and how they add up."""

from threading import Thread
from typing import Any

import pytest

from core.costs import Usage, are_seconds, summed, timed, timing

ODD: list[Any] = [-1, 1.5, "7", True, None, 10**400, float("nan"), float("inf"), [], {}]


def test_what_was_not_counted_adds_nothing() -> None:
    assert summed([]) is None and summed([None, None]) is None
    assert summed([Usage(100, 20), None, Usage(10, 2)]) == Usage(110, 22)


@pytest.mark.parametrize("odd", ODD)
def test_no_usage_holds_a_number_that_is_no_count(odd: Any) -> None:
    for numbers in ((odd, 1), (1, odd)):
        with pytest.raises(ValueError, match="whole numbers"):
            Usage(*numbers)


@pytest.mark.parametrize("odd", [one for one in ODD if one != 1.5])
def test_seconds_are_finite_and_not_negative(odd: Any) -> None:
    assert are_seconds({}) and are_seconds({"model": 0, "picture": 1.5})
    assert not are_seconds({"model": odd})
    assert not are_seconds(odd) or odd == {}
    assert not are_seconds({"two\nlines": 1.0}) and not are_seconds({"": 1.0}) and not are_seconds({"x" * 81: 1.0})


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
