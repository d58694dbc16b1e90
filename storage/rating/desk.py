"""Serve the rating page: give items to a rater, and state the rater's progress. Raters' pages use this module most.

Items are given out a few at a time, in the rater's own order. The order of an item's panels (explanations or captions
to rate) is chosen and stored at the same time. A picture is given only to a rater who has its item.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from sqlalchemy import Connection, bindparam, func, select

from core.errors import NotFound, NotYours, Veiled
from core.studies.design import Stop
from core.studies.planning.gold import Role, Workload, roles_to_come
from core.types import ImageRef
from storage.data.stored_samples import image_ref
from storage.engine.database import Operations, utc_now
from storage.rating.assignment import (
    Held,
    count_free,
    give_out,
    held_items,
    join,
    limit_of,
    next_number,
    next_roles,
    participation,
    study_controls,
)
from storage.rating.releasing import release_expired
from storage.rating.rules import Rules, rules
from storage.rating.shown_items import answers_to, is_open, read_items
from storage.study_types import Outlook, Queue, Rater
from storage.tables import AssignmentRow, ImageRow, ItemReportRow, ItemRow, SampleRow

MOST_AT_ONCE = 20  # maximum number of items in one request
AHEAD = 20  # maximum number of items that a rater's browser may fetch early
AHEAD_SHARED = 2  # like AHEAD, if raters share items; low, because other raters cannot get items that are fetched early

# Statements of the hot path, built once because SQLAlchemy builds a statement more slowly than SQLite runs it.
_SKIPPED = select(func.count()).where(
    ItemReportRow.study_id == bindparam("study"), ItemReportRow.rater_id == bindparam("rater"), ItemReportRow.skipped
)
_IMAGE = (
    select(ImageRow.name, ImageRow.path, ImageRow.sha256, ImageRow.width, ImageRow.height, ImageRow.vocabulary)
    .add_columns(AssignmentRow.study_id, AssignmentRow.item_id, AssignmentRow.panels)
    .join(SampleRow, SampleRow.image_id == ImageRow.id)
    .join(ItemRow, ItemRow.sample_id == SampleRow.id)
    .join(AssignmentRow, AssignmentRow.item_id == ItemRow.id)
    .where(AssignmentRow.id == bindparam("assignment"), AssignmentRow.rater_id == bindparam("rater"))
)
_FREE = (
    select(func.count())
    .select_from(ItemRow)
    .where(ItemRow.study_id == bindparam("study"), ItemRow.place >= 0, ItemRow.takers < bindparam("limit"))
    .where(
        ItemRow.id.not_in(
            select(AssignmentRow.item_id).where(
                AssignmentRow.study_id == bindparam("study"),
                AssignmentRow.rater_id == bindparam("rater"),
                AssignmentRow.place > 0,
            )
        )
    )
)


class Desk(Operations):
    """Operations for a rater at work. Answers are stored by storage.rating.saving."""

    def queue(self, study_id: int, rater: Rater, start: int | None = None, count: int = 3) -> Queue:
        """Return the rater's progress and some of the rater's items.

        These are up to `count` items from position `start`; start None: from the first unfinished item. If the rater
        has too few items, the function gives the rater more. Raises NotFound for an unknown study.
        """
        check_may_enter(study_id, rater)
        count = max(1, min(count, MOST_AT_ONCE))
        with self._database.read() as connection:
            of = rules(connection, study_id)
            queue = _queue(connection, of, rater, start, count)
        wanted = min(count, queue.total + queue.free - (start or queue.resume) + 1)
        is_last = wanted <= 0 and of.is_shared  # if true, release expired items of others below
        if queue.stopped not in (None, "full") or (not queue.is_known and not of.design.new_raters):
            return queue
        if queue.is_known and len(queue.items) >= wanted and not is_last:
            return queue
        with self._database.write() as connection:
            release_expired(connection, of, utc_now())
            held = held_items(connection, study_id, rater.id)
            if not queue.is_known and not count_free(connection, of, 0, held, 1):
                return queue  # a rater who gets no items does not join the study, and so gets no number in it
            join(connection, of, rater)
            up_to = min((start or held.resume) + count - 1, len(held.given) + count)
            # A new rater of shared items gets the whole share at once, so that nobody else can take these items.
            give_out(connection, of, rater, None if of.is_shared and of.design.items_per_rater is not None else up_to)
            return _queue(connection, of, rater, start, count)

    def look(self, study_id: int, rater: Rater) -> Queue:
        """Return the rater's progress in a study, without giving out items. Raises NotFound."""
        check_may_enter(study_id, rater)
        with self._database.read() as connection:
            of = rules(connection, study_id)
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
            of = rules(connection, study_id)
            outlook = _outlook(connection, of, rater)
        if outlook.left.total or not of.is_shared:
            return outlook
        with self._database.write() as connection:  # expired items of other raters become free
            release_expired(connection, of, utc_now())
            return _outlook(connection, of, rater)

    def standing(self, study_id: int, rater: Rater) -> Stop | None:
        """Return why a rater gets no items now, or None. Raises NotFound.

        Raters' open pages call this function every few seconds.
        """
        check_may_enter(study_id, rater)
        with self._database.read() as connection:
            return _stop(rules(connection, study_id), participation(connection, study_id, rater.id))

    def image(self, assignment_id: str, rater: Rater) -> ImageRef:
        """Return an assigned item's picture.

        Raises NotYours unless the item is assigned to the rater, and for a rater who was excluded. Raises Veiled while
        the picture is hidden.
        """
        with self._database.read() as connection:
            row = connection.execute(_IMAGE, {"assignment": assignment_id, "rater": rater.id}).first()
            if row is None or not rater.may_rate(row.study_id):
                raise NotYours("This rater has no such item.")
            check_not_excluded(connection, row.study_id, rater)
            if row.width is not None:
                of = rules(connection, row.study_id)
                if of.design.veil and not is_open(of, row, answers_to(connection, [row.item_id], rater)):
                    raise Veiled("The picture is still hidden. Answer the questions without picture first.")
        return image_ref(row)


def check_may_enter(study_id: int, rater: Rater) -> None:
    """Raise NotFound if the study is not open to the rater."""
    if not rater.may_rate(study_id):
        raise NotFound(f"There is no study number {study_id}.")


def check_not_excluded(connection: Connection, study_id: int, rater: Rater) -> None:
    """Raise NotYours if the rater was excluded from the study."""
    part = participation(connection, study_id, rater.id)
    if part is not None and part.excluded_at is not None:
        raise NotYours(EXCLUDED)


EXCLUDED = "Your part in this study has ended, so nothing more is stored."


def _queue(connection: Connection, of: Rules, rater: Rater, start: int | None, count: int) -> Queue:
    part, held = participation(connection, of.study, rater.id), held_items(connection, of.study, rater.id)
    given, stop = len(held.given), _stop(of, part)
    number = 0 if part is None else part.number
    free = of.design.still_gets(held.own, count_free(connection, of, number, held, MOST_AT_ONCE))
    coming: Iterator[Role] = iter(())
    if part is not None:
        coming = next_roles(connection, of, number, held, free)
    if of.is_shared:  # count only the practice items that come next: other raters may take the shared items first
        practice = sum(1 for _ in takewhile(lambda role: role == "practice", coming))
    else:
        roles = tuple(coming)
        practice, free = roles.count("practice"), len(roles) if part is not None else free
    short = 0
    if of.is_shared and given and (stop or not free) and of.design.still_gets(held.own, 1):
        # The rater has not yet got all items: some are free for the rater, or the rater gave them back.
        short = max(free, of.design.still_gets(held.own, sum(one.role == "item" for one in held.back)))
    is_full = not free and (not given or (short > 0 and not held.unfinished))
    return Queue(
        total=given + short if of.is_shared else given + free,
        free=free if of.is_shared and not stop else 0,
        ahead=AHEAD_SHARED if of.is_shared else AHEAD,
        design=of.design,
        done=given - held.unfinished,
        resume=held.resume,
        items=() if stop else read_items(connection, of, rater, start or held.resume, count),
        stopped=stop or ("full" if is_full else None),
        is_known=part is not None,
        practice=(
            *(one.place for one in held.given if one.role == "practice"),
            *range(given + 1, given + 1 + practice),
        ),
        skipped=connection.scalar(_SKIPPED, {"study": of.study, "rater": rater.id}) or 0,
    )


def _stop(of: Rules, part: Any) -> Stop | None:
    """Return why a rater gets no items at all, or None."""
    if part is not None and part.excluded_at is not None:
        return "excluded"
    return of.stop() or ("full" if part is None and not of.design.new_raters else None)


def _outlook(connection: Connection, of: Rules, rater: Rater | None) -> Outlook:
    part = None if rater is None else participation(connection, of.study, rater.id)
    held = Held((), ()) if rater is None else held_items(connection, of.study, rater.id)
    whose = {"study": of.study, "rater": 0 if rater is None else rater.id, "limit": limit_of(of)}
    free = connection.scalar(_FREE, whose) or 0
    still = of.design.still_gets(held.own, free)
    if part is None:
        controls = study_controls(connection, of)
        coming = tuple(roles_to_come(of.design.seed, next_number(connection, of.study), [], still, controls))
    else:
        coming = tuple(next_roles(connection, of, part.number, held, still))
    left = Counter([*coming, *(one.role for one in held.given if not one.finished)])
    own, share = coming.count("item"), of.design.items_per_rater
    return Outlook(
        left=Workload(left["item"], left["practice"], left["gold"]),
        done=sum(one.finished for one in held.given if one.role != "practice"),
        is_most=of.is_shared and own > 0 and (share is None or free - share < own),  # another rater may take a share
    )
