"""Making a data set of another one's samples: in short transactions, hidden until it is whole, in linear time."""

from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import func, select

from core.long_work.progress import reporting
from core.regions import masks
from core.types import ImageRegion, Score
from storage.engine.database import Database
from storage.tables import DatasetRow, ImageRow, SampleRow, ScoreRow
from storage.types import Search
from tests.making import import_rows, opened_again, rows, values_of
from ui.services.workplace import Workplace


class Stopped(Exception):
    """Ends a copy half way."""


def counts(database: Database) -> list[int]:
    with database.read() as connection:
        tables = (DatasetRow, ImageRow, SampleRow, ScoreRow)
        return [connection.scalar(select(func.count()).select_from(table)) or 0 for table in tables]


def keys(place: Workplace, dataset: str) -> list[str]:
    samples = place.repository.samples
    return [one.sample.key for one in samples.many(samples.ids(Search(dataset)))]


@pytest.fixture
def many(workplace: Workplace, tmp_path: Path) -> Workplace:
    """A data set of 700 samples of two pictures, each with a score."""
    scored = [one | {"image": f"{n % 2}.png"} for n, one in enumerate(rows(700))]
    import_rows(workplace, tmp_path / "files", scored, "many")
    ids = workplace.repository.samples.ids(Search("many"))
    workplace.repository.scores.save_all([(one, Score("M", 0.5, "M|1")) for one in ids])
    return workplace


def test_each_sample_comes_once_in_the_order_of_the_ids_and_foreign_ones_are_left_out(
    many: Workplace, tmp_path: Path
) -> None:
    import_rows(many, tmp_path / "more", rows(2), "two")
    ids = many.repository.samples.ids(Search("many"))
    foreign = many.repository.samples.ids(Search("two"))
    assert many.repository.copy_samples("many", [ids[5], foreign[0], 999_999, ids[0], ids[5]], "some") == 2
    assert keys(many, "some") == [rows(700)[5]["id"], rows(700)[0]["id"]]


def test_others_write_while_a_data_set_is_copied_and_nobody_sees_half_of_it(many: Workplace) -> None:
    """The writers' lock was held for the whole copy: raters waited for minutes, and their saves were given up."""
    repository, other = many.repository, opened_again(many)
    ids = repository.samples.ids(Search("many"))
    seen, told = [], []

    def between(what: str, done: int, total: int) -> None:
        told.append((what, done, total))
        if 0 < done < total:
            with other.database.write(patience_s=1):
                seen.append([one.name for one in other.samples.datasets()])

    with reporting(between):
        assert repository.copy_samples("many", ids, "copy") == 700
    assert len(seen) >= 2  # a portion is at most twice the one before: 100, 200, 400
    assert {tuple(names) for names in seen} == {("many",)}
    assert told[0] == ("Copying samples", 0, 700) and told[-1] == ("Copying samples", 700, 700)
    assert keys(many, "copy") == keys(many, "many")
    assert [one.name for one in other.samples.datasets()] == ["copy", "many"]
    other.close()


def test_pictures_with_their_regions_and_scores_are_copied_once_whatever_the_portion(many: Workplace) -> None:
    region = ImageRegion(masks.encode(np.ones((48, 64), dtype=bool)), (48, 64), "all")
    many.repository.annotate("many", {"0.png": (region,)})
    before = counts(many.repository.database)
    many.repository.copy_samples("many", many.repository.samples.ids(Search("many")), "copy")
    after = counts(many.repository.database)
    assert [b - a for a, b in zip(before, after, strict=True)] == [1, 2, 700, before[3]]
    first = many.repository.samples.get(many.repository.samples.ids(Search("copy"))[0])
    assert first.sample.image.regions == (region,)


def test_outcomes_that_are_stored_meanwhile_are_left_out(many: Workplace) -> None:
    repository = many.repository
    ids = repository.samples.ids(Search("many"))

    def score(what: str, done: int, total: int) -> None:
        if done == 0:
            repository.scores.save(ids[0], Score("Late", 0.5, "Late|1"))
            repository.scores.save(ids[-1], Score("Late", 0.5, "Late|1"))

    with reporting(score):
        repository.copy_samples("many", ids, "copy")
    assert repository.scores.signatures("copy", "M") == ("M|1",)
    assert repository.scores.signatures("copy", "Late") == ()
    assert len(values_of(repository, "copy", "M|1")) == 700


def test_a_copy_that_is_stopped_after_its_last_samples_leaves_nothing(many: Workplace) -> None:
    before = counts(many.repository.database)

    def stop(what: str, done: int, total: int) -> None:
        if done == total:
            raise Stopped

    with pytest.raises(Stopped), reporting(stop):
        many.repository.copy_samples("many", many.repository.samples.ids(Search("many")), "copy")
    assert counts(many.repository.database) == before
