"""Giving out items: who joins a study, which item is next in a rater's order, in which order its panels stand."""

import secrets
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, func, insert, select, update

from core.errors import NotFound
from core.studies.panel_order import panel_order
from core.studies.planning import rater_order
from storage.tables import AssignmentRow, ItemRow, ItemScoreRow, ParticipationRow, StudyRow
from storage.types import Rater

# Statements of the hot path, built once: SQLAlchemy takes longer to build one than SQLite to run it.
_STUDY: BindParameter[int] = bindparam("study")
_RATER: BindParameter[int] = bindparam("rater")
PARTICIPATION = select(ParticipationRow.number, ParticipationRow.offered).where(
    ParticipationRow.study_id == _STUDY, ParticipationRow.rater_id == _RATER
)
ITEM_COUNT = select(func.count()).where(ItemRow.study_id == _STUDY)
_GIVEN = select(func.count()).where(AssignmentRow.study_id == _STUDY, AssignmentRow.rater_id == _RATER)
_ITEM_AT = select(ItemRow.id).where(ItemRow.study_id == _STUDY, ItemRow.place == bindparam("place"))
_RATERS_OF = select(func.count()).where(AssignmentRow.item_id == bindparam("item"))
_SCORES_OF = select(ItemScoreRow.score_id).where(ItemScoreRow.item_id == bindparam("item")).order_by(ItemScoreRow.place)
_NEW_ASSIGNMENT = insert(AssignmentRow)


def own(study_id: int, rater: Rater) -> dict[str, int]:
    """Return the values of a statement about a rater's own part of a study."""
    return {"study": study_id, "rater": rater.id}


def join(connection: Connection, study_id: int, rater: Rater) -> None:
    """Make the rater one of the study's, if need be. Raises NotFound for an unknown study."""
    if connection.scalar(select(StudyRow.id).where(StudyRow.id == study_id)) is None:
        raise NotFound(f"There is no study number {study_id}.")
    if participation(connection, study_id, rater) is not None:
        return
    number = connection.scalar(select(func.count()).where(ParticipationRow.study_id == study_id)) or 0
    connection.execute(insert(ParticipationRow).values(study_id=study_id, rater_id=rater.id, number=number, offered=0))


def participation(connection: Connection, study_id: int, rater: Rater) -> Any:
    """Return the rater's number and how many items were offered, or None before the rater has joined."""
    return connection.execute(PARTICIPATION, own(study_id, rater)).first()


def give_out(connection: Connection, study_id: int, rater: Rater, up_to: int, most: int) -> None:
    """Assign items until the rater has up_to of them, got most new ones, or none is left.

    Items that have enough raters are passed over.
    """
    part = participation(connection, study_id, rater)
    study = connection.execute(select(StudyRow.seed, StudyRow.raters_per_item).where(StudyRow.id == study_id)).one()
    items = connection.scalar(ITEM_COUNT, {"study": study_id}) or 0
    given = connection.scalar(_GIVEN, own(study_id, rater)) or 0
    order = rater_order(study.seed, part.number, items)
    offered, up_to = part.offered, min(up_to, given + most)
    while given < up_to and offered < items:
        place_in_study = order[offered]
        offered += 1
        item = connection.scalar(_ITEM_AT, {"study": study_id, "place": place_in_study})
        if study.raters_per_item is not None:
            raters = connection.scalar(_RATERS_OF, {"item": item}) or 0
            if raters >= study.raters_per_item:
                continue
        given += 1
        scores = connection.scalars(_SCORES_OF, {"item": item}).all()
        panels = [scores[n] for n in panel_order(len(scores), place_in_study, part.number)]
        row = {
            "study_id": study_id,
            "item_id": item,
            "rater_id": rater.id,
            "place": given,
            "panels": panels,
            "note": "",
        }
        connection.execute(_NEW_ASSIGNMENT, {"id": secrets.token_urlsafe(12), **row})
    connection.execute(
        update(ParticipationRow)
        .where(ParticipationRow.study_id == study_id, ParticipationRow.rater_id == rater.id)
        .values(offered=offered)
    )
