"""Regions shown to raters, where a study asks for them: of the sample's first score that came with regions.

The first one, so that a score made while a study runs changes nothing of what its raters see.
"""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from core.types import Score
from storage.data.outcome_columns import outcome_of
from storage.tables import ItemRow, ScoreRow, as_text


def overlays(connection: Connection, rows: Sequence[Any], opened: Collection[int]) -> dict[int, Score]:
    """Return the scores whose regions raters may see, by item; of items under their veil there are none.

    rows hold an assignment's columns with its study's overlay; opened are the items whose picture may be seen.
    """
    seen = [row.item_id for row in rows if row.overlay and row.item_id in opened]
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
    found: dict[int, Score] = {}
    for row in connection.execute(query.where(ItemRow.id.in_(seen), ScoreRow.id.in_(first))):
        outcome = outcome_of(row)
        if isinstance(outcome, Score):
            found[row.item_id] = outcome
    return found
