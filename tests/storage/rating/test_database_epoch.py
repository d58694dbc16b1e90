"""The epoch, by which pages recognise a database that went back to an earlier time."""

import pytest

from core.errors import StorageFull
from storage.rating.epochs import LOOK_EVERY_S, Epochs
from tests.making import answer_all, make_study, rating
from ui.services.workplace import Workplace


class Clock:
    """A clock that goes on when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    def wait(self) -> None:
        self.now += LOOK_EVERY_S


def epochs_of(workplace: Workplace, clock: Clock | None = None) -> Epochs:
    """Return the epoch as a server that has just started sees it."""
    return Epochs(workplace.repository.database, clock or Clock())


def test_every_start_of_a_server_begins_another_epoch_which_all_servers_of_the_database_then_report(
    workplace: Workplace,
) -> None:
    clock = Clock()
    first = epochs_of(workplace, clock)
    before = first.now()
    clock.wait()
    assert first.now() == before
    second = epochs_of(workplace, clock)
    after = second.now()
    assert after != before
    clock.wait()
    assert (first.now(), second.now()) == (after, after)


def test_answers_that_go_missing_under_a_running_server_begin_another_epoch(birds: Workplace) -> None:
    study, clock = make_study(birds, size=2), Clock()
    answer_all(birds.repository, study, birds.repository.raters.add("K7"))
    epochs = epochs_of(birds, clock)
    before = epochs.now()
    birds.repository.managing.erase_rater("K7", False)  # as a restore does, it takes the newest events away
    assert epochs.now() == before  # within the same second
    clock.wait()
    after = epochs.now()
    assert after != before
    clock.wait()
    assert epochs.now() == after


def test_answers_that_go_missing_before_the_next_look_begin_another_epoch(birds: Workplace) -> None:
    study, repository = make_study(birds, size=2), birds.repository
    first, last = (repository.raters.add(code) for code in ("K7", "K8"))
    answer_all(repository, study, first)
    before = repository.epochs.now()
    answer_all(repository, study, last)  # within the same second; nobody asks for the epoch after that
    repository.managing.erase_rater("K8", False)  # as a restore of a backup from between the two takes them away
    repository.epochs._looked = None  # a second later
    assert repository.epochs.now() != before


def test_a_full_disk_keeps_the_epoch_from_being_stored_but_not_from_being_read(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    epochs = epochs_of(workplace, clock)
    with monkeypatch.context() as patch:
        patch.setattr(epochs, "renew", lambda: (_ for _ in ()).throw(StorageFull()))
        unstored = epochs.now()
        clock.wait()
        assert epochs.now() == unstored
    clock.wait()
    assert epochs.now() != unstored


def test_the_keys_that_a_rater_has_stored_are_told_from_missing_ones_and_from_other_raters_keys(
    birds: Workplace,
) -> None:
    repository, study = birds.repository, make_study(birds, size=2)
    k7, k8 = repository.raters.add("K7"), repository.raters.add("K8")
    (mine,) = repository.desk.queue(study.id, k7, None, 1).items
    (other,) = repository.desk.queue(study.id, k8, None, 1).items
    repository.save(k7, [rating(mine, key="stored-by-k7")])
    repository.save(k8, [rating(other, key="stored-by-k8")])
    epochs = epochs_of(birds)
    assert epochs.missing(k7, ["unknown-2", "stored-by-k7", "stored-by-k8", "unknown-1"]) == (
        "unknown-2",
        "stored-by-k8",
        "unknown-1",
    )
    assert epochs.missing(k7, []) == ()
