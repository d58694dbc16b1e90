"""Tokens and seconds: what counts as a number of them, and how they add up."""

from threading import Thread
from typing import Any

import pytest

from core.costs import Usage, summed, timed, timing

ODD: list[Any] = [-1, 1.5, "7", True, None, 10**400, float("nan"), float("inf"), [], {}]


def test_what_was_not_counted_adds_nothing() -> None:
    assert summed([]) is None and summed([None, None]) is None
    assert summed([Usage(100, 20), None, Usage(10, 2)]) == Usage(110, 22)


@pytest.mark.parametrize("odd", ODD)
def test_no_usage_holds_a_number_that_is_no_count(odd: Any) -> None:
    for numbers in ((odd, 1), (1, odd)):
        with pytest.raises(ValueError, match="whole numbers"):
            Usage(*numbers)


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
    assert sorted(seconds) == ["model", "reading"]
    with timed("later"):
        pass
    assert "later" not in seconds
