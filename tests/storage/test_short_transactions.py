"""Long work in short transactions waits for other programs."""

from contextlib import AbstractContextManager
from functools import partial

import pytest
from sqlalchemy import Connection, text

from core.errors import StorageBusy
from storage.engine.short_transactions import LONGEST_PAUSE_S, PATIENCE_S, Portions
from ui.services.workplace import Workplace


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now, self.slept = 0.0, list[float]()

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def portions(workplace: Workplace, clock: Clock, rows: int = 100) -> Portions:
    return Portions(workplace.repository.database, rows, clock, clock.sleep)


def test_long_work_does_not_give_up_while_a_rater_waits_for_another_program(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rater is told after a second that the database is held; a copy that had run for minutes ended with it."""
    clock, database = Clock(), workplace.repository.database
    made = portions(workplace, clock)
    write, refused = database.write, iter([True, True, False, True])

    def busy(lasting: bool) -> AbstractContextManager[Connection]:
        if next(refused):
            raise StorageBusy
        return write(lasting=lasting)

    monkeypatch.setattr(database, "write", busy)
    with made.write() as connection:
        connection.execute(text("SELECT 1"))
    assert clock.slept == [0, LONGEST_PAUSE_S, LONGEST_PAUSE_S]
    monkeypatch.setattr(database, "write", partial(_refuse, clock))
    with pytest.raises(StorageBusy), made.write():
        pass
    assert clock.now >= PATIENCE_S


def _refuse(clock: Clock, lasting: bool) -> AbstractContextManager[Connection]:
    clock.now += 20
    raise StorageBusy
