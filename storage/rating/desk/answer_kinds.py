"""How each kind of action by a rater changes the database, within the transaction of its request."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, and_, bindparam, exists, insert, select, update

from core.errors import InvalidRating
from core.storable_text import odd_character
from core.studies.asking.criteria import NO_PICTURE, check_point, criterion_named
from core.studies.asking.form import Form
from storage.engine.database import utc_now
from storage.rating.assignment.assignment_rules import SCHEDULE_COLUMNS, assignment_rules, schedule_of
from storage.rating.assignment.joining import take_back
from storage.rating.content.hidden_picture import check_open
from storage.rating.content.study_forms import study_form
from storage.rating.desk.item_reports import report_item
from storage.study_types import Rater, Save
from storage.tables import (
    AssignmentRow,
    EventRow,
    ImageRow,
    ItemRow,
    RatingRow,
    SampleRow,
    StudyCourseRow,
    StudyCriterionRow,
    StudyRow,
)

LONGEST_NOTE = 4_000
# Statements of the hot path, built once because SQLAlchemy builds a statement more slowly than SQLite runs it.
_SAME_KEY = exists().where(EventRow.rater_id == bindparam("rater"), EventRow.request_key == bindparam("request_key"))
# Yields one row for each answer of the rater to the item, or a single row if there is no answer.
_ASSIGNMENT = (
    select(
        AssignmentRow.study_id,
        AssignmentRow.item_id,
        AssignmentRow.panels,
        AssignmentRow.released_at,
        AssignmentRow.place,
        AssignmentRow.finished_at,
        AssignmentRow.given_at,
        RatingRow.score_id,
        RatingRow.criterion,
        RatingRow.point,
        RatingRow.started_at,
    )
    .add_columns((ImageRow.width.is_not(None)).label("has_image"), _SAME_KEY.label("is_known"))
    .add_columns(StudyRow.veil, *SCHEDULE_COLUMNS)
    .join(StudyRow, StudyRow.id == AssignmentRow.study_id)
    .join(StudyCourseRow, StudyCourseRow.study_id == AssignmentRow.study_id)
    .join(ItemRow, ItemRow.id == AssignmentRow.item_id)
    .join(SampleRow, SampleRow.id == ItemRow.sample_id)
    .join(ImageRow, ImageRow.id == SampleRow.image_id)
    .outerjoin(
        RatingRow, and_(RatingRow.item_id == AssignmentRow.item_id, RatingRow.rater_id == AssignmentRow.rater_id)
    )
    .where(AssignmentRow.id == bindparam("assignment"), AssignmentRow.rater_id == bindparam("rater"))
)
_NEW_RATING = insert(RatingRow)
_ASKED = select(StudyCriterionRow.criterion, StudyCriterionRow.lowest, StudyCriterionRow.highest).where(
    StudyCriterionRow.study_id == bindparam("study")
)


@dataclass(frozen=True, slots=True)
class Books:
    """Data that the actions of one transaction share.

    These are studies' forms (questions), the lowest and highest point of each criterion, and new rows for `events`.
    """

    connection: Connection
    now: datetime
    events: list[dict[str, Any]] = field(default_factory=list)
    keys: set[tuple[int, str]] = field(default_factory=set)  # (rater, request key) of each event in `events`
    forms: dict[int, Form] = field(default_factory=dict)
    scales: dict[int, dict[str, dict[str, int]]] = field(default_factory=dict)

    def rows(self, rater: Rater, save: Save) -> Sequence[Any]:
        """Return a rater's assignment, with the rater's answers to its item.

        The result has one row per answer, or one row if there is no answer. It is () if the rater has no such
        assignment.
        """
        of = {"assignment": save.assignment, "rater": rater.id, "request_key": save.key}
        return self.connection.execute(_ASSIGNMENT, of).all()

    def form(self, study_id: int) -> Form:
        """Return a study's form, which never changes."""
        if study_id not in self.forms:
            self.forms[study_id] = study_form(self.connection, study_id)
        return self.forms[study_id]

    def asked(self, study_id: int) -> dict[str, dict[str, int]]:
        """Return the lowest and highest point of each criterion of a study."""
        if study_id not in self.scales:
            rows = self.connection.execute(_ASKED, {"study": study_id})
            self.scales[study_id] = {row.criterion: {"lowest": row.lowest, "highest": row.highest} for row in rows}
        return self.scales[study_id]


@dataclass(frozen=True, slots=True)
class HeldItem:
    """A rater's item with the rater's answers so far."""

    rater: Rater
    row: Any  # a row of _ASSIGNMENT
    answers: dict[tuple[int, str], Any]  # key: (score, criterion); value: point and started_at


def _rate(books: Books, item: HeldItem, save: Save, at: datetime) -> dict[str, Any]:
    """Store an answer to a criterion. Return what its row in `events` contains."""
    study = item.row.study_id
    criterion = criterion_named(str(save.criterion), books.form(study).criteria)
    point = check_point(criterion, save.point, item.row.has_image)
    panels = len(item.row.panels)
    if save.panel is None or not 1 <= save.panel <= panels:
        raise InvalidRating(f"Expected a panel from 1 to {panels}, found {save.panel!r}.")
    if criterion.compares and (save.panel, panels) != (2, 2):
        raise InvalidRating(
            f"{criterion.name} compares panel 2 with panel 1, so the answer must belong to panel 2 of 2. "
            f"Found panel {save.panel} of {panels}."
        )
    points = books.asked(study).get(criterion.key)
    if points is None:
        raise InvalidRating(f"This study does not ask for {criterion.key}.")
    if not points["lowest"] <= point <= points["highest"]:  # an old page may send points of another scale
        raise InvalidRating(f"In this study {criterion.name} has points up to {points['highest']}, found {point}.")
    if criterion.waits_for_picture and point != NO_PICTURE:
        _check_open(books, item, criterion.name)
    rated = item.row.panels[save.panel - 1]
    given = {(rated, criterion.key): point}
    if criterion.compares:
        given[item.row.panels[0], criterion.key] = criterion.mirrored(point)
    for (score_id, key), value in given.items():
        _put(books.connection, item, (score_id, key), value, points, save, at)
    old = item.answers.get((rated, criterion.key))
    _finish_if_complete(books, item, len(item.answers.keys() | given.keys()), save.assignment, at)
    score_id = rated if rated > 0 else None  # None for a caption that is rated without a score
    replaced = None if old is None else old.point
    return {"score_id": score_id, "criterion": criterion.key, "old_point": replaced, "new_point": point}


def _check_open(books: Books, item: HeldItem, question: str) -> None:
    """Raise Veiled if a question needs a picture that is still hidden."""
    study = item.row.study_id
    if item.row.veil:
        asked = books.asked(study)
        check_open(item.row, [one for one in books.form(study).criteria if one.key in asked], item.answers, question)


def _is_late(row: Any) -> bool:
    return schedule_of(row).is_over(utc_now())


def _finish_if_complete(books: Books, item: HeldItem, answers: int, name: str, at: datetime) -> None:
    """Mark an item as finished if no answer is missing.

    An item that is finished once stays finished. answers: number of answers so far.
    """
    if item.row.finished_at is None and _is_complete(books, item, answers):
        _finish(books.connection, item, name, at)


def _is_complete(books: Books, item: HeldItem, answers: int) -> bool:
    """Return whether every question of an item has an answer. answers: number of answers so far."""
    return answers == len(books.asked(item.row.study_id)) * len(item.row.panels)


def _finish(connection: Connection, item: HeldItem, name: str, at: datetime) -> None:
    if item.row.place < 0:  # the item was taken back (place below 0) before these answers arrived
        take_back(connection, assignment_rules(connection, item.row.study_id), item.rater, name, at)
    else:
        connection.execute(update(AssignmentRow).where(AssignmentRow.id == name).values(finished_at=at))


def _put(
    connection: Connection,
    item: HeldItem,
    place: tuple[int, str],
    point: int,
    points: dict[str, int],
    save: Save,
    now: datetime,
) -> None:
    """Store the point that a rater gives to a score on one criterion.

    The point replaces an earlier point of the same rater. place: the score and the criterion. points: the lowest and
    highest possible point.
    """
    score_id, criterion = place
    identity = {"item_id": item.row.item_id, "score_id": score_id, "rater_id": item.rater.id, "criterion": criterion}
    earlier = item.answers.get(place)
    facts = {"regions_shown": save.regions_shown, "picture_shown": save.picture_shown}
    at = not_before(None if earlier is None else earlier.started_at, now)
    given = {"submitted_at": at, "duration_ms": save.in_sight_ms, "point": point, **facts, "late": _is_late(item.row)}
    if earlier is None:
        started = not_before(item.row.given_at, now - timedelta(milliseconds=save.shown_ms))
        made = {**points, "study_id": item.row.study_id, "started_at": started}
        connection.execute(_NEW_RATING, {**identity, **given, **made})
    else:
        this = [RatingRow.__table__.c[name] == value for name, value in identity.items()]
        connection.execute(update(RatingRow).where(*this).values(given))


def not_before(earliest: datetime | None, at: datetime) -> datetime:
    """Return a time that is not before the earliest possible time.

    A wrong clock may give an earlier time.
    """
    return at if earliest is None else max(earliest, at)


def _reveal(books: Books, item: HeldItem, save: Save, at: datetime) -> dict[str, Any]:
    """Store when the hidden picture was first shown. Return what the row in `events` contains."""
    veiled = (AssignmentRow.id == save.assignment, AssignmentRow.revealed_at.is_(None))
    books.connection.execute(update(AssignmentRow).where(*veiled).values(revealed_at=at))
    return {}


def _note(books: Books, item: HeldItem, save: Save, at: datetime) -> dict[str, Any]:
    """Store the rater's note on the item. Return what the row in `events` contains."""
    if save.text is None or len(save.text) > LONGEST_NOTE:
        raise InvalidRating(f"A note must be text of at most {LONGEST_NOTE} characters.")
    odd = odd_character(save.text)
    if odd is not None:
        raise InvalidRating(f"The note holds {odd}, which cannot be stored. Remove it to save the note.")
    books.connection.execute(update(AssignmentRow).where(AssignmentRow.id == save.assignment).values(note=save.text))
    return {"text": save.text}


def _report(books: Books, item: HeldItem, save: Save, at: datetime) -> dict[str, Any]:
    """Store or withdraw a report on the item. Return what the row in `events` contains."""
    return report_item(books.connection, item.rater, item.row, save, at, _is_complete(books, item, len(item.answers)))


KINDS = {"rating": _rate, "reveal": _reveal, "note": _note, "report": _report}
