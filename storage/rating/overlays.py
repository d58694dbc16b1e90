"""Regions shown to raters, where a study asks for them: of the sample's first score that came with regions.

The first one, so that a score made while a study runs changes nothing of what its raters see.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, String, func, select, type_coerce

from core.studies.criteria import criterion_named
from core.types import Score
from storage.data.outcome_columns import outcome_of
from storage.tables import ItemRow, ScoreRow, StudyCriterionRow

Answers = Mapping[tuple[int, int], Mapping[str, int]]  # item and score -> criterion -> point


def overlays(connection: Connection, rows: Sequence[Any], answers: Answers) -> dict[int, Score]:
    """Return the scores whose regions raters may see, by item; of items under their veil there are none.

    rows hold an assignment's columns with its study's veil and overlay.
    """
    asked = [row for row in rows if row.overlay]
    if not asked:
        return {}
    blind = _without_image(connection, asked[0].study_id)
    seen = [row.item_id for row in asked if _is_lifted(row, blind, answers)]
    with_regions = type_coerce(ScoreRow.regions, String) != "[]"
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


def _without_image(connection: Connection, study_id: int) -> tuple[str, ...]:
    """Return the study's criteria that are judged before the picture is seen."""
    keys = connection.scalars(select(StudyCriterionRow.criterion).where(StudyCriterionRow.study_id == study_id))
    return tuple(key for key in keys if criterion_named(key).without_image)


def _is_lifted(row: Any, blind: Sequence[str], answers: Answers) -> bool:
    if not row.veil or row.revealed_at is not None:
        return True
    return all(key in answers.get((row.item_id, score), {}) for score in row.panels for key in blind)
