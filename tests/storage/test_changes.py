"""Of two people who change the same settings at the same time, one is told that the other was faster."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import text

from core.errors import ChangedMeanwhile
from storage import Repository
from storage.engine.changes import Change
from storage.tables import NEVER
from tests.making import make_study
from ui.services.workplace import Workplace

THREADS = 8


class Studied:
    """A study and an account whose settings are changed: by whom, under which stamp, to which number."""

    def __init__(self, repository: Repository, study: int) -> None:
        self.repository, self.study = repository, study
        repository.accounts.add("ada", "admin")
        repository.accounts.add("eve", "viewer")

    def stamp(self, part: str) -> str:
        if part == "study":
            return self.repository.studies.get(self.study).stamp
        return self.repository.accounts.named("eve").stamp

    def change(self, part: str, change: Change, number: int) -> None:
        if part == "study":
            self.repository.studies.settle(self.study, change, items_per_rater=number)
        else:
            role = ("researcher", "admin")[number % 2]
            self.repository.accounts.change("eve", role=role, change=change)

    def stored(self, part: str) -> Any:
        if part == "study":
            return self.repository.studies.get(self.study).design.items_per_rater
        return 2 + ("researcher", "admin").index(self.repository.accounts.named("eve").role)


@pytest.fixture
def studied(birds: Workplace) -> Studied:
    return Studied(birds.repository, make_study(birds, raters_per_item=1).id)


every_part = pytest.mark.parametrize("part", ["study", "account"])


@every_part
def test_who_opened_settings_before_somebody_else_changed_them_is_refused_by_name(studied: Studied, part: str) -> None:
    opened = studied.stamp(part)
    assert opened == NEVER
    studied.change(part, Change("ann@lab.example", opened), 2)
    for stale in (opened, "some-other-stamp"):
        with pytest.raises(ChangedMeanwhile, match=r"because ann@lab\.example changed the same settings"):
            studied.change(part, Change("bob@lab.example", stale), 3)
    assert studied.stored(part) == 2
    studied.change(part, Change("bob@lab.example", studied.stamp(part)), 3)  # after having looked
    assert studied.stored(part) == 3
    with pytest.raises(ChangedMeanwhile, match="because bob"):
        studied.change(part, Change("ann@lab.example", opened), 2)


@every_part
def test_a_command_changes_whatever_is_there_and_open_dialogs_learn_of_it(studied: Studied, part: str) -> None:
    studied.change(part, Change("ann@lab.example", NEVER), 2)
    opened = studied.stamp(part)
    for number in (3, 2, 3):
        studied.change(part, Change("command line"), number)
    assert studied.stored(part) == 3
    with pytest.raises(ChangedMeanwhile, match="because somebody on the command line"):
        studied.change(part, Change("ann@lab.example", opened), 2)


@every_part
@pytest.mark.parametrize("is_first", [True, False])
def test_of_changes_at_the_same_moment_exactly_one_wins(studied: Studied, part: str, is_first: bool) -> None:
    if not is_first:
        studied.change(part, Change("ann", NEVER), 2)
    opened, start = studied.stamp(part), Barrier(THREADS)

    def change(number: int) -> int | None:
        start.wait()
        try:
            studied.change(part, Change(f"person {number}", opened), 2 + number % 2)
        except ChangedMeanwhile as refused:
            assert "because person " in str(refused)
            return None
        return number

    with ThreadPoolExecutor(THREADS) as pool:
        (winner,) = [found for found in pool.map(change, range(THREADS)) if found is not None]
    assert studied.stored(part) == 2 + winner % 2


def test_after_a_restore_a_dialog_that_was_opened_before_cannot_save(studied: Studied) -> None:
    studied.change("study", Change("ann", NEVER), 2)
    opened = studied.stamp("study")
    with studied.repository.database.write() as connection:
        connection.execute(text("UPDATE studies SET stamp = 'never', changed_by = NULL"))
    with pytest.raises(ChangedMeanwhile, match="undone"):
        studied.change("study", Change("bob", opened), 3)
    assert studied.stored("study") == 2
