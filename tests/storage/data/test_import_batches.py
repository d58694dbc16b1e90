"""An import writes in many transactions, and nobody can tell."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from sqlalchemy import text

from core.datasets.base import Record
from core.errors import Cancelled
from core.types import Explanation, ImageRef, Score
from storage import Repository
from storage.data import importing
from storage.types import Search
from ui.services.workplace import Workplace

TABLES = ("datasets", "dataset_counts", "images", "samples", "scores", "annotations")


def stored(repository: Repository) -> list[Any]:
    with repository.database.read() as connection:
        return [list(map(tuple, connection.execute(text(f"SELECT * FROM {table}")))) for table in TABLES]


def several(count: int, scores: tuple[Score, ...] = ()) -> list[Record]:
    return [Record(Path("f"), n, f"{n}.jpg", f"caption {n}", key=f"s{n}", scores=scores) for n in range(count)]


def take_in(repository: Repository, records: list[Record], on_progress: Any) -> None:
    images = {record.picture: ImageRef(record.image) for record in records}
    repository.add_records("d", records, images, pytest.fail, None, on_progress)


def seen(repository: Repository) -> object:
    found = repository.samples.search(Search(None), 0, 100)
    return repository.samples.datasets(), [(one.sample, one.outcomes) for one in found.samples]


@pytest.mark.parametrize("before", [0, 3], ids=["a new data set", "a data set that is there"])
def test_nobody_sees_half_an_import(workplace: Workplace, monkeypatch: pytest.MonkeyPatch, before: int) -> None:
    monkeypatch.setattr(importing, "AT_A_TIME", 2)
    repository, steps = workplace.repository, list[int]()
    if before:
        take_in(repository, several(before), lambda done, total: None)
    at_first = seen(repository)

    def look(done: int, total: int) -> None:
        steps.append(done)
        assert total == 7 and seen(repository) == at_first

    take_in(repository, several(7, (Score("M", 0.5, "M"),)), look)
    assert steps == sorted(steps) and steps[-1] == 7 and seen(repository) != at_first
    assert [len(one.outcomes) for one in repository.samples.search(Search("d"), 0, 100).samples] == [1] * 7


@pytest.mark.parametrize("before", [0, 3], ids=["a new data set", "a data set that is there"])
def test_an_import_that_is_given_up_half_way_leaves_nothing(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    monkeypatch.setattr(importing, "AT_A_TIME", 2)
    if before:
        take_in(workplace.repository, several(before), lambda done, total: None)
    at_first = stored(workplace.repository)

    def give_up(done: int, total: int) -> None:
        if done == 4:
            raise Cancelled("given up")

    with pytest.raises(Cancelled):
        take_in(workplace.repository, several(7, (Score("M", 0.5, "M"),)), give_up)
    assert stored(workplace.repository) == at_first


def test_an_import_is_collected_once_though_its_data_set_is_scored_meanwhile(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "AT_A_TIME", 2)
    repository, steps = workplace.repository, list[int]()
    take_in(repository, several(1), lambda done, total: None)
    (sample,) = repository.samples.ids(Search("d"))

    def score(done: int, total: int) -> None:
        steps.append(done)
        repository.scores.save(sample, Score("N", 0.25, f"N|{done}"))

    take_in(repository, several(6)[1:], score)
    assert steps == sorted(steps) and len(repository.samples.ids(Search("d"))) == 6


def test_two_imports_into_one_data_set_at_a_time_know_of_each_other(workplace: Workplace) -> None:
    repository, keyed = workplace.repository, several(3)[1:]
    take_in(repository, several(1), lambda done, total: None)
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
    take_in(repository, several(1, (Score("M", 0.25, "M"),)), lambda done, total: None)
    explained = Score("M", 0.5, "M", explanation=Explanation({"overall": "why"}))
    records = [*several(1, (Score("M", 0.5, "M"),)), *several(1, (explained,))]
    repository.add_records("d", records, {"0.jpg": ImageRef("0.jpg")}, replaces=True)
    (stored,) = repository.samples.many(repository.samples.ids(Search("d")))
    assert stored.outcomes == (explained,)
