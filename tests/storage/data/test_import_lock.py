"""An import reads while others may write, and writes only what still fits."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from core.datasets.base import Record
from core.errors import BadRow, BadRows, BadSetting
from core.types import ImageRef, Score
from storage import Repository
from storage.types import Search
from tests.statements import statements
from ui.services.workplace import Workplace


def record(number: int, value: float = 0.5) -> Record:
    image = f"{number}.jpg"
    return Record(Path("f"), number, image, f"caption {number}", key=f"s{number}", scores=(Score("M", value, "M"),))


def take_in(repository: Repository, *records: Record) -> None:
    repository.add_records("d", records, {r.image: ImageRef(r.image) for r in records}, pytest.fail)


def reads_the_ledger(sql: str) -> bool:
    return sql.startswith("SELECT") and ".candidate" in sql


def test_others_can_write_while_an_import_reads_what_is_there(workplace: Workplace) -> None:
    take_in(workplace.repository, record(1))
    other = sqlite3.connect(workplace.data_dir / "capscope.db", timeout=0, isolation_level=None)

    def write_beside(sql: str) -> None:
        if reads_the_ledger(sql):
            other.execute("BEGIN IMMEDIATE")  # raises where somebody holds the lock
            other.execute("ROLLBACK")

    with statements(workplace.repository.database, write_beside) as seen:
        take_in(workplace.repository, record(2))
    assert any(map(reads_the_ledger, seen))
    other.close()


@pytest.mark.parametrize("times", [1, 2, 100], ids=["once", "twice", "all the time"])
def test_what_others_write_meanwhile_is_taken_into_account(workplace: Workplace, times: int) -> None:
    repository, told = workplace.repository, list[BadRow]()
    others = [(record(1), record(100 + n)) for n in range(times)]
    taken: list[Record] = []

    def write_beside(done: int, total: int) -> None:
        if others and not taken:
            taken.extend(others.pop())
            take_in(repository, *taken)
            taken.clear()

    records = record(1, 0.75), record(2)
    images = {r.image: ImageRef(r.image) for r in records}
    if times == 100:
        with pytest.raises(BadSetting, match="Nothing was imported, because other programs change the data set d"):
            repository.add_records("d", records, images, told.append, None, write_beside)
        return
    repository.add_records("d", records, images, told.append, None, write_beside)
    stored = repository.samples.search(Search("d"), 0, 100).samples
    keys = [one.sample.key for one in stored]
    assert len(keys) == len(set(keys)) and {"s1", "s2", f"s{100 + times - 1}"} <= set(keys)
    (first,) = [one for one in stored if one.sample.key == "s1"]
    assert [outcome.value for outcome in first.outcomes if isinstance(outcome, Score)] == [0.5]
    assert [row.field for row in told] == ["score of M"]  # the contradiction is told once, however often it was read


def test_a_score_that_others_store_meanwhile_stays_and_the_imports_own_contradicts_it(workplace: Workplace) -> None:
    repository, told = workplace.repository, list[BadRow]()
    take_in(repository, replace(record(1), scores=()))
    (sample,) = repository.samples.ids(Search("d"))

    def score(done: int, total: int) -> None:
        repository.scores.save(sample, Score("M", 0.5, "M"))

    repository.add_records("d", [record(1, 0.75)], {"1.jpg": ImageRef("1.jpg")}, told.append, None, score)
    assert [outcome.value for outcome in repository.samples.get(sample).outcomes if isinstance(outcome, Score)] == [0.5]
    assert [row.field for row in told] == ["score of M"]


def test_rows_that_contradict_what_is_stored_are_told_together_and_nothing_is_written(
    workplace: Workplace,
) -> None:
    repository = workplace.repository
    take_in(repository, *(record(n) for n in range(3)))
    wrong = [replace(record(n), candidate="another caption", row=place) for n, place in ((1, 10), (2, 4_000))]
    records = [wrong[0], *(record(n) for n in range(10, 3_000)), wrong[1]]
    images = {r.image: ImageRef(r.image) for r in records}
    with statements(repository.database) as seen, pytest.raises(BadRows) as told:
        repository.add_records("d", records, images)
    assert [bad.row for bad in told.value.rows] == [10, 4_000]
    assert not [sql for sql in seen if sql.startswith(("INSERT INTO samples", "INSERT INTO scores"))]
    assert len(repository.samples.ids(Search("d"))) == 3
