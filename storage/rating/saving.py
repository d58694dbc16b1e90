"""Taking in what raters do: answers, lifted veils, notes.

A save carries a key made by the browser; one that comes twice, however late, does nothing the second time.
The present answer is one row in `ratings`; every save is also one row in `events`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, update

from core.errors import InvalidRating, NotFound, NotYours
from core.studies.criteria import check_point, criterion_named
from core.studies.export import FACTS
from storage.database import Database, utc_now
from storage.rating import evidence
from storage.rating.assignment import take_back
from storage.rating.courses import sharing
from storage.rating.study_forms import study_form
from storage.tables import (
    AssignmentRow,
    EventRow,
    ImageRow,
    ItemRow,
    RatingRow,
    SampleRow,
    StudyCriterionRow,
)
from storage.types import Rater, Save

SaveProblem = NotYours | InvalidRating | NotFound
LONGEST_NOTE = 4_000

# Statements of the hot path, built once: SQLAlchemy takes longer to build one than SQLite to run it.
_ASSIGNMENT = (
    select(
        AssignmentRow.study_id,
        AssignmentRow.item_id,
        AssignmentRow.panels,
        AssignmentRow.released_at,
        AssignmentRow.place,
        AssignmentRow.finished_at,
    )
    .add_columns((ImageRow.width.is_not(None)).label("has_image"))
    .join(ItemRow, ItemRow.id == AssignmentRow.item_id)
    .join(SampleRow, SampleRow.id == ItemRow.sample_id)
    .join(ImageRow, ImageRow.id == SampleRow.image_id)
    .where(AssignmentRow.id == bindparam("assignment"), AssignmentRow.rater_id == bindparam("rater"))
)
_SAME_KEY = select(EventRow.id).where(
    EventRow.rater_id == bindparam("rater"), EventRow.request_key == bindparam("request_key")
)
_POINT = select(RatingRow.point).where(
    RatingRow.item_id == bindparam("item_id"),
    RatingRow.score_id == bindparam("score_id"),
    RatingRow.rater_id == bindparam("rater_id"),
    RatingRow.criterion == bindparam("criterion"),
)
_ASKED = select(StudyCriterionRow.criterion, StudyCriterionRow.lowest, StudyCriterionRow.highest).where(
    StudyCriterionRow.study_id == bindparam("study")
)
_ASKED_FOR = select(func.count()).where(StudyCriterionRow.study_id == bindparam("study"))
_ANSWERS = select(func.count()).where(RatingRow.item_id == bindparam("item"), RatingRow.rater_id == bindparam("rater"))
_NEW_RATING, _NEW_EVENT = insert(RatingRow), insert(EventRow)


def save_all(database: Database, rater: Rater, saves: Sequence[Save]) -> tuple[SaveProblem | None, ...]:
    """Take in saves in their order, in one transaction; returns for each why it was refused, or None.

    A refused save does not keep the others from being stored. Raises NotYours when every one of them
    is about items of other raters.
    """
    now = utc_now()
    with database.write() as connection:
        results = tuple(_save(connection, rater, save, now) for save in saves)
    if results and all(isinstance(result, NotYours) for result in results):
        raise NotYours(str(results[0]))
    return results


def _save(connection: Connection, rater: Rater, save: Save, now: datetime) -> SaveProblem | None:
    assignment = connection.execute(_ASSIGNMENT, {"assignment": save.assignment, "rater": rater.id}).first()
    if assignment is None:
        return NotYours("There is no such item for this rater.")
    if connection.scalar(_SAME_KEY, {"rater": rater.id, "request_key": save.key}) is not None:
        return None
    at = now - timedelta(milliseconds=save.age_ms)
    event = {"request_key": save.key, "at": at, "received_at": now, "rater_id": rater.id}
    event |= {"assignment_id": save.assignment, "kind": save.kind}
    try:
        event |= _KINDS[save.kind](connection, rater, assignment, save, at)
    except (InvalidRating, NotFound) as error:
        return error
    connection.execute(_NEW_EVENT, event)
    return None


def _rate(connection: Connection, rater: Rater, assignment: Any, save: Save, at: datetime) -> dict[str, Any]:
    """Store an answer; returns what its event says."""
    criterion = criterion_named(str(save.criterion), study_form(connection, assignment.study_id).criteria)
    point = check_point(criterion, save.point, assignment.has_image)
    panels = len(assignment.panels)
    if save.panel is None or not 1 <= save.panel <= panels:
        raise InvalidRating(f"Expected a panel from 1 to {panels}, found {save.panel!r}.")
    if criterion.compares and (save.panel, panels) != (2, 2):
        raise InvalidRating(f"{criterion.name} is said of the second of two, found {save.panel} of {panels}.")
    points = _asked(connection, assignment.study_id, criterion.key)
    if not points["lowest"] <= point <= points["highest"]:  # the criterion has had another scale since
        raise InvalidRating(f"In this study {criterion.name} has points up to {points['highest']}, found {point}.")
    answer = _Answer(connection, assignment, rater, criterion.key, points, save, at)
    rated = assignment.panels[save.panel - 1]
    old = answer.put(rated, point)
    if criterion.compares:
        answer.put(assignment.panels[0], criterion.mirrored(point))
    if old is None:
        _finish_if_complete(connection, rater, assignment, save.assignment, at)
    score_id = rated if rated > 0 else None  # a caption alone has none
    return {"score_id": score_id, "criterion": criterion.key, "old_point": old, "new_point": point}


def _judge(connection: Connection, rater: Rater, assignment: Any, save: Save, at: datetime) -> dict[str, Any]:
    """Store what is said of a sentence."""
    told = evidence.judge(connection, rater, assignment, save, at)
    _finish_if_complete(connection, rater, assignment, save.assignment, at)
    return told


def _finish_if_complete(connection: Connection, rater: Rater, assignment: Any, name: str, at: datetime) -> None:
    """Say that an item is finished once nothing is missing any more; it stays so."""
    if assignment.finished_at is not None:
        return
    asked = connection.scalar(_ASKED_FOR, {"study": assignment.study_id}) or 0
    answers = connection.scalar(_ANSWERS, {"item": assignment.item_id, "rater": rater.id})
    wanted = asked * len(assignment.panels)
    if answers == wanted and evidence.is_judged(connection, assignment.item_id, rater):
        _finish(connection, rater, assignment, name, at)


def _finish(connection: Connection, rater: Rater, assignment: Any, name: str, at: datetime) -> None:
    if assignment.place < 0:  # given back meanwhile: what a browser kept comes late
        take_back(connection, sharing(connection, assignment.study_id), rater, name, at)
    else:
        connection.execute(update(AssignmentRow).where(AssignmentRow.id == name).values(finished_at=at))


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer that is about to be stored, for one panel or, where two are compared, for both."""

    connection: Connection
    assignment: Any
    rater: Rater
    criterion: str
    points: dict[str, int]
    save: Save
    at: datetime

    def put(self, rated: int, point: int) -> int | None:
        """Store a point; returns the one that it replaces."""
        identity: dict[str, Any] = {"item_id": self.assignment.item_id, "score_id": rated, "rater_id": self.rater.id}
        identity["criterion"] = self.criterion
        old: int | None = self.connection.scalar(_POINT, identity)
        facts = {name: getattr(self.save, name) for name in FACTS}
        given = {"submitted_at": self.at, "duration_ms": self.save.in_sight_ms, "point": point, **facts}
        if old is None:
            started = self.at - timedelta(milliseconds=self.save.shown_ms)
            made = {**self.points, "study_id": self.assignment.study_id, "started_at": started}
            self.connection.execute(_NEW_RATING, {**identity, **given, **made})
        else:
            this = [RatingRow.__table__.c[name] == value for name, value in identity.items()]
            self.connection.execute(update(RatingRow).where(*this).values(given))
        return old


def _asked(connection: Connection, study_id: int, criterion: str) -> dict[str, int]:
    """Return a study's ends of a criterion's points. Raises InvalidRating without it."""
    rows = connection.execute(_ASKED, {"study": study_id}).all()
    for row in rows:
        if row.criterion == criterion:
            return {"lowest": row.lowest, "highest": row.highest}
    raise InvalidRating(f"This study does not ask for {criterion}.")


def _reveal(connection: Connection, rater: Rater, assignment: Any, save: Save, at: datetime) -> dict[str, Any]:
    """Store when the veil was first lifted."""
    veiled = (AssignmentRow.id == save.assignment, AssignmentRow.revealed_at.is_(None))
    connection.execute(update(AssignmentRow).where(*veiled).values(revealed_at=at))
    return {}


def _note(connection: Connection, rater: Rater, assignment: Any, save: Save, at: datetime) -> dict[str, Any]:
    """Store the rater's remark on the item."""
    if save.text is None or len(save.text) > LONGEST_NOTE:
        raise InvalidRating(f"A note is text of at most {LONGEST_NOTE} characters.")
    text = save.text.encode(errors="replace").decode()  # a browser may cut an emoji in half
    connection.execute(update(AssignmentRow).where(AssignmentRow.id == save.assignment).values(note=text))
    return {"text": text}


_KINDS = {"rating": _rate, "reveal": _reveal, "note": _note, "sentence": _judge, "whole": evidence.remark}
