"""A study is deleted in short transactions: nobody sees half of one, and a deletion that was killed is gone on with."""

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from core.errors import NotFound
from storage import Repository
from storage.engine import short_transactions
from storage.study_types import Study
from storage.tables import Table
from tests.making import answer_all, make_study
from tests.statements import statements
from ui.services.workplace import Workplace


class Killed(Exception):
    pass


@pytest.fixture
def gone(birds: Workplace, monkeypatch: pytest.MonkeyPatch) -> Iterator[Study]:
    """A rated study, of which a transaction deletes two rows at most."""
    repository = birds.repository
    raters = [repository.raters.add(code) for code in ("K7", "K8")]
    for name in ("kept", "gone"):
        study = make_study(birds, name, size=3, raters_per_item=2)
        for rater in raters:
            answer_all(repository, study, rater)
    monkeypatch.setattr(short_transactions, "FEWEST", 1)
    monkeypatch.setattr(short_transactions, "MOST", 2)
    defaults = short_transactions.Portions.__init__.__defaults__ or ()
    monkeypatch.setattr(short_transactions.Portions.__init__, "__defaults__", (2, *defaults[1:]))
    yield study


def test_a_study_is_deleted_in_many_transactions_and_nobody_sees_a_part_of_it(birds: Workplace, gone: Study) -> None:
    repository, looks = birds.repository, list[int]()

    def look(sql: str) -> None:
        if sql.startswith("DELETE FROM ratings"):
            looks.append(1)
            assert [one.name for one in repository.studies.all()] == ["kept"]
            assert [one.name for one in repository.analysis.studies("birds")] == ["kept"]
            assert {one.study for sample in (1, 2, 3) for one in repository.analysis.ratings(sample)} <= {"kept"}
            with pytest.raises(NotFound):
                repository.studies.get(gone.id)

    before = _rows(repository, "ratings")
    with statements(repository.database, look):
        assert repository.erasures.delete_study(gone.id, "gone") == before // 2
    assert len(looks) > 3
    assert _left(repository, gone) == {}
    assert _rows(repository, "ratings") == before // 2


def test_a_deletion_that_was_killed_hides_the_study_and_the_next_start_goes_on_with_it(
    birds: Workplace, gone: Study
) -> None:
    repository, events = birds.repository, _rows(birds.repository, "events")

    def kill(sql: str) -> None:
        if sql.startswith("DELETE FROM assignments"):
            raise Killed

    with statements(repository.database, kill), pytest.raises(Killed):
        repository.erasures.delete_study(gone.id, "gone")
    assert [one.name for one in repository.studies.all()] == ["kept"] and _left(repository, gone)
    again = make_study(birds, "gone", size=2)  # its name is free
    assert again.id != gone.id
    repository.delete_hidden()
    assert _left(repository, gone) == {}
    with repository.database.read() as connection:
        erased = connection.execute(text("SELECT study, events_gone, open FROM erasures")).all()
    assert erased == [(gone.id, events // 2, 0)]
    repository.delete_hidden()  # nothing is left to do
    assert {one.name for one in repository.studies.all()} == {"kept", "gone"}


def _rows(repository: Repository, table: str) -> int:
    with repository.database.read() as connection:
        return int(connection.scalar(text(f"SELECT count(*) FROM {table}")))


def _left(repository: Repository, study: Study) -> dict[str, int]:
    """Return how many rows of a study each table has, tables without any left out."""
    tables = [table.name for table in Table.metadata.sorted_tables if "study_id" in table.columns]
    with repository.database.read() as connection:
        of = {name: f"SELECT count(*) FROM {name} WHERE study_id = {study.id}" for name in tables}
        found = {name: connection.scalar(text(sql)) for name, sql in of.items()}
    return {name: number for name, number in found.items() if number}
