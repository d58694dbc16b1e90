"""Store managers' messages to the raters of a study. Raters read them on the rating page."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, insert, or_, select

from core.errors import BadSetting, NotFound
from core.json_types import UtcTime
from core.storable_text import odd_character
from storage.engine.database import Database, new_id, utc_now
from storage.rating.assignment.assignment_rules import assignment_rules
from storage.study_types import Rater
from storage.tables import (
    AssignmentRow,
    ItemRow,
    MessageReadRow,
    MessageRow,
    ParticipationRow,
    RaterRow,
    VisitRow,
)

LONGEST_MESSAGE = 2_000
MOST_SHOWN = 50  # maximum number of messages that a rater sees, the latest first


@dataclass(frozen=True, slots=True)
class Message:
    """A manager's message as the rater who gets it sees it."""

    id: int
    text: str
    at: UtcTime
    place: int | None  # if it answers a report about an item: the item's position in the rater's order; else None
    is_read: bool


@dataclass(frozen=True, slots=True)
class SentMessage:
    """A manager's message as managers see it."""

    id: int
    to: str | None  # code of the rater who gets the message; None: all raters
    item: int | None  # number of the reported item in the study, from 1
    text: str
    author: str
    at: UtcTime
    readers: int  # number of raters who have read the message
    about: int | None  # id of the item whose report the message answers; None: no report


class Messages:
    """Operations on a study's messages."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def send(self, study_id: int, text: str, author: str, to: str | None = None, item: int | None = None) -> int:
        """Store a message to raters of a study. Return its id.

        to: the code of the rater who gets it; None: all raters. item: id of a reported item that the message is about.
        Raises BadSetting for an empty or too long text, and NotFound for an unknown rater or item.
        """
        text = text.strip()
        odd = odd_character(text)
        if not 1 <= len(text) <= LONGEST_MESSAGE or odd is not None:
            raise BadSetting(f"A message must have 1 to {LONGEST_MESSAGE:,} characters, but not {odd or 'NUL'}.")
        with self._database.write() as connection:
            assignment_rules(connection, study_id)
            rater = None
            if to is not None:
                here = select(RaterRow.id).where(RaterRow.code == to, or_(*_takes_part(study_id)))
                rater = connection.scalar(here)
                if rater is None:
                    raise NotFound(f"No rater {to!r} takes part in this study.")
            if item is not None:
                own = select(ItemRow.id).where(ItemRow.id == item, ItemRow.study_id == study_id)
                if connection.scalar(own) is None:
                    raise NotFound("This item does not belong to this study.")
            values = {"study_id": study_id, "rater_id": rater, "item_id": item, "text": text}
            return new_id(connection.execute(insert(MessageRow).values(**values, author=author, at=utc_now())))

    def of_study(self, study_id: int) -> tuple[SentMessage, ...]:
        """Return all messages of a study, latest first."""
        readers = select(func.count()).where(MessageReadRow.message_id == MessageRow.id).scalar_subquery()
        query = (
            select(*MessageRow.__table__.columns, RaterRow.code, ItemRow.place, readers.label("readers"))
            .outerjoin(RaterRow, RaterRow.id == MessageRow.rater_id)
            .outerjoin(ItemRow, ItemRow.id == MessageRow.item_id)
            .where(MessageRow.study_id == study_id)
            .order_by(MessageRow.id.desc())
        )
        with self._database.read() as connection:
            assignment_rules(connection, study_id)
            return tuple(
                SentMessage(
                    row.id, row.code, _number(row.place), row.text, row.author, row.at, row.readers, row.item_id
                )
                for row in connection.execute(query)
            )

    def of_rater(self, study_id: int, rater: Rater) -> tuple[Message, ...]:
        """Return the messages to one rater and to all raters, latest first. Raises NotFound."""
        is_read = (MessageReadRow.message_id == MessageRow.id) & (MessageReadRow.rater_id == rater.id)
        his = (AssignmentRow.item_id == MessageRow.item_id) & (AssignmentRow.rater_id == rater.id)
        query = (
            select(MessageRow.id, MessageRow.text, MessageRow.at, AssignmentRow.place, MessageReadRow.rater_id)
            .outerjoin(MessageReadRow, is_read)
            .outerjoin(AssignmentRow, his)
            .where(MessageRow.study_id == study_id, _to(rater))
            .order_by(MessageRow.id.desc())
            .limit(MOST_SHOWN)
        )
        _check(study_id, rater)
        with self._database.read() as connection:
            return tuple(
                Message(
                    row.id, row.text, row.at, row.place if row.place and row.place > 0 else None, bool(row.rater_id)
                )
                for row in connection.execute(query)
            )

    def note_read(self, study_id: int, rater: Rater, messages: Collection[int]) -> None:
        """Store that a rater has read messages.

        Messages to other raters are ignored. Raises NotFound.
        """
        _check(study_id, rater)
        with self._database.write() as connection:
            read = select(MessageReadRow.message_id).where(MessageReadRow.rater_id == rater.id)
            unread = select(MessageRow.id).where(
                MessageRow.study_id == study_id, _to(rater), MessageRow.id.in_(messages), MessageRow.id.not_in(read)
            )
            rows = [{"message_id": one, "rater_id": rater.id, "at": utc_now()} for one in connection.scalars(unread)]
            if rows:
                connection.execute(insert(MessageReadRow), rows)


def _check(study_id: int, rater: Rater) -> None:
    if not rater.may_rate(study_id):
        raise NotFound(f"There is no study number {study_id}.")


def _to(rater: Rater) -> Any:
    return or_(MessageRow.rater_id.is_(None), MessageRow.rater_id == rater.id)


def _takes_part(study_id: int) -> tuple[Any, ...]:
    """Return the conditions that select the raters who came to a study.

    Raters who have not got an item yet are included.
    """
    return (
        RaterRow.id.in_(select(ParticipationRow.rater_id).where(ParticipationRow.study_id == study_id)),
        RaterRow.id.in_(select(VisitRow.rater_id).where(VisitRow.study_id == study_id)),
    )


def _number(place: int | None) -> int | None:
    return None if place is None or place < 0 else place + 1
