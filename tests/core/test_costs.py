"""Tokens and seconds: what counts as a number of them, and how they add up."""

from threading import Thread

import pytest

from core.costs import Usage, summed, timed, timing


def test_what_was_not_counted_adds_nothing() -> None:
    assert summed([]) is None and summed([None, None]) is None
    assert summed([Usage(100, 20), None, Usage(10, 2)]) == Usage(110, 22)


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
