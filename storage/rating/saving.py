"""Store raters' actions: answers, shown pictures, notes, reports.

The browser gives each action a key. A repeated key changes nothing, even if it arrives late. The current answer is one
row in `ratings`. Every action is also one row in `events`, written in the same transaction.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, and_, bindparam, exists, func, insert, select, update

from core.errors import InvalidRating, NotFound, NotYours, Veiled
from core.foreign_values import odd_character
from core.studies.asking.criteria import NO_PICTURE, check_point, criterion_named
from storage.engine.database import Database, utc_now
from storage.rating.assignment import take_back
from storage.rating.desk import EXCLUDED
from storage.rating.item_reports import report_item
from storage.rating.reassigning import assigned_again
from storage.rating.rules import IS_EXCLUDED, Rules, rules
from storage.rating.shown_items import check_open
from storage.study_types import Rater, Save
from storage.tables import AssignmentRow, EventRow, ImageRow, ItemRow, RatingRow, SampleRow

SaveProblem = NotYours | InvalidRating | NotFound | Veiled
Results = tuple[SaveProblem | None, ...]  # for each action in a request: why it is refused, or None
OnStored = Callable[[int], object]  # function that gets the number of the newest event after each commit
UNKNOWN_ITEM = (
    "Your answer belongs to an item that this server no longer has. The answer is kept in this browser. "
    "Please tell the person who sent you the link."
)
LONGEST_NOTE = 4_000

# Statements of the hot path, built once because SQLAlchemy builds a statement more slowly than SQLite runs it.
_NEW_EVENT = insert(EventRow)
_NEWEST_EVENT = select(func.max(EventRow.id))
_NO_EVENT: dict[str, Any] = dict.fromkeys(("score_id", "criterion", "old_point", "new_point", "text"))
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
        ItemRow.role,
        RatingRow.score_id,
        RatingRow.criterion,
        RatingRow.point,
        RatingRow.started_at,
    )
    .add_columns(ImageRow.width.is_not(None).label("has_image"), _SAME_KEY.label("is_known"))
    .add_columns(exists().where(IS_EXCLUDED).label("is_excluded"))
    .join(ItemRow, ItemRow.id == AssignmentRow.item_id)
    .join(SampleRow, SampleRow.id == ItemRow.sample_id)
    .join(ImageRow, ImageRow.id == SampleRow.image_id)
    .outerjoin(
        RatingRow, and_(RatingRow.item_id == AssignmentRow.item_id, RatingRow.rater_id == AssignmentRow.rater_id)
    )
    .where(AssignmentRow.id == bindparam("assignment"), AssignmentRow.rater_id == bindparam("rater"))
)
_NEW_RATING = insert(RatingRow)


@dataclass(frozen=True, slots=True)
class Sent:
    """The actions of a rater that one request contains, oldest first."""

    rater: Rater
    saves: Sequence[Save]


@dataclass(frozen=True, slots=True)
class Books:
    """What the actions of one transaction share: the rules of their studies, and new rows for `events`."""

    connection: Connection
    now: datetime
    events: list[dict[str, Any]] = field(default_factory=list)
    keys: set[tuple[int, str]] = field(default_factory=set)  # (rater, request key) of each event in `events`
    rules: dict[int, Rules] = field(default_factory=dict)

    def of(self, study_id: int) -> Rules:
        """Return the rules of a study."""
        if study_id not in self.rules:
            self.rules[study_id] = rules(self.connection, study_id)
        return self.rules[study_id]


@dataclass(frozen=True, slots=True)
class HeldItem:
    """A rater's item with the rater's answers so far."""

    rater: Rater
    of: Rules
    row: Any  # a row of _ASSIGNMENT
    answers: dict[tuple[int, str], Any]  # key: (score, criterion); value: point and started_at

    def is_complete(self, answers: int) -> bool:
        """Return whether every question of the item has an answer. answers: number of answers."""
        return answers == len(self.of.form.criteria) * len(self.row.panels)


def check_theirs(results: Results) -> None:
    """Raise NotYours if no action of one request may be stored for this rater."""
    if results and all(isinstance(result, NotYours) for result in results):
        raise NotYours(str(results[0]))


def save_together(
    database: Database, requests: Sequence[Sent], patience_s: float, on_stored: OnStored
) -> tuple[Results, ...]:
    """Store the actions of several requests in their order, in one transaction.

    Returns for each action of each request the reason for a refusal, or None. A refused action does not prevent the
    other actions from being stored. When this function returns, every stored action is committed and written to the
    disk.
    """
    newest = None
    with database.write(patience_s) as connection:
        books = Books(connection, utc_now())
        results = tuple(tuple(_save(books, one.rater, save) for save in one.saves) for one in requests)
        if books.events:
            connection.execute(_NEW_EVENT, books.events)
            newest = connection.scalar(_NEWEST_EVENT)
    if newest is not None:
        on_stored(newest)
    return results


def _save(books: Books, rater: Rater, save: Save) -> SaveProblem | None:
    rows = _rows(books, rater, save)
    if not rows:
        save = assigned_again(books.connection, rater, save)
        rows = _rows(books, rater, save)
    if not rows:
        return NotYours(UNKNOWN_ITEM)
    if rows[0].is_known or (rater.id, save.key) in books.keys:
        return None
    if rows[0].is_excluded or not rater.may_rate(rows[0].study_id):
        return NotYours(EXCLUDED)
    answers = {(row.score_id, row.criterion): row for row in rows if row.criterion is not None}
    item = HeldItem(rater, books.of(rows[0].study_id), rows[0], answers)
    at = _not_before(item.row.given_at, books.now - timedelta(milliseconds=save.age_ms))
    event = {"request_key": save.key, "at": at, "received_at": books.now, "rater_id": rater.id}
    event |= {"assignment_id": save.assignment, "kind": save.kind, **_NO_EVENT}
    try:
        event |= _KINDS[save.kind](books, item, save, at)
    except (InvalidRating, NotFound, Veiled) as error:
        return error
    books.events.append(event)
    books.keys.add((rater.id, save.key))
    return None


def _rows(books: Books, rater: Rater, save: Save) -> Sequence[Any]:
    """Return a rater's assignment with the rater's answers to its item; () if the rater has no such assignment."""
    of = {"assignment": save.assignment, "rater": rater.id, "request_key": save.key}
    return books.connection.execute(_ASSIGNMENT, of).all()


def _rate(books: Books, item: HeldItem, save: Save, at: datetime) -> dict[str, Any]:
    """Store an answer to a criterion. Return what its row in `events` contains."""
    criterion, panels = criterion_named(str(save.criterion), item.of.form.criteria), len(item.row.panels)
    point = check_point(criterion, save.point, item.row.has_image)
    if save.panel is None or not 1 <= save.panel <= panels:
        raise InvalidRating(f"Expected a panel from 1 to {panels}, found {save.panel!r}.")
    if criterion.compares and (save.panel, panels) != (2, 2):
        raise InvalidRating(
            f"{criterion.name} compares panel 2 with panel 1, so the answer must belong to panel 2 of 2. "
            f"Found panel {save.panel} of {panels}."
        )
    if criterion.waits_for_picture and point != NO_PICTURE:
        check_open(item.of, item.row, item.answers, criterion.name)
    rated = item.row.panels[save.panel - 1]
    given = {(rated, criterion.key): point}
    if criterion.compares:
        given[item.row.panels[0], criterion.key] = criterion.mirrored(point)
    lowest, highest = criterion.bounds
    for place, value in given.items():
        _put(books.connection, item, place, {"point": value, "lowest": lowest, "highest": highest}, save, at)
    old = item.answers.get((rated, criterion.key))
    if item.row.finished_at is None and item.is_complete(len(item.answers.keys() | given.keys())):
        _finish(books.connection, item, save.assignment, at)
    replaced = None if old is None else old.point
    score_id = rated if rated > 0 else None  # None for a caption that is rated without a score
    return {"score_id": score_id, "criterion": criterion.key, "old_point": replaced, "new_point": point}


def _finish(connection: Connection, item: HeldItem, name: str, at: datetime) -> None:
    """Mark an item as finished. An item that is finished once stays finished."""
    if item.row.place < 0:  # the item was taken back (place below 0) before these answers arrived
        take_back(connection, item.of, item.rater, name, at)
    else:
        connection.execute(update(AssignmentRow).where(AssignmentRow.id == name).values(finished_at=at))


def _put(
    connection: Connection, item: HeldItem, place: tuple[int, str], point: dict[str, int], save: Save, now: datetime
) -> None:
    """Store the point that a rater gives to a score on one criterion. It replaces an earlier point of the rater.

    place: the score and the criterion. point: the point, with the lowest and highest possible point.
    """
    score_id, criterion = place
    identity = {"item_id": item.row.item_id, "score_id": score_id, "rater_id": item.rater.id, "criterion": criterion}
    earlier = item.answers.get(place)
    given = {"point": point["point"], "submitted_at": _not_before(None if earlier is None else earlier.started_at, now)}
    given |= {"duration_ms": save.in_sight_ms, "late": item.of.design.is_over(item.of.state, utc_now())}
    given |= {"regions_shown": save.regions_shown, "picture_shown": save.picture_shown}
    if earlier is None:
        started = _not_before(item.row.given_at, now - timedelta(milliseconds=save.shown_ms))
        made = {**point, "study_id": item.row.study_id, "started_at": started}
        connection.execute(_NEW_RATING, {**identity, **given, **made})
    else:
        this = [RatingRow.__table__.c[name] == value for name, value in identity.items()]
        connection.execute(update(RatingRow).where(*this).values(given))


def _not_before(earliest: datetime | None, at: datetime) -> datetime:
    """Return a time that is not before the earliest possible time, which a wrong clock may give."""
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
    is_complete = item.is_complete(len(item.answers))
    return report_item(books.connection, item.of, item.rater, item.row, save, at, is_complete)


_KINDS = {"rating": _rate, "reveal": _reveal, "note": _note, "report": _report}
