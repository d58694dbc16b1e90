"""The counts that triggers keep are those of counting anew, whoever wrote what, on both databases."""

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, func, select, update

from core.regions import masks
from core.types import EvaluationError, Explanation, ImageRegion, Score
from storage.data.hidden_datasets import ABANDONED
from storage.engine.database import utc_now
from storage.tables import AnnotationRow, DatasetCountRow, DatasetRow, ImageRow, SampleRow, ScoreRow, as_text
from storage.types import DatasetSummary, Search
from tests.making import import_rows, rows
from ui.services.workplace import Workplace

REGION = ImageRegion(masks.full((48, 64)), (48, 64), "sky")


def counted(connection: Connection, dataset: Any) -> DatasetSummary:
    """Count a data set's rows."""
    samples = connection.execute(
        select(SampleRow.id, as_text(SampleRow.judgements).label("said")).where(SampleRow.dataset_id == dataset.id)
    ).all()
    images = connection.execute(select(ImageRow.id, ImageRow.path).where(ImageRow.dataset_id == dataset.id)).all()
    ours = select(ScoreRow.metric, ScoreRow.value, ScoreRow.explained).join(SampleRow)
    scores = connection.execute(ours.where(SampleRow.dataset_id == dataset.id)).all()
    regions = select(func.count(AnnotationRow.image_id.distinct())).join(
        ImageRow, ImageRow.id == AnnotationRow.image_id
    )
    with_value = Counter(row.metric for row in scores if row.value is not None)
    return DatasetSummary(
        name=dataset.name,
        notice=dataset.notice,
        samples=len(samples),
        scores={metric: with_value[metric] for metric in sorted({row.metric for row in scores})},
        explained=dict(Counter(row.metric for row in scores if row.explained)),
        images_found=sum(row.path is not None for row in images),
        images_missing=sum(row.path is None for row in images),
        annotated=connection.scalar(regions.where(ImageRow.dataset_id == dataset.id)) or 0,
    )


def check(workplace: Workplace) -> tuple[DatasetSummary, ...]:
    """Compare what is kept with counting anew, of hidden data sets as well; returns what everybody sees."""
    with workplace.repository.database.read() as connection:
        known = connection.execute(select(*DatasetRow.__table__.columns).order_by(DatasetRow.name)).all()
        anew = {row.id: counted(connection, row) for row in known}
        kept = connection.execute(select(*DatasetCountRow.__table__.columns)).all()
        assert {row.dataset_id for row in kept} <= anew.keys()
        regions = select(ImageRow.regions, func.count(AnnotationRow.image_id)).group_by(ImageRow.id)
        pictures = connection.execute(regions.outerjoin(AnnotationRow, AnnotationRow.image_id == ImageRow.id))
        assert all(number == count for number, count in pictures)
        hidden = {row.id for row in known if row.hidden}
        assert sum(row.number for row in kept if row.counted == "samples") == sum(one.samples for one in anew.values())
    seen = workplace.repository.samples.datasets()
    assert seen == tuple(one for number, one in anew.items() if number not in hidden)
    return seen


def test_kept_counts_are_those_of_counting_anew_whatever_is_done(workplace: Workplace, tmp_path: Path) -> None:
    repository, database = workplace.repository, workplace.repository.database
    judged = ([2, 2.0], [2, 3], [], [0.1, 0.1])
    given = [row | {"judgements": one} for row, one in zip(rows(4), judged, strict=True)]
    import_rows(workplace, tmp_path / "a", given, "a")
    given[0]["scores"] = [
        {"metric": "Bare", "value": 0.5},
        {"metric": "Lost", "error": {"kind": "other", "message": "."}},
    ]
    import_rows(workplace, tmp_path / "a", given, "a")
    without = [row | {"image": f"missing-{number}.png"} for number, row in enumerate(rows(3))]
    import_rows(workplace, tmp_path / "b", without, "b")
    assert [one.samples for one in check(workplace)] == [4, 3]

    ids = list(repository.samples.ids(Search()))
    error = EvaluationError("M", "M|1", "other", "No.")
    repository.scores.save_all([(one, error) for one in ids])
    check(workplace)
    explained = Score("M", 0.5, "M|1", explanation=Explanation({"overall": "why"}))
    repository.scores.save_all([(ids[0], explained), (ids[1], replace(explained, explanation=Explanation()))])
    assert check(workplace)[0].explained["M"] == 1

    repository.annotate("a", {"secretpicture-0.png": [REGION] * 2, "secretpicture-1.png": [REGION]})
    assert check(workplace)[0].annotated == 2

    with suppress(ZeroDivisionError), database.write() as connection:
        connection.execute(delete(ScoreRow))
        raise ZeroDivisionError
    check(workplace)
    with database.write() as connection:
        connection.execute(update(SampleRow).where(SampleRow.id.in_(ids[:2])).values(judgements=[4, 4]))
        connection.execute(update(ScoreRow).where(ScoreRow.value.is_not(None)).values(explained=~ScoreRow.explained))
        nowhere = {"path": None, "sha256": None, "width": None, "height": None}
        bare = ImageRow.id.not_in(select(AnnotationRow.image_id))
        connection.execute(update(ImageRow).where(bare).values(nowhere))
    check(workplace)
    with database.write() as connection:
        connection.execute(delete(ScoreRow).where(ScoreRow.sample_id.in_(ids[:3])))
        own = select(SampleRow.image_id).where(SampleRow.id.in_(ids))
        connection.execute(delete(AnnotationRow).where(AnnotationRow.image_id.in_(own)))
    check(workplace)

    with database.write() as connection:
        old = {"hidden": "x", "created_at": utc_now() - ABANDONED}
        connection.execute(update(DatasetRow).where(DatasetRow.name == "a").values(old))
    assert [one.name for one in check(workplace)] == ["b"]
    assert repository.delete_hidden() == 1
    assert [one.name for one in check(workplace)] == ["b"]
