"""An import takes some records at a time, writes in many transactions, and nobody can tell."""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from sqlalchemy import text

from core.datasets.base import Record
from core.errors import Cancelled
from core.types import EvaluationError, Explanation, ImageRef, ImageRegion, Outcome, Score
from storage import Repository, open_repository
from storage.data import importing
from storage.types import Search
from ui.services.workplace import Workplace

QUERIES = (
    'SELECT d.name, key, candidate, CAST("references" AS TEXT), human, CAST(judgements AS TEXT), i.name'
    " FROM samples s JOIN datasets d ON d.id = s.dataset_id JOIN images i ON i.id = s.image_id ORDER BY d.name, s.id",
    "SELECT d.name, i.name, path, sha256, width, height, CAST(vocabulary AS TEXT) FROM images i JOIN datasets d"
    " ON d.id = i.dataset_id ORDER BY d.name, i.name",
    "SELECT d.name, s.key, signature, value, CAST(explained AS INTEGER), CAST(rationales AS TEXT), error_kind"
    " FROM scores c JOIN samples s ON s.id = c.sample_id JOIN datasets d ON d.id = s.dataset_id ORDER BY 1, 2, 3",
    "SELECT d.name, i.name, place, rle, label FROM annotations a JOIN images i ON i.id = a.image_id"
    " JOIN datasets d ON d.id = i.dataset_id ORDER BY 1, 2, 3",
    "SELECT name, CAST(changes > 0 AS INTEGER), hidden FROM datasets ORDER BY name",
)


def given(chance: random.Random) -> list[Record]:
    """Return records that name each other's samples, contradict each other and fill each other's gaps."""
    made, used = [], set()
    for row in range(chance.randint(1, 12)):
        file, key = Path(chance.choice(["/f1", "/f2"])), chance.choice([None, None, "k1", "k2", "k3", "~a#x"])
        key = None if (file, key) in used else key
        used.add((file, key))
        outcomes = tuple(outcome(chance, metric) for metric in chance.sample("ABC", chance.randint(0, 2)))
        image, caption = chance.choice(["a.jpg", "x/a.png", "b.jpg"]), chance.choice(["one", "two", "two  "])
        references, human = chance.choice([(), ("r",)]), chance.choice([None, 0.0, 0.5])
        is_sample = chance.random() < 0.5
        made.append(Record(file, row, image, caption, key, references, human, scores=outcomes, is_sample=is_sample))
    return made


def outcome(chance: random.Random, metric: str) -> Outcome:
    if chance.random() < 0.2:
        return EvaluationError(metric, f"{metric}|1", "other", "no")
    words = Explanation({"overall": "why"}) if chance.random() < 0.4 else Explanation()
    return Score(metric, chance.choice([0.5, 0.5, 0.25]), f"{metric}|1", explanation=words)


def picture(chance: random.Random, name: str) -> ImageRef:
    number = chance.randint(0, 3)
    if number == 0:
        return ImageRef(name)
    regions = (ImageRegion("abc", (4, 6), "dog"),) if chance.random() < 0.5 else ()
    return ImageRef(name, Path(f"/p/{name}-{number}"), str(number) * 64, 6, 4, regions, ("dog",) if regions else ())


def imported(repository: Repository, seed: int) -> list[Any]:
    """Import several times; return what was told each time, and what is stored then."""
    chance, told = random.Random(seed), list[Any]()
    for _ in range(chance.randint(2, 4)):
        records = given(chance)
        images = {record.picture: picture(chance, record.image.split("/")[-1]) for record in records}
        bad: list[str] = []
        counts = repository.add_records(
            chance.choice("dde"), records, images, lambda row, bad=bad: bad.append(str(row))
        )
        told.append((counts, bad))
    return told + stored(repository)


def stored(repository: Repository) -> list[Any]:
    with repository.database.read() as connection:
        return [list(map(tuple, connection.execute(text(query)))) for query in QUERIES]


@pytest.mark.parametrize("seed", range(4))
def test_it_makes_no_difference_how_many_records_are_taken_together(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = []
    for size in (1, 3, 1_000):
        monkeypatch.setattr(importing, "AT_A_TIME", size)
        repository = open_repository(tmp_path / f"{size}.db")
        results.append(imported(repository, seed))
        repository.close()
    assert results[0] == results[2] and results[1] == results[2]


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
