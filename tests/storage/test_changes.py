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


class Studied:
    """A study whose settings are changed: by whom, under which stamp, to which number of items."""

    def __init__(self, workplace: Workplace) -> None:
        self.repository = workplace.repository
        self.study = make_study(workplace, raters_per_item=1).id

    def stamp(self) -> str:
        return self.repository.studies.get(self.study).stamp

    def change(self, change: Change, number: int) -> None:
        self.repository.studies.settle(self.study, change, items_per_rater=number)

    def stored(self) -> int | None:
        return self.repository.studies.get(self.study).design.items_per_rater


@pytest.fixture
def studied(birds: Workplace) -> Studied:
    return Studied(birds)


def test_who_opened_settings_before_somebody_else_changed_them_is_refused_by_name(studied: Studied) -> None:
    opened = studied.stamp()
    assert opened == NEVER
    studied.change(Change("ann@lab.example", opened), 2)
    for stale in (opened, "some-other-stamp"):
        with pytest.raises(ChangedMeanwhile, match=r"because ann@lab\.example changed the same settings"):
            studied.change(Change("bob@lab.example", stale), 3)
    assert studied.stored() == 2
    studied.change(Change("bob@lab.example", studied.stamp()), 3)  # after having looked
    studied.change(Change("command line"), 4)  # whatever is there
    assert studied.stored() == 4
    with pytest.raises(ChangedMeanwhile, match="because somebody on the command line"):
        studied.change(Change("ann@lab.example", opened), 2)


def test_of_changes_at_the_same_moment_exactly_one_wins(studied: Studied) -> None:
    opened, start = studied.stamp(), Barrier(THREADS)

    def change(number: int) -> int | None:
        start.wait()
        try:
            studied.change(Change(f"person {number}", opened), 2 + number)
        except ChangedMeanwhile as refused:
            assert "because person " in str(refused)
            return None
        return number

    with ThreadPoolExecutor(THREADS) as pool:
        (winner,) = [found for found in pool.map(change, range(THREADS)) if found is not None]
    assert studied.stored() == 2 + winner


def test_after_a_restore_a_dialog_that_was_opened_before_cannot_save(studied: Studied) -> None:
    studied.change(Change("ann", NEVER), 2)
    opened = studied.stamp()
    with studied.repository.database.write() as connection:
        connection.execute(text("UPDATE studies SET stamp = 'never', changed_by = NULL"))
    with pytest.raises(ChangedMeanwhile, match="undone"):
        studied.change(Change("bob", opened), 3)
    assert studied.stored() == 2
