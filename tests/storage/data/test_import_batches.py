"""An import writes in many transactions, and nobody can tell; others write meanwhile, and it writes only what fits."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from sqlalchemy import text

from core.datasets.base import Record, ignore_progress
from core.errors import BadRow, BadRows, BadSetting, Cancelled
from core.types import Explanation, ImageRef, Score
from storage import Repository
from storage.data import importing
from storage.types import Search
from tests.statements import statements
from ui.services.workplace import Workplace

TABLES = ("datasets", "dataset_counts", "images", "samples", "scores", "annotations")


def stored(repository: Repository) -> list[Any]:
    with repository.database.read() as connection:
        return [list(map(tuple, connection.execute(text(f"SELECT * FROM {table}")))) for table in TABLES]


def record(number: int, *values: float) -> Record:
    scores = tuple(Score("M", value, "M") for value in values)
    return Record(Path("f"), number, f"{number}.jpg", f"caption {number}", key=f"s{number}", scores=scores)


def several(count: int, *values: float) -> list[Record]:
    return [record(number, *values) for number in range(count)]


def take_in(
    repository: Repository, records: list[Record], on_progress: Any = ignore_progress, on_bad: Any = pytest.fail
) -> None:
    images = {record.picture: ImageRef(record.image) for record in records}
    repository.add_records("d", records, images, on_bad, None, on_progress)


def seen(repository: Repository) -> object:
    found = repository.samples.search(Search(None), 0, 100)
    return repository.samples.datasets(), [(one.sample, one.outcomes) for one in found.samples]


@pytest.mark.parametrize("before", [0, 3], ids=["a new data set", "a data set that is there"])
def test_nobody_sees_half_an_import(workplace: Workplace, monkeypatch: pytest.MonkeyPatch, before: int) -> None:
    monkeypatch.setattr(importing, "AT_A_TIME", 2)
    repository, steps = workplace.repository, list[int]()
    if before:
        take_in(repository, several(before))
    at_first = seen(repository)

    def look(done: int, total: int) -> None:
        steps.append(done)
        assert total == 7 and seen(repository) == at_first

    take_in(repository, several(7, 0.5), look)
    assert steps == sorted(steps) and steps[-1] == 7 and seen(repository) != at_first
    assert [len(one.outcomes) for one in repository.samples.search(Search("d"), 0, 100).samples] == [1] * 7


@pytest.mark.parametrize("before", [0, 3], ids=["a new data set", "a data set that is there"])
def test_an_import_that_is_given_up_half_way_leaves_nothing(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    monkeypatch.setattr(importing, "AT_A_TIME", 2)
    if before:
        take_in(workplace.repository, several(before))
    at_first = stored(workplace.repository)

    def give_up(done: int, total: int) -> None:
        if done == 4:
            raise Cancelled("given up")

    with pytest.raises(Cancelled):
        take_in(workplace.repository, several(7, 0.5), give_up)
    assert stored(workplace.repository) == at_first


def test_an_import_is_collected_once_though_its_data_set_is_scored_meanwhile(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "AT_A_TIME", 2)
    repository, steps = workplace.repository, list[int]()
    take_in(repository, several(1))
    (sample,) = repository.samples.ids(Search("d"))

    def score(done: int, total: int) -> None:
        steps.append(done)
        repository.scores.save(sample, Score("N", 0.25, f"N|{done}"))

    take_in(repository, several(6)[1:], score)
    assert steps == sorted(steps) and len(repository.samples.ids(Search("d"))) == 6


def test_two_imports_into_one_data_set_at_a_time_know_of_each_other(workplace: Workplace) -> None:
    repository, keyed = workplace.repository, several(3)[1:]
    take_in(repository, several(1))
    written, may_end = Event(), Event()

    def stop_before_the_end(done: int, total: int) -> None:
        written.set()
        assert may_end.wait(60)

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(take_in, repository, keyed, stop_before_the_end)
        assert written.wait(60)

        def let_the_first_end(done: int, total: int) -> None:
            may_end.set()
            first.result(60)

        take_in(repository, [replace(record, key=None) for record in keyed], let_the_first_end)
    found = [one.sample for one in repository.samples.many(repository.samples.ids(Search("d")))]
    assert len({(one.image.name, one.candidate) for one in found}) == len(found) == 3


def test_a_replaced_score_stays_replaced_when_a_later_record_explains_it(workplace: Workplace) -> None:
    repository = workplace.repository
    take_in(repository, several(1, 0.25))
    explained = Score("M", 0.5, "M", explanation=Explanation({"overall": "why"}))
    records = [record(0, 0.5), replace(record(0), scores=(explained,))]
    repository.add_records("d", records, {"0.jpg": ImageRef("0.jpg")}, replaces=True)
    (stored,) = repository.samples.many(repository.samples.ids(Search("d")))
    assert stored.outcomes == (explained,)


def reads_samples(sql: str) -> bool:
    return sql.startswith("SELECT") and ".candidate" in sql


def test_others_can_write_while_an_import_reads_what_is_there(workplace: Workplace) -> None:
    take_in(workplace.repository, [record(1)])
    other = sqlite3.connect(workplace.data_dir / "capscope.db", timeout=0, isolation_level=None)

    def write_beside(sql: str) -> None:
        if reads_samples(sql):
            other.execute("BEGIN IMMEDIATE")  # raises where somebody holds the lock
            other.execute("ROLLBACK")

    with statements(workplace.repository.database, write_beside) as seen:
        take_in(workplace.repository, [record(2)])
    assert any(map(reads_samples, seen))
    other.close()


@pytest.mark.parametrize("times", [1, 2, 100], ids=["once", "twice", "all the time"])
def test_what_others_write_meanwhile_is_taken_into_account(workplace: Workplace, times: int) -> None:
    repository, told = workplace.repository, list[BadRow]()
    others = [[record(1, 0.5), record(100 + n)] for n in range(times)]
    taken: list[Record] = []

    def write_beside(done: int, total: int) -> None:
        if others and not taken:
            taken.extend(others.pop())
            take_in(repository, taken)
            taken.clear()

    records = [record(1, 0.75), record(2)]
    if times == 100:
        with pytest.raises(BadSetting, match="Nothing was imported, because other programs change the data set d"):
            take_in(repository, records, write_beside, told.append)
        return
    take_in(repository, records, write_beside, told.append)
    stored = repository.samples.search(Search("d"), 0, 100).samples
    keys = [one.sample.key for one in stored]
    assert len(keys) == len(set(keys)) and {"s1", "s2", f"s{100 + times - 1}"} <= set(keys)
    (first,) = [one for one in stored if one.sample.key == "s1"]
    assert [outcome.value for outcome in first.outcomes if isinstance(outcome, Score)] == [0.5]
    assert [row.field for row in told] == ["score of M"]  # the contradiction is told once, however often it was read


def test_rows_that_contradict_what_is_stored_are_told_together_and_nothing_is_written(
    workplace: Workplace,
) -> None:
    repository = workplace.repository
    take_in(repository, several(3))
    before = stored(repository)
    wrong = [replace(record(n), candidate="another caption", row=place) for n, place in ((1, 10), (2, 4_000))]
    records = [wrong[0], *(record(n) for n in range(10, 3_000)), wrong[1]]
    with pytest.raises(BadRows) as told:
        take_in(repository, records, on_bad=None)
    assert [bad.row for bad in told.value.rows] == [10, 4_000]
    assert stored(repository) == before
