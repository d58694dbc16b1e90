import threading
from collections.abc import Iterator
from itertools import count

import pytest

from core.errors import Cancelled
from core.long_work.parallel import side_by_side
from core.long_work.progress import report

SAFETY_S = 60.0  # no test takes this long, unless it fails


def test_every_item_is_worked_on_once() -> None:
    assert sorted(side_by_side(lambda number: number * 2, range(50), 4)) == list(range(0, 100, 2))


def test_as_many_are_at_work_at_a_time_as_there_are_workers() -> None:
    meeting = threading.Barrier(3, timeout=SAFETY_S)  # breaks unless three come together
    assert sum(1 for _ in side_by_side(lambda _: meeting.wait(), range(9), 3)) == 9


def test_of_an_endless_list_only_what_is_needed_is_taken() -> None:
    taken: list[int] = []

    def numbers() -> Iterator[int]:
        for number in count():
            taken.append(number)
            yield number

    working = side_by_side(lambda number: number, numbers(), 2)
    next(working)
    working.close()  # type: ignore[attr-defined]
    assert len(taken) <= 5


def test_the_first_error_ends_it_and_the_others_at_their_next_report() -> None:
    begun, cancelled = threading.Event(), threading.Event()

    def work(number: int) -> None:
        if number == 1:
            assert begun.wait(SAFETY_S)
            raise ValueError("one")
        begun.set()
        try:
            while True:
                report("waiting", 0, 1)
        except Cancelled:
            cancelled.set()
            raise

    with pytest.raises(ValueError, match="one"):
        list(side_by_side(work, [0, 1], 2))
    assert cancelled.is_set()
