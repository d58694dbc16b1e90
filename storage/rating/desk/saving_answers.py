"""Store raters' actions: answers, shown pictures, notes.

The browser gives each action a key. A repeated key changes nothing, even if it arrives late. The current answer is one
row in `ratings`. Every action is also one row in `events`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import func, insert, select

from core.errors import InvalidRating, NotFound, NotYours, Veiled
from storage.engine.database import PATIENCE_S, Database, utc_now
from storage.rating.desk.answer_kinds import KINDS, Books, HeldItem, not_before
from storage.rating.desk.reassigning import assigned_again
from storage.study_types import Rater, Save
from storage.tables import EventRow

SaveProblem = NotYours | InvalidRating | NotFound | Veiled
Results = tuple[SaveProblem | None, ...]  # for each action in a request: why it is refused, or None
OnStored = Callable[[int], object]  # function that gets the number of the newest event after each commit
UNKNOWN_ITEM = (
    "Your answer belongs to an item that this server no longer has. The answer is kept in this browser. "
    "Please tell the person who sent you the link."
)

# Statements of the hot path, built once because SQLAlchemy builds a statement more slowly than SQLite runs it.
_NEW_EVENT = insert(EventRow)
_NEWEST_EVENT = select(func.max(EventRow.id))
_NO_EVENT: dict[str, Any] = dict.fromkeys(("score_id", "criterion", "old_point", "new_point", "text"))


@dataclass(frozen=True, slots=True)
class Sent:
    """The actions of a rater that one request contains, oldest first."""

    rater: Rater
    saves: Sequence[Save]


def save_all(database: Database, sent: Sent, on_stored: OnStored | None = None) -> Results:
    """Store the actions of one request. Return a result for each.

    Raises NotYours if all actions are about other raters' items. See save_together for the results.
    """
    (results,) = save_together(database, [sent], on_stored=on_stored)
    check_theirs(results)
    return results


def check_theirs(results: Results) -> None:
    """Raise NotYours if every action is about other raters' items.

    results: the results of one request.
    """
    if results and all(isinstance(result, NotYours) for result in results):
        raise NotYours(str(results[0]))


def save_together(
    database: Database, requests: Sequence[Sent], patience_s: float = PATIENCE_S, on_stored: OnStored | None = None
) -> tuple[Results, ...]:
    """Store the actions of several requests in their order, in one transaction.

    Returns for each action of each request the reason for a refusal, or None. A refused action does not prevent the
    other actions from being stored. When this function returns, every stored action is committed and written to the
    disk.
    """
    newest = None
    with database.write(patience_s) as connection:
        books = Books(connection, utc_now())
        results = tuple(tuple(_save(books, one, save) for save in one.saves) for one in requests)
        if books.events:
            connection.execute(_NEW_EVENT, books.events)
            newest = connection.scalar(_NEWEST_EVENT)
    if newest is not None and on_stored is not None:
        on_stored(newest)
    return results


def _save(books: Books, sent: Sent, save: Save) -> SaveProblem | None:
    rater, rows = sent.rater, books.rows(sent.rater, save)
    if not rows:
        save = assigned_again(books.connection, rater, save)
        rows = books.rows(rater, save)
    if not rows:
        return NotYours(UNKNOWN_ITEM)
    if rows[0].is_known or (rater.id, save.key) in books.keys:
        return None
    item = HeldItem(rater, rows[0], {(row.score_id, row.criterion): row for row in rows if row.criterion is not None})
    at = not_before(item.row.given_at, books.now - timedelta(milliseconds=save.age_ms))
    event = {"request_key": save.key, "at": at, "received_at": books.now, "rater_id": rater.id}
    event |= {"assignment_id": save.assignment, "kind": save.kind, **_NO_EVENT}
    try:
        event |= KINDS[save.kind](books, item, save, at)
    except (InvalidRating, NotFound, Veiled) as error:
        return error
    books.events.append(event)
    books.keys.add((rater.id, save.key))
    return None
