"""Select the regions that raters see, if a study shows regions.

Among a sample's scores, the first score that has regions is used. So scores that are added while a study runs do not
change the regions that its raters see.
"""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from core.types import ImageRegion, Score
from storage.data.annotations import regions_by_image
from storage.data.outcome_columns import outcome_of
from storage.tables import ImageRow, ItemRow, SampleRow, ScoreRow, as_text


def places(connection: Connection, items: Collection[int]) -> dict[int, tuple[ImageRegion, ...]]:
    """Return the regions that raters can mark in items' pictures.

    key: item. If a picture has no annotated regions, the regions that a metric found are returned. The metric's support
    values (how well the caption's phrases fit the regions) are left out.
    """
    query = select(ItemRow.id, SampleRow.image_id).join(SampleRow, SampleRow.id == ItemRow.sample_id)
    images = {row.id: row.image_id for row in connection.execute(query.where(ItemRow.id.in_(items)))}
    annotated = regions_by_image(connection, ImageRow.id.in_(set(images.values())))
    regions = {item: annotated[image] for item, image in images.items() if image in annotated}
    for item, score in _first_with_regions(connection, [item for item in images if item not in regions]).items():
        parts = (ImageRegion(r.rle, r.size, r.label) for r in score.explanation.regions if not r.is_full)
        regions[item] = tuple(parts)
    return regions


def overlays(connection: Connection, rows: Sequence[Any], opened: Collection[int]) -> dict[int, Score]:
    """Return the scores whose regions raters may see; key: item.

    Items whose picture is still hidden have no such score. rows: an assignment's columns, and `overlay`, which states
    whether the study shows regions. opened: items whose picture may be shown.
    """
    return _first_with_regions(connection, [row.item_id for row in rows if row.overlay and row.item_id in opened])


def _first_with_regions(connection: Connection, seen: Sequence[int]) -> dict[int, Score]:
    """Return, for each item's sample, its first score that has regions.

    key: item.
    """
    if not seen:
        return {}
    with_regions = as_text(ScoreRow.regions) != "[]"
    first = (
        select(func.min(ScoreRow.id))
        .join(ItemRow, ItemRow.sample_id == ScoreRow.sample_id)
        .where(ItemRow.id.in_(seen), ScoreRow.value.is_not(None), with_regions)
        .group_by(ItemRow.id)
    )
    columns = (*ScoreRow.__table__.columns, ItemRow.id.label("item_id"))
    query = select(*columns).join(ItemRow, ItemRow.sample_id == ScoreRow.sample_id)
    scores: dict[int, Score] = {}
    for row in connection.execute(query.where(ItemRow.id.in_(seen), ScoreRow.id.in_(first))):
        outcome = outcome_of(row)
        if isinstance(outcome, Score):
            scores[row.item_id] = outcome
    return scores
