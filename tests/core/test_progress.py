import threading

import pytest

from core.errors import Cancelled
from core.long_work.progress import report, reporting


def test_progress_goes_where_it_was_asked_for_and_nowhere_after() -> None:
    told: list[tuple[str, int, int]] = []
    with reporting(lambda *step: told.append(step)):
        report("Working", 1, 2)
    report("Working", 2, 2)
    assert told == [("Working", 1, 2)]


def test_another_thread_is_not_told() -> None:
    told: list[tuple[str, int, int]] = []
    with reporting(lambda *step: told.append(step)):
        thread = threading.Thread(target=report, args=("Elsewhere", 0, 1))
        thread.start()
        thread.join()
    assert told == []


def test_a_callback_that_raises_stops_the_work() -> None:
    def give_up(what: str, done: int, total: int) -> None:
        raise Cancelled("given up")

    with reporting(give_up), pytest.raises(Cancelled):
        report("Working", 0, 1)
    report("Working", 1, 1)
