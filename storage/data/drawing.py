"""Add and remove regions that people draw on a picture.

Scores that used the picture's regions are deleted.
"""

from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from core.errors import AlreadyExists, NotEnoughSamples, NotFound
from core.types import ImageRegion
from storage.data.annotations import annotation_rows
from storage.data.datasets import count_change
from storage.tables import AnnotationRow, ImageRow, ItemScoreRow, SampleRow, ScoreRow, as_text


def add_region(connection: Connection, image_id: int, region: ImageRegion, most: int) -> int:
    """Add a region to a picture. Return the picture's number of regions.

    Raises NotEnoughSamples if the picture already has `most` regions, and the errors of `forget_scores`.
    """
    last, count = connection.execute(
        select(func.max(AnnotationRow.place), func.count()).where(AnnotationRow.image_id == image_id)
    ).one()
    if count >= most:
        raise NotEnoughSamples(f"A picture can have at most {most} regions. Remove a region first.")
    forget_scores(connection, image_id)
    picture = connection.execute(select(*ImageRow.__table__.columns).where(ImageRow.id == image_id)).mappings().one()
    rows = [row | {"place": 0 if last is None else last + 1} for row in annotation_rows(dict(picture), [region])]
    connection.execute(insert(AnnotationRow), rows)
    return int(count) + 1


def remove_region(connection: Connection, image_id: int, nth: int) -> int:
    """Remove region `nth` of a picture, counted from 0. Return the number of remaining regions.

    Raises NotFound, and the errors of `forget_scores`.
    """
    of_image = AnnotationRow.image_id == image_id
    places = connection.scalars(select(AnnotationRow.place).where(of_image).order_by(AnnotationRow.place)).all()
    if nth >= len(places):
        raise NotFound(f"The picture has only {len(places)} regions, so there is no region {nth}.")
    forget_scores(connection, image_id)
    connection.execute(delete(AnnotationRow).where(of_image, AnnotationRow.place == places[nth]))
    return len(places) - 1


def forget_scores(connection: Connection, image_id: int) -> None:
    """Delete scores that used a picture's regions.

    Call it before the regions change. Raises AlreadyExists if raters judge one of these scores.
    """
    samples = select(SampleRow.id).where(SampleRow.image_id == image_id)
    looked: tuple[ColumnElement[bool], ...] = (
        ScoreRow.sample_id.in_(samples),
        as_text(ScoreRow.regions) != "[]",
    )
    rated = select(ItemScoreRow.score_id).join(ScoreRow, ScoreRow.id == ItemScoreRow.score_id).where(*looked)
    if connection.scalar(rated.limit(1)) is not None:
        raise AlreadyExists(
            "These regions cannot be changed, because raters judge a score that used the regions of this picture."
        )
    connection.execute(delete(ScoreRow).where(*looked))
    dataset: Any = select(ImageRow.dataset_id).where(ImageRow.id == image_id).scalar_subquery()
    count_change(connection, dataset)
