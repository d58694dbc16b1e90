"""Give items to a rater at work. Raters' pages use this module most, so it must be fast.

Items are given out a few at a time, in the rater's own order. The order of an item's panels (explanations or captions
to rate) is chosen and stored at the same time. Every operation checks that the requested item belongs to the rater.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from sqlalchemy import Connection, bindparam, func, select

from core.errors import NotFound, NotYours, Veiled
from core.studies.planning.control_places import Role
from core.studies.planning.life_cycle import Stop
from core.types import ImageRef
from storage.data.stored_samples import image_ref
from storage.engine.database import Database, utc_now
from storage.rating.assignment.assignment_rules import AssignmentRules, assignment_rules
from storage.rating.assignment.gold_schedule import next_roles
from storage.rating.assignment.joining import give_out, join, own, participation
from storage.rating.assignment.next_items import GIVEN, MINE, count_free, count_given_back, counts
from storage.rating.assignment.released_items import release_expired
from storage.rating.assignment.remaining_items import outlook
from storage.rating.content.hidden_picture import answers_to, is_open, judged_without_image
from storage.rating.desk.assigned_items import RATER, read_items
from storage.study_types import Outlook, Queue, Rater
from storage.tables import (
    AssignmentRow,
    ControlRow,
    ImageRow,
    ItemReportRow,
    ItemRow,
    SampleRow,
    StudyRow,
)

MOST_AT_ONCE = 20  # maximum number of items in one request
AHEAD = 20  # maximum number of items that a rater's browser may fetch early
AHEAD_SHARED = 2  # like AHEAD, if raters share items; low, because other raters cannot get items that are fetched early

# Statements of the hot path, built once because SQLAlchemy builds a statement more slowly than SQLite runs it.
_FIRST_UNFINISHED = select(func.min(AssignmentRow.place)).where(*MINE, AssignmentRow.finished_at.is_(None))
_PRACTICE = (  # the query begins with the control items, because they are fewer than a rater's items
    select(AssignmentRow.place)
    .select_from(ControlRow)
    .join(AssignmentRow, (AssignmentRow.item_id == ControlRow.item_id) & (AssignmentRow.rater_id == RATER))
    .where(ControlRow.study_id == bindparam("study"), ControlRow.role == "training", AssignmentRow.place > 0)
)
_SKIPPED = select(func.count()).where(
    ItemReportRow.study_id == bindparam("study"), ItemReportRow.rater_id == RATER, ItemReportRow.skipped
)
_IMAGE = (
    select(ImageRow.name, ImageRow.path, ImageRow.sha256, ImageRow.width, ImageRow.height, ImageRow.vocabulary)
    .add_columns(StudyRow.veil, AssignmentRow.study_id, AssignmentRow.item_id, AssignmentRow.panels)
    .join(SampleRow, SampleRow.image_id == ImageRow.id)
    .join(ItemRow, ItemRow.sample_id == SampleRow.id)
    .join(AssignmentRow, AssignmentRow.item_id == ItemRow.id)
    .join(StudyRow, StudyRow.id == AssignmentRow.study_id)
    .where(AssignmentRow.id == bindparam("assignment"), AssignmentRow.rater_id == RATER)
)


class Desk:
    """Operations for a rater at work. Answers are stored by storage.rating.desk.saving_answers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def queue(self, study_id: int, rater: Rater, start: int | None = None, count: int = 3) -> Queue:
        """Return the rater's progress and some of the rater's items.

        These are up to `count` items from position `start`; start None: from the first unfinished item. If the rater
        has too few items, the function gives the rater more. Raises NotFound for an unknown study.
        """
        if not rater.may_rate(study_id):
            raise NotFound(f"There is no study number {study_id}.")
        count = max(1, min(count, MOST_AT_ONCE))
        with self._database.read() as connection:
            of = assignment_rules(connection, study_id)
            queue = _queue(connection, of, rater, start, count)
        wanted = min(count, queue.total + queue.free - (start or queue.resume) + 1)
        is_last = wanted <= 0 and of.raters_per_item is not None  # if true, release expired items of others below
        if queue.stopped in _STOPPED:
            return queue
        if not queue.is_known and not of.course.new_raters:
            return queue
        if queue.is_known and len(queue.items) >= wanted and not is_last:
            return queue
        with self._database.write() as connection:
            release_expired(connection, of, utc_now())
            if not queue.is_known and not count_free(connection, of, rater.id, None, 1):
                return queue  # a rater who gets no items does not join the study, and so gets no number in it
            join(connection, of, rater)
            first = start or _resume(connection, study_id, rater)
            give_out(connection, of, rater, _up_to(connection, of, rater, first + count - 1, count))
            return _queue(connection, of, rater, start, count)

    def look(self, study_id: int, rater: Rater) -> Queue:
        """Return the rater's progress in a study, without giving out items. Raises NotFound."""
        if not rater.may_rate(study_id):
            raise NotFound(f"There is no study number {study_id}.")
        with self._database.read() as connection:
            of = assignment_rules(connection, study_id)
            queue = _queue(connection, of, rater, None, 1)
        if queue.stopped != "full":
            return queue
        with self._database.write() as connection:  # check again, because expired items of other raters become free
            release_expired(connection, of, utc_now())
            return _queue(connection, of, rater, None, 1)

    def outlook(self, study_id: int, rater: Rater | None = None) -> Outlook:
        """Return how many items a rater can still get in a study.

        rater None: the result is for a new rater. Raises NotFound.
        """
        with self._database.read() as connection:
            return outlook(connection, study_id, rater)

    def standing(self, study_id: int, rater: Rater) -> Stop | None:
        """Return why a rater gets no items now, or None. Raises NotFound.

        Raters' open pages call this function every few seconds.
        """
        if not rater.may_rate(study_id):
            raise NotFound(f"There is no study number {study_id}.")
        with self._database.read() as connection:
            of = assignment_rules(connection, study_id)
            return _stop(of, participation(connection, study_id, rater))

    def image(self, assignment_id: str, rater: Rater) -> ImageRef:
        """Return an assigned item's picture.

        Raises NotYours unless the item is assigned to the rater. Raises Veiled while the picture is hidden.
        """
        with self._database.read() as connection:
            row = connection.execute(_IMAGE, {"assignment": assignment_id, "rater": rater.id}).first()
            if row is None or not rater.may_rate(row.study_id):
                raise NotYours("This rater has no such item.")
            if row.veil and row.width is not None:
                blind = judged_without_image(connection, row.study_id)
                if not is_open(row, blind, answers_to(connection, [row.item_id], rater)):
                    raise Veiled("The picture is still hidden. Answer the questions without picture first.")
        return image_ref(row)


_STOPPED = ("not_started", "paused", "closed", "excluded")


def _up_to(connection: Connection, of: AssignmentRules, rater: Rater, asked: int, most: int) -> int | None:
    """Return how many items a rater should have; None: all possible.

    A new rater gets all items on arrival if two conditions hold: the number of raters per item is limited, and each
    rater gets a fixed number of items. The reason is that nobody else can then take these items while the rater works.
    """
    if of.raters_per_item is not None and of.course.items_per_rater is not None:
        return None
    given = connection.scalar(GIVEN, own(of.study, rater)) or 0
    return min(asked, given + most)


def _resume(connection: Connection, study_id: int, rater: Rater) -> int:
    own_part = own(study_id, rater)
    return connection.scalar(_FIRST_UNFINISHED, own_part) or (connection.scalar(GIVEN, own_part) or 0) + 1


def _queue(connection: Connection, of: AssignmentRules, rater: Rater, start: int | None, count: int) -> Queue:
    part = participation(connection, of.study, rater)
    given, unfinished, has = counts(connection, of.study, rater.id)
    resume, stop = _resume(connection, of.study, rater), _stop(of, part)
    free = count_free(connection, of, rater.id, None if part is None else part.number, MOST_AT_ONCE)
    free = of.still_gets(has, free)
    coming: Iterator[Role] = iter(())
    if part is not None:
        coming = next_roles(connection, of.study, of.seed, rater.id, part.number, free)
    is_shared = of.raters_per_item is not None
    if is_shared:  # count only the practice items that come next: other raters may take the shared items first
        practice = sum(1 for _ in takewhile(lambda role: role == "training", coming))
    else:
        roles = tuple(coming)
        practice, free = roles.count("training"), len(roles) if part is not None else free
    first = start or resume
    practised = sorted(connection.scalars(_PRACTICE, own(of.study, rater)))
    short = 0
    if is_shared and given and (stop or not free) and of.still_gets(has, 1):  # the rater has not yet got all items
        back = of.still_gets(has, count_given_back(connection, of.study, rater.id))
        short = max(free, back)  # items that are free for the rater, or that the rater gave back
    is_full = not free and (not given or (short > 0 and not unfinished))
    return Queue(
        total=given + short if is_shared else given + free,
        free=free if is_shared and not stop else 0,
        ahead=AHEAD_SHARED if is_shared else AHEAD,
        design=of,
        done=given - unfinished,
        resume=resume,
        items=() if stop else read_items(connection, of.study, rater, first, count),
        stopped=stop or ("full" if is_full else None),
        is_known=part is not None,
        practice=(*practised, *range(given + 1, given + 1 + practice)),
        skipped=connection.scalar(_SKIPPED, own(of.study, rater)) or 0,
    )


def _stop(of: AssignmentRules, part: Any) -> Stop | None:
    """Return why a rater gets no items at all, or None."""
    stop = of.course.stop(utc_now())
    if stop is None and part is None and not of.course.new_raters:
        return "full"
    return "excluded" if stop is None and part is not None and part.excluded_at is not None else stop
