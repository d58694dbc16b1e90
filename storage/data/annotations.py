"""Store regions of pictures: annotated ones, once per picture in their source's order, and regions that people draw."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from core.errors import AlreadyExists, NotEnoughSamples, NotFound
from core.types import ImageRegion
from storage.data.datasets import count_change, find_dataset
from storage.engine.database import Database
from storage.tables import AnnotationRow, ImageRow, ItemScoreRow, SampleRow, ScoreRow, as_text
from storage.types import AnnotationCounts


def regions_by_image(connection: Connection, *of: ColumnElement[bool]) -> dict[int, tuple[ImageRegion, ...]]:
    """Return the annotated regions of selected pictures; key: id of the picture.

    of: conditions that select the pictures.
    """
    query = select(*AnnotationRow.__table__.columns).join(ImageRow, ImageRow.id == AnnotationRow.image_id).where(*of)
    by_image: dict[int, list[ImageRegion]] = {}
    for row in connection.execute(query.order_by(AnnotationRow.image_id, AnnotationRow.place)):
        region = ImageRegion(row.rle, (row.height, row.width), row.label, is_crowd=row.is_crowd)
        by_image.setdefault(row.image_id, []).append(region)
    return {image_id: tuple(regions) for image_id, regions in by_image.items()}


def annotation_rows(picture: Mapping[Any, Any], regions: Iterable[ImageRegion]) -> list[dict[str, Any]]:
    """Return AnnotationRow's columns for the regions of one picture.

    picture: ImageRow's columns. A region that covers the whole picture is omitted. The result is empty if the picture's
    file is missing, or the regions' masks have another size than the picture.
    """
    parts = [region for region in regions if not region.is_full]
    if any(part.size != (picture["height"], picture["width"]) for part in parts):
        return []
    return [
        {
            "image_id": picture["id"],
            "place": place,
            "rle": part.rle,
            "height": part.size[0],
            "width": part.size[1],
            "label": part.label,
            "is_crowd": part.is_crowd,
        }
        for place, part in enumerate(parts)
    ]


def annotate(
    database: Database, dataset: str, regions: Mapping[str, Sequence[ImageRegion]], vocabulary: Sequence[str] = ()
) -> AnnotationCounts:
    """Add annotated regions to a data set's pictures, all or nothing.

    The key of `regions` is the picture's name in its source. A picture that already has regions keeps them. vocabulary:
    all labels that the annotators looked for; () if unknown. Raises NotFound.
    """
    query = select(ImageRow.id, ImageRow.name, ImageRow.height, ImageRow.width, ImageRow.regions)
    with database.write() as connection:
        dataset_id = find_dataset(connection, dataset)
        pictures = connection.execute(query.where(ImageRow.dataset_id == dataset_id)).mappings().all()
        bare = [row for row in pictures if not row["regions"]]
        new = [rows for row in bare if (rows := annotation_rows(row, regions.get(row["name"], ())))]
        if new:
            connection.execute(insert(AnnotationRow), list(chain.from_iterable(new)))
            chosen = ImageRow.id.in_([rows[0]["image_id"] for rows in new])
            connection.execute(update(ImageRow).where(chosen).values(vocabulary=list(vocabulary)))
            count_change(connection, dataset_id)
    return AnnotationCounts(len(new), sum(map(len, new)), len(pictures) - len(bare) + len(new), len(pictures))


def add_region(database: Database, image_id: int, region: ImageRegion, most: int) -> int:
    """Add a region that a person drew on a picture. Return the picture's number of regions.

    Raises NotEnoughSamples if the picture already has `most` regions, and the errors of `forget_scores`.
    """
    this, place = AnnotationRow.image_id == image_id, AnnotationRow.place
    with database.write() as connection:
        last, count = connection.execute(select(func.max(place), func.count()).where(this)).one()
        if count >= most:
            raise NotEnoughSamples(f"A picture can have at most {most} regions. Remove a region first.")
        forget_scores(connection, image_id)
        query = select(*ImageRow.__table__.columns).where(ImageRow.id == image_id)
        picture = connection.execute(query).mappings().one()
        rows = [row | {"place": 0 if last is None else last + 1} for row in annotation_rows(picture, [region])]
        connection.execute(insert(AnnotationRow), rows)
    return int(count) + 1


def remove_region(database: Database, image_id: int, nth: int) -> int:
    """Remove region `nth` of a picture, counted from 0. Return the number of remaining regions.

    Raises NotFound, and the errors of `forget_scores`.
    """
    this, place = AnnotationRow.image_id == image_id, AnnotationRow.place
    with database.write() as connection:
        places = connection.scalars(select(place).where(this).order_by(place)).all()
        if nth >= len(places):
            raise NotFound(f"The picture has only {len(places)} regions, so there is no region {nth}.")
        forget_scores(connection, image_id)
        connection.execute(delete(AnnotationRow).where(this, place == places[nth]))
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
