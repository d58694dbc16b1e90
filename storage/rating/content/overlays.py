"""Select the regions that raters see, if a study shows regions.

Among a sample's scores, the first score that has regions is used. So scores that are added while a study runs do not
change the regions that its raters see.
"""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from core.types import Score
from storage.data.outcome_columns import outcome_of
from storage.tables import ItemRow, ScoreRow, as_text


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
