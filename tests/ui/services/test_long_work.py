from threading import Lock, Thread

import pytest

from core.errors import Cancelled
from core.long_work.progress import report
from ui.services.long_work import LongWorks, turn


def test_a_work_says_how_far_it_is_until_it_is_over() -> None:
    works = LongWorks()
    with works.begun("a"):
        first = works.how_far("a")
        report("Reading", 30, 100)
        found = works.how_far("a")
    assert first is not None and found is not None
    assert (first.what, first.total) == ("", 0)
    assert (found.what, found.done, found.total) == ("Reading", 30, 100)
    assert found.seconds >= 0
    assert works.how_far("a") is None
    works.cancel("a")
    assert works.how_far("a") is None


def test_a_cancelled_work_ends_at_its_next_report_and_no_other_does() -> None:
    works = LongWorks()
    with works.begun("b"), pytest.raises(Cancelled), works.begun("a"):
        works.cancel("a")
        report("Reading", 1, 2)
    with works.begun("b"):
        report("Reading", 1, 2)


def test_who_waits_for_a_turn_is_told_and_can_give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.services.long_work.LOOK_S", 0.001)
    works, lock, ended = LongWorks(), Lock(), []

    def wait() -> None:
        with works.begun("a"):
            try:
                with turn(lock, "Waiting"):
                    pass
            except Cancelled as error:
                ended.append(str(error))

    with lock:
        thread = Thread(target=wait)
        thread.start()
        while not _says("Waiting", works):
            pass
        works.cancel("a")
        thread.join(timeout=60)
    assert ended == ["Waiting: cancelled."]
    with turn(lock, "Waiting"):
        assert lock.locked()


def _says(what: str, works: LongWorks) -> bool:
    work = works.how_far("a")
    return work is not None and work.what == what
