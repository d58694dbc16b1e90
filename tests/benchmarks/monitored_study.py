"""A study of 200 raters with 50 items each, in every state a rater can be in, written straight into the database."""

from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select, update

from storage.engine.database import utc_now
from storage.study_types import Study
from storage.tables import (
    AssignmentRow,
    ExclusionRow,
    ItemRow,
    ItemScoreRow,
    ParticipationRow,
    RaterRow,
    RatingRow,
    StudyCriterionRow,
    StudyRow,
    VisitRow,
)
from tests.benchmarks.studies import make_study
from ui.services.workplace import Workplace

RATERS, ITEMS, RATERS_PER_ITEM = 200, 50, 150
HOURS = 72  # over which raters arrive


def monitored_study(place: Workplace, folder: Path) -> Study:
    """Make the study. Of ten raters, six have finished, and one each rates, is excluded, has left, is screened out."""
    study, now = make_study(place, folder, ITEMS), utc_now()
    with place.repository.database.write() as connection:
        items = connection.scalars(select(ItemRow.id).order_by(ItemRow.place)).all()
        scores: dict[int, int] = dict(connection.execute(select(ItemScoreRow.item_id, ItemScoreRow.score_id)).all())  # type: ignore[arg-type]
        connection.execute(update(StudyRow).values(raters_per_item=RATERS_PER_ITEM))
        asked = select(StudyCriterionRow.criterion, StudyCriterionRow.lowest, StudyCriterionRow.highest)
        criteria = [dict(row) for row in connection.execute(asked).mappings()]
        rows: dict[Any, list[dict[str, Any]]] = {
            table: [] for table in (RaterRow, ParticipationRow, VisitRow, ExclusionRow, AssignmentRow, RatingRow)
        }
        for number in range(RATERS):
            came, kind = now - timedelta(hours=HOURS * (1 - number / RATERS)), number % 10
            whose = {"study_id": study.id, "rater_id": number + 1}
            rows[RaterRow].append({"id": number + 1, "code": f"P-{number:04d}", "created_at": came})
            visit = {**whose, "came_at": came, "screened_out_at": came if kind == 9 else None}
            rows[VisitRow].append(visit | {"returned_at": came + timedelta(minutes=9) if kind == 8 else None})
            if kind == 9:
                continue
            rows[ParticipationRow].append({**whose, "number": number, "seen_at": came})
            if kind == 7:
                rows[ExclusionRow].append(
                    {**whose, "at": now, "reason": "gold failed" if number % 20 < 10 else "hasty"}
                )
            done = {6: 20, 7: 30, 8: 5}.get(kind, ITEMS)
            for nth, item in enumerate(items):
                at = came + timedelta(seconds=40 * (nth + 1))
                row = {**whose, "id": f"{number}-{nth}", "item_id": item, "place": nth + 1, "panels": [scores[item]]}
                row |= {"given_at": came, "note": "", "finished_at": at if nth < done else None}
                rows[AssignmentRow].append(row)
                rated = {"item_id": item, "score_id": scores[item], "point": 1 + (number + nth) % 4}
                rated |= {"started_at": at, "submitted_at": at, "duration_ms": 38_000}
                rows[RatingRow] += [{**whose, **rated, **one} for one in criteria if nth < done]
        for table, values in rows.items():
            connection.execute(insert(table), values)
    return place.repository.studies.get(study.id)
