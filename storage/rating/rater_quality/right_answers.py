"""Compare raters' answers to practice items and gold items (with known answers) with the right answers."""

from collections import defaultdict
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, func, select, update

from storage.engine.database import utc_now
from storage.tables import AssignmentRow, ControlRow, RatingRow, StudyCriterionRow

_STUDY: BindParameter[int] = bindparam("study")
_RATER: BindParameter[int] = bindparam("rater")
_EXPECTED = select(ControlRow.expected).where(
    ControlRow.item_id == bindparam("item"), ControlRow.role == "training", ControlRow.retired_at.is_(None)
)
_POINTS = select(RatingRow.criterion, RatingRow.point).where(
    RatingRow.item_id == bindparam("item"), RatingRow.rater_id == _RATER
)
_HELD = (
    select(func.min(AssignmentRow.place))
    .join(ControlRow, ControlRow.item_id == AssignmentRow.item_id)
    .where(AssignmentRow.study_id == _STUDY, AssignmentRow.rater_id == _RATER, AssignmentRow.place > 0)
    .where(AssignmentRow.finished_at.is_(None), ControlRow.role == "training", ControlRow.retired_at.is_(None))
)


def is_right(expected: dict[str, Any], points: list[tuple[str, int]]) -> bool:
    """Return whether points are within the expected bounds.

    points: pairs of a criterion and its point. A criterion without expected bounds may have any point.
    """
    bounded = ((expected[criterion], point) for criterion, point in points if criterion in expected)
    return all(lowest <= point <= highest for (lowest, highest), point in bounded)


def practice_is_wrong(connection: Connection, item: int, rater: int) -> bool:
    """Return whether a rater gave a wrong answer to a practice item.

    False for other items, and for practice items that are no longer in use.
    """
    of = {"item": item, "rater": rater}
    expected = connection.scalar(_EXPECTED, of)
    if expected is None:
        return False
    return not is_right(expected, [(row.criterion, row.point) for row in connection.execute(_POINTS, of)])


def held_at(connection: Connection, study: int, rater: int) -> int | None:
    """Return the position of a rater's first unfinished practice item.

    None: there is none. The rater gets no later item before this one is finished.
    """
    place: int | None = connection.scalar(_HELD, {"study": study, "rater": rater})
    return place


def finish_answered(connection: Connection, study: int, item: int) -> None:
    """Finish a retired item for raters who answered all its questions."""
    asked = connection.scalar(select(func.count()).where(StudyCriterionRow.study_id == study)) or 0
    answers: dict[int, int] = defaultdict(int)
    given = select(RatingRow.rater_id, func.count()).where(RatingRow.item_id == item).group_by(RatingRow.rater_id)
    answers.update((rater, number) for rater, number in connection.execute(given))
    open_ones = select(AssignmentRow.id, AssignmentRow.rater_id, AssignmentRow.panels).where(
        AssignmentRow.item_id == item, AssignmentRow.finished_at.is_(None), AssignmentRow.place > 0
    )
    for row in connection.execute(open_ones).all():
        if asked and answers[row.rater_id] == asked * len(row.panels):
            done = update(AssignmentRow).where(AssignmentRow.id == row.id)
            connection.execute(done.values(finished_at=utc_now()))
