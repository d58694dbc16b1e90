"""Of two people who change the same settings at the same time, one is told that the other was faster."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import text

from core.errors import ChangedMeanwhile
from storage.rating.rules import Change
from storage.tables import NEVER
from tests.making import make_study
from ui.services.workplace import Workplace

THREADS = 8


def settle(birds: Workplace, change: Change, number: int) -> None:
    birds.repository.studies.settle(1, change, items_per_rater=number)


def test_of_changes_at_the_same_moment_exactly_one_wins(birds: Workplace) -> None:
    study, start = make_study(birds, raters_per_item=1), Barrier(THREADS)

    def change(number: int) -> int | None:
        start.wait()
        try:
            settle(birds, Change(f"person {number}", study.stamp), 2 + number)
        except ChangedMeanwhile as refused:
            assert "because person " in str(refused)
            return None
        return number

    with ThreadPoolExecutor(THREADS) as pool:
        (winner,) = [found for found in pool.map(change, range(THREADS)) if found is not None]
    assert birds.repository.studies.get(study.id).design.items_per_rater == 2 + winner


def test_after_a_restore_a_dialog_that_was_opened_before_cannot_save(birds: Workplace) -> None:
    study = make_study(birds, raters_per_item=1)
    settle(birds, Change("ann", NEVER), 2)
    opened = birds.repository.studies.get(study.id).stamp
    with birds.repository.database.write() as connection:
        connection.execute(text("UPDATE studies SET stamp = 'never', changed_by = NULL"))
    with pytest.raises(ChangedMeanwhile, match="undone"):
        settle(birds, Change("bob", opened), 3)
