"""A bundle is imported in short transactions. An import that was killed leaves nothing that anybody sees."""

from contextlib import nullcontext
from pathlib import Path

import pytest
from sqlalchemy import func, select

from core.analysis.codebooks import Code, Codebook
from core.errors import AlreadyExists
from core.long_work.progress import reporting
from storage import Repository
from storage.data.hidden_datasets import delete_hidden
from storage.engine import short_transactions
from storage.study_types import Study
from storage.tables import Table
from tests.making import METRICS, answer_all, make_study
from tests.statements import statements
from ui.services.transfer.bundle import import_bundle, write_bundle
from ui.services.workplace import Workplace

NAMES = ("imported", "imported birds")


class Killed(Exception):
    pass


@pytest.fixture
def bundle(birds: Workplace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A rated study with codes of errors. A transaction of the import writes at most two rows."""
    repository, study = birds.repository, make_study(birds, "pilot", size=3, raters_per_item=2)
    for code in ("K7", "K8"):
        answer_all(repository, study, repository.raters.add(code))
    repository.life.exclude(study.id, "K8", "answers at random")
    repository.codings.add_codebook(Codebook("mine", "a source", (Code("a", "A"),)))
    repository.codings.set(1, METRICS[0], "mine", "ann", "a")
    write_bundle(birds, study, tmp_path / "pilot.zip")
    monkeypatch.setattr(short_transactions, "FEWEST", 1)
    monkeypatch.setattr(short_transactions, "MOST", 2)
    defaults = short_transactions.Portions.__init__.__defaults__ or ()
    monkeypatch.setattr(short_transactions.Portions.__init__, "__defaults__", (2, *defaults[1:]))
    return tmp_path / "pilot.zip"


def rows(repository: Repository) -> dict[str, int]:
    """Return the number of rows of each table."""
    with repository.database.read() as connection:
        tables = Table.metadata.sorted_tables
        return {table.name: connection.scalar(select(func.count()).select_from(table)) or 0 for table in tables}


def visible(repository: Repository) -> list[object]:
    """Return what people can see of data sets, studies and raters."""
    datasets = [one.name for one in repository.samples.datasets()]
    return [
        datasets,
        [study.name for study, _ in repository.studies.overview()],
        [study.name for name in datasets for study in repository.analysis.studies(name)],
        repository.analysis.ratings(1),
        sorted(rater.code for study in repository.studies.all() for rater in repository.studies.progress(study.id)),
    ]


def test_others_write_between_two_batches_of_every_table_and_see_nothing_of_the_study(
    birds: Workplace, bundle: Path
) -> None:
    repository, before, batches = birds.repository, visible(birds.repository), dict[str, int]()

    def between(what: str, done: int, total: int) -> None:
        table = what.removeprefix("Taking in ")
        batches[table] = batches.get(table, 0) + 1
        assert visible(repository) == before
        repository.raters.add(f"{table.upper()}{batches[table]}")  # raises if another transaction holds the database

    with reporting(between):
        study, _ = import_bundle(birds, bundle, *NAMES)
    made = {"ratings", "events", "assignments", "items", "item_scores", "codings", "images", "samples", "scores"}
    assert set(batches) >= made and min(batches[table] for table in ("ratings", "events", "assignments", "items")) > 1
    assert _takers(repository, study) == _takers(repository, repository.studies.named("pilot")) != []
    codes = [rater.code for rater in repository.studies.progress(study.id)]
    assert codes == ["K7-2", "K8-2"] and repository.studies.get(study.id).name == "imported"


@pytest.mark.parametrize(
    "moment",
    ["codings", "assignments", "events", "study_courses"],
)
def test_an_import_that_was_killed_is_hidden_and_the_next_start_deletes_it(
    birds: Workplace, bundle: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = birds.repository
    before, seen, inserted = rows(repository), visible(repository), list[str]()

    def kill(sql: str) -> None:
        if sql.startswith(f"INSERT INTO {moment} "):
            inserted.append(sql)
            if len(inserted) == (1 if moment in ("codings", "study_courses") else 2):
                raise Killed

    with monkeypatch.context() as killed, statements(repository.database, kill), pytest.raises(Killed):
        killed.setattr("storage.transfer.bundle_import.deleted_unless_complete", lambda *_: nullcontext())
        killed.setattr("storage.data.hidden_datasets._delete_unless_shown", lambda *_: None)
        import_bundle(birds, bundle, *NAMES)
    assert visible(repository) == seen and rows(repository) != before
    assert {repository.raters.named(code).code for code in ("K7", "K8")} == {"K7", "K8"}
    assert repository.delete_hidden() == 1
    after = rows(repository)
    assert after.pop("erasures") == (1 if moment in ("events", "study_courses") else 0)
    assert after == {name: number for name, number in before.items() if name != "erasures"}
    assert repository.delete_hidden() == 0  # nothing is left to do
    study, _ = import_bundle(birds, bundle, *NAMES)
    assert len(list(repository.studies.records(study.id))) == len(
        list(repository.studies.records(repository.studies.named("pilot").id))
    )


@pytest.mark.parametrize("moment", ["ratings", "events"])
def test_an_import_whose_name_was_taken_meanwhile_leaves_nothing(birds: Workplace, bundle: Path, moment: str) -> None:
    repository = birds.repository

    def take_the_name(what: str, done: int, total: int) -> None:
        if what == f"Taking in {moment}" and done == 0:
            repository.life.duplicate(repository.studies.named("pilot").id, "imported")
            before.update(rows(repository))

    before: dict[str, int] = {}
    own = rows(repository)["studies"]
    with reporting(take_the_name), pytest.raises(AlreadyExists, match="'imported'"):
        import_bundle(birds, bundle, *NAMES)
    after = rows(repository)
    assert after["studies"] == own + 1 and after["raters"] == 2
    assert [one.name for one in repository.samples.datasets()] == ["birds"]
    assert after["samples"] < before["samples"] and after["codings"] == 1


def test_a_data_set_of_an_incomplete_study_is_deleted_with_the_study_only(
    birds: Workplace, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = birds.repository

    def kill(sql: str) -> None:
        if sql.startswith("INSERT INTO ratings "):
            raise Killed

    with monkeypatch.context() as killed, statements(repository.database, kill), pytest.raises(Killed):
        killed.setattr("storage.transfer.bundle_import.deleted_unless_complete", lambda *_: nullcontext())
        killed.setattr("storage.data.hidden_datasets._delete_unless_shown", lambda *_: None)
        import_bundle(birds, bundle, *NAMES)
    assert delete_hidden(repository.database) == 0  # an import begins with this
    assert repository.delete_hidden() == 1


def _takers(repository: Repository, study: Study) -> list[int]:
    items = Table.metadata.tables["items"]
    with repository.database.read() as connection:
        query = select(items.c.takers).where(items.c.study_id == study.id).order_by(items.c.place)
        return list(connection.scalars(query))
