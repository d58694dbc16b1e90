"""The veil: a picture is given only once everything is stored that is judged without it."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from storage.rating.study_forms import asked_form

Answers = Mapping[tuple[int, int], Mapping[str, int]]  # item and score -> criterion -> point


def judged_without_image(connection: Connection, study_id: int) -> tuple[str, ...]:
    """Return the study's criteria that are judged before the picture is seen."""
    return tuple(one.key for one in asked_form(connection, study_id).criteria if one.without_image)


def is_open(row: Any, blind: Sequence[str], answers: Answers) -> bool:
    """Whether an item's picture may be seen: what is judged without it (blind) has an answer for every explanation.

    row holds an assignment's item_id and panels with its study's veil.
    """
    return not row.veil or all(key in answers.get((row.item_id, score), {}) for score in row.panels for key in blind)
