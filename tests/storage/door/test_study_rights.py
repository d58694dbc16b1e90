"""Rights to studies as they are stored, and what moving an existing installation makes of them."""

import threading

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from core.errors import BadSetting, NotFound
from storage.accounts.study_rights import Share
from tests.making import make_study
from ui.services.workplace import Workplace

BEFORE = "0036"


def test_the_stronger_of_an_accounts_right_and_everyones_counts(birds: Workplace) -> None:
    repository, study = birds.repository, make_study(birds).id
    anna = repository.accounts.add("anna", "researcher")
    repository.rights.share(study, "anna", "see")
    assert repository.rights.of(anna, study) == "run"
    repository.rights.share(study, None, "see")
    repository.rights.share(study, "anna", "own")
    repository.rights.share(study, "anna", "own")
    assert repository.rights.of(anna, study) == "own" == repository.rights.of_account(anna)[study]
    assert repository.rights.shares(study) == (Share(None, "see"), Share("anna", "own"))
    with pytest.raises(NotFound, match="no account 'nobody'"):
        repository.rights.share(study, "nobody", "see")


def test_two_owners_who_remove_each_other_at_the_same_time_leave_one(birds: Workplace) -> None:
    repository, study = birds.repository, make_study(birds).id
    for name in ("anna", "ben"):
        repository.accounts.add(name, "researcher")
        repository.rights.share(study, name, "own")
    refused: list[str] = []

    def remove(name: str) -> None:
        try:
            repository.rights.share(study, name, None)
        except BadSetting:
            refused.append(name)

    threads = [threading.Thread(target=remove, args=(name,)) for name in ("anna", "ben")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 1
    assert [one.account for one in repository.rights.shares(study)] == [None, *refused]


def test_the_database_itself_refuses_a_second_right_of_everyone_and_everyone_as_owner(birds: Workplace) -> None:
    study = make_study(birds).id
    for values in (f"{study}, NULL, 'see'", f"{study}, NULL, 'own'"):
        with pytest.raises(IntegrityError), birds.repository.database.write() as connection:
            connection.execute(text(f"INSERT INTO study_rights (study_id, account_id, may) VALUES ({values})"))


def test_a_deleted_study_leaves_no_rights(birds: Workplace) -> None:
    repository, study = birds.repository, make_study(birds).id
    anna = repository.accounts.add("anna", "researcher")
    repository.rights.share(study, "anna", "own")
    repository.erasures.delete_study(study, "demo")
    assert repository.rights.of(anna, study) is None and repository.rights.shares(study) == ()
