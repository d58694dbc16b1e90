"""Hide an item's picture until the questions about the text alone are answered.

Until then the server neither sends the picture nor accepts answers to questions that need it. Only studies with the
option `veil` (hide the picture at first) do this.
"""

from collections.abc import Container, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, select

from core.errors import Veiled
from core.studies.asking.criteria import Criterion
from storage.rating.content.study_forms import asked_form
from storage.study_types import Rater
from storage.tables import RatingRow

Answers = Mapping[tuple[int, int], Mapping[str, int]]  # key: (item, score); value: criterion -> point

# Statements are built once, because SQLAlchemy builds a statement more slowly than SQLite runs it.
_ANSWERS = select(RatingRow.item_id, RatingRow.score_id, RatingRow.criterion, RatingRow.point).where(
    RatingRow.item_id.in_(bindparam("items", expanding=True)), RatingRow.rater_id == bindparam("rater")
)


def answers_to(connection: Connection, items: Sequence[int], rater: Rater) -> dict[tuple[int, int], dict[str, int]]:
    """Return a rater's answers to items; key: item and score.

    Each value maps criteria to the points that the rater gave to the score's explanation.
    """
    answers: dict[tuple[int, int], dict[str, int]] = {}
    for row in connection.execute(_ANSWERS, {"items": items, "rater": rater.id}):
        answers.setdefault((row.item_id, row.score_id), {})[row.criterion] = row.point
    return answers


def judged_without_image(connection: Connection, study_id: int) -> tuple[str, ...]:
    """Return the study's criteria that are judged before the picture is shown."""
    return tuple(one.key for one in asked_form(connection, study_id).criteria if one.without_image)


def is_open(row: Any, blind: Sequence[str], answers: Answers) -> bool:
    """Return whether an item's picture may be shown.

    blind: criteria that are answered without the picture. The picture may be shown if each explanation of the item has
    answers to all these criteria. row: an assignment's item_id and panels (ids of its rated scores), and its study's
    option `veil` (hide the picture at first). Without this option the picture is always shown.
    """
    return not row.veil or all(key in answers.get((row.item_id, score), {}) for score in row.panels for key in blind)


def check_open(row: Any, asked: Sequence[Criterion], answered: Container[tuple[int, str]], question: str) -> None:
    """Raise Veiled if an answer needs a picture that is still hidden.

    row: an assignment's panels (ids of its rated scores) and finished_at, and its study's options `veil` (hide the
    picture at first) and has_image. answered: the (score, criterion) pairs that have an answer.
    """
    if not row.veil or not row.has_image or row.finished_at is not None:
        return
    first = [one for one in asked if one.without_image]
    if any((score, one.key) not in answered for score in row.panels for one in first):
        names = " and ".join(one.name for one in first)
        raise Veiled(f"{question} needs the picture, which is shown once {names} is answered. Answer {names} first.")


def was_shown(
    told: bool | None, width: int | None, veil: bool, revealed_at: datetime | None, at: datetime
) -> bool | None:
    """Return whether the picture was shown when the rater answered.

    The result is None if this is unknown. told: whether the browser reports that the picture was shown; None: it
    reports nothing. width: the picture's width; None: the picture is missing. veil: whether the study hides pictures at
    first. revealed_at: when the picture was first shown; None: it was not. at: time of the answer.
    """
    if width is None:
        return False
    if told is not None or not veil:
        return told
    return revealed_at is not None and revealed_at <= at
