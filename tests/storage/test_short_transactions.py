"""Work in portions holds the database for a short time, and pauses in between."""

from contextlib import AbstractContextManager
from functools import partial

import pytest
from sqlalchemy import Connection, text

from core.errors import StorageBusy
from storage.engine.short_transactions import FEWEST, HELD_S, LONGEST_PAUSE_S, MOST, PATIENCE_S, Portions
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


def work(portions: Portions, clock: Clock, seconds: float) -> int:
    with portions.write():
        clock.now += seconds
    return portions.rows


def test_portions_grow_and_shrink_to_the_time_wanted(workplace: Workplace) -> None:
    clock = Clock()
    made = portions(workplace, clock)
    assert work(made, clock, HELD_S) == 100
    assert work(made, clock, HELD_S / 2) == 200
    assert work(made, clock, HELD_S / 100) == 400  # at most twice as many
    assert work(made, clock, HELD_S * 2) == 200
    assert work(made, clock, 60) == 50  # at least a quarter
    for _ in range(10):
        work(made, clock, 60)
    assert made.rows == FEWEST
    for _ in range(20):
        work(made, clock, 0)
    assert made.rows == MOST


def test_others_have_a_quarter_of_the_time_that_a_portion_took(workplace: Workplace) -> None:
    clock = Clock()
    made = portions(workplace, clock)
    work(made, clock, 0.04)
    work(made, clock, 0.08)
    clock.now += 0.015  # the caller's own work
    work(made, clock, 5)
    work(made, clock, 0)
    work(made, clock, 0)
    # Times are sums of floats, so their last digits differ.
    assert clock.slept == pytest.approx([0, 0.01, 0.005, 0.1, 0.005], abs=1e-6)


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
