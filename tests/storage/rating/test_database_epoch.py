"""The epoch, by which pages recognise a database that went back to an earlier time."""

import pytest

from core.errors import StorageFull
from storage.rating.epochs import Epochs
from tests.making import answer_all, make_study, rating
from ui.services.workplace import Workplace


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
    epochs = Epochs(workplace.repository.database)
    with monkeypatch.context() as patch:
        patch.setattr(epochs, "renew", lambda: (_ for _ in ()).throw(StorageFull()))
        unstored = epochs.now()
        epochs._looked = None  # a second later
        assert epochs.now() == unstored
    epochs._looked = None
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
    epochs = Epochs(birds.repository.database)
    assert epochs.missing(k7, ["unknown-2", "stored-by-k7", "stored-by-k8", "unknown-1"]) == (
        "unknown-2",
        "stored-by-k8",
        "unknown-1",
    )
    assert epochs.missing(k7, []) == ()
