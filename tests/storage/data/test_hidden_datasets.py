"""Nobody sees a data set that is being made or deleted, and what a killed process leaves of one goes."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, insert, select, update

from core.errors import AlreadyExists, NotFound, StorageUnavailable
from storage import Repository
from storage.data.hidden_datasets import ABANDONED, delete_hidden, making, show
from storage.engine.database import Database, utc_now
from storage.tables import AnnotationRow, DatasetRow, ImageRow, SampleRow, ScoreRow
from storage.types import Search
from tests.conftest import copied
from ui.services.workplace import Workplace

DIGEST = "d" * 64
FILLED = (DatasetRow, ImageRow, AnnotationRow, SampleRow, ScoreRow)


def counts(database: Database) -> list[int]:
    with database.read() as connection:
        return [connection.scalar(select(func.count()).select_from(table)) or 0 for table in FILLED]


def fill(database: Database, dataset: int, samples: int = 30) -> tuple[int, int]:
    """Give a data set samples, each with a score and a picture with a region; returns ids of a picture and a sample."""
    with database.write() as connection:
        first = (
            (connection.scalar(select(func.max(ImageRow.id))) or 0) + 1,
            (connection.scalar(select(func.max(SampleRow.id))) or 0) + 1,
        )
        scores = (connection.scalar(select(func.max(ScoreRow.id))) or 0) + 1
        numbers = range(samples)
        size = {"width": 4, "height": 4}
        picture = {"dataset_id": dataset, "path": "/p.png", "sha256": DIGEST, "vocabulary": ["sky"], **size}
        connection.execute(insert(ImageRow), [picture | {"id": first[0] + n, "name": f"{n}.png"} for n in numbers])
        region = {"place": 0, "rle": "abc", "label": "sky", "is_crowd": False, **size}
        connection.execute(insert(AnnotationRow), [region | {"image_id": first[0] + n} for n in numbers])
        sample = {"dataset_id": dataset, "candidate": "a unicorn", "references": [], "human": 0.5, "judgements": []}
        rows = [sample | {"id": first[1] + n, "image_id": first[0] + n, "key": f"u{n}"} for n in numbers]
        connection.execute(insert(SampleRow), rows)
        score: dict[str, Any] = {"metric": "Rare", "signature": "Rare", "value": 0.5, "scale_low": 0, "scale_high": 1}
        score |= {"components": {}, "rationales": {}, "phrases": [], "regions": [], "explained": True}
        connection.execute(insert(ScoreRow), [score | {"id": scores + n, "sample_id": first[1] + n} for n in numbers])
    return first


def seen(repository: Repository) -> list[object]:
    """Return what every verb tells that names no data set."""
    samples = repository.samples
    every = [
        samples.search(search, 0, 1_000)
        for search in (Search(None), Search(None, "unicorn"), Search(None, metric="Rare"))
    ]
    return [
        samples.datasets(),
        [(page.total, [one.id for one in page.samples]) for page in every],
        samples.ids(Search(None)),
        samples.annotations_of(DIGEST, "birds"),
        repository.analysis.scored_datasets(),
        refusal(repository, "no such"),
    ]


def refusal(repository: Repository, dataset: str) -> str:
    with pytest.raises(NotFound) as told:
        repository.samples.pictures(dataset)
    return str(told.value)


@pytest.mark.parametrize("template", ["empty", "birds"])
def test_no_verb_sees_a_hidden_data_set(template: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    with copied(request.getfixturevalue(f"{template}_folder"), tmp_path / "data") as workplace:
        repository, database = workplace.repository, workplace.repository.database
        before = seen(repository)
        with making(database) as made:
            image, sample = fill(database, made.id)
            assert seen(repository) == before
            assert list(repository.samples.many([sample])) == []
            for look in (lambda: repository.samples.get(sample), lambda: repository.samples.image(image)):
                with pytest.raises(NotFound):
                    look()
            with database.write() as connection:
                show(connection, made, "unicorns")
        assert [one.name for one in repository.samples.datasets()][-1] == "unicorns"
        assert repository.samples.get(sample).dataset == "unicorns"
        assert seen(repository) != before


def test_a_name_that_is_taken_leaves_nothing(birds: Workplace) -> None:
    database = birds.repository.database
    before = counts(database)
    with pytest.raises(AlreadyExists, match="birds"), making(database) as made:
        fill(database, made.id)
        with database.write() as connection:
            show(connection, made, "birds")
    assert counts(database) == before


def test_what_a_killed_process_leaves_is_deleted_after_a_day(workplace: Workplace) -> None:
    database = workplace.repository.database
    killed = making(database)
    made = killed.__enter__()  # the end of the block never runs
    fill(database, made.id)
    assert delete_hidden(database) == 0 and counts(database)[3] == 30
    with database.write() as connection:
        connection.execute(update(DatasetRow).values(created_at=utc_now() - ABANDONED))
    assert delete_hidden(database) == 1
    assert counts(database) == [0] * 5
    with database.write() as connection, pytest.raises(StorageUnavailable):
        show(connection, made, "d")
