"""The veil: a picture is given only once everything is stored that is judged without it."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select

from core.studies.criteria import criterion_named
from storage.tables import StudyCriterionRow

Answers = Mapping[tuple[int, int], Mapping[str, int]]  # item and score -> criterion -> point

_ASKED = select(StudyCriterionRow.criterion).where(StudyCriterionRow.study_id == bindparam("study"))


def judged_without_image(connection: Connection, study_id: int) -> tuple[str, ...]:
    """Return the study's criteria that are judged before the picture is seen."""
    keys = connection.scalars(_ASKED, {"study": study_id})
    return tuple(key for key in keys if criterion_named(key).without_image)


def is_open(row: Any, blind: Sequence[str], answers: Answers) -> bool:
    """Whether an item's picture may be seen: what is judged without it (blind) has an answer for every explanation.

    row holds an assignment's item_id and panels with its study's veil.
    """
    return not row.veil or all(key in answers.get((row.item_id, score), {}) for score in row.panels for key in blind)
