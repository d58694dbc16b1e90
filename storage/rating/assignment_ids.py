"""The ids of assignments.

An id follows from the study, the rater and the item's content. After a restore the database may lack an assignment.
Its id, which comes with the rater's answers, is then enough to find the item again. Raters cannot compute ids, because
they do not know the study's creation time.
"""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, select

from core.studies.planning.orders import panel_order
from storage.study_types import Rater
from storage.tables import ItemRow, ItemScoreRow, SampleRow, StudyRow

_STUDY: BindParameter[int] = bindparam("study")
_ITEMS = (
    select(ItemRow.id, ItemRow.place, SampleRow.candidate, StudyRow.created_at)
    .join(SampleRow, SampleRow.id == ItemRow.sample_id)
    .join(StudyRow, StudyRow.id == ItemRow.study_id)
    .where(ItemRow.study_id == _STUDY)
)
_SCORES = (
    select(ItemScoreRow.item_id, ItemScoreRow.score_id)
    .join(ItemRow, ItemRow.id == ItemScoreRow.item_id)
    .where(ItemRow.study_id == _STUDY)
    .order_by(ItemScoreRow.place)
)
# Statements of the hot path, built once because SQLAlchemy builds a statement more slowly than SQLite runs it.
_ONE_ITEM = _ITEMS.where(ItemRow.id == bindparam("item"))
_ONE_ITEMS_SCORES = _SCORES.where(ItemRow.id == bindparam("item"))


@dataclass(frozen=True, slots=True)
class GivenItem:
    """An item of a study, as it is given to raters."""

    item: int
    place: int  # position in the study
    content: str  # the study's creation time, the item's caption and the numbers of its scores
    scores: tuple[int, ...]

    def id_of(self, study: int, rater: Rater, slot: int) -> str:
        """Return the id of a rater's assignment of this item."""
        content = hashlib.sha256(f"{self.item} {rater.code} {self.content}".encode()).hexdigest()[:24]
        return f"{study}-{slot}-{content}"

    def panels(self, slot: int) -> list[int]:
        """Return the item's scores in the order of the panels on the page."""
        return [self.scores[n] for n in panel_order(len(self.scores), self.place, slot)]


def given_item(connection: Connection, study: int, item: int) -> GivenItem:
    """Return an item of a study."""
    values = {"study": study, "item": item}
    scores = [row.score_id for row in connection.execute(_ONE_ITEMS_SCORES, values)]
    return _item(connection.execute(_ONE_ITEM, values).one(), scores)


def item_of(connection: Connection, name: str, rater: Rater) -> tuple[int, int, GivenItem] | None:
    """Return the study, the slot and the item of an assignment's id.

    The result is None if the rater has no such item. The search computes the ids of all items of the study.
    """
    parts = name.split("-")
    if len(parts) != 3 or not (_is_number(parts[0]) and _is_number(parts[1])):
        return None
    study, slot, _ = parts
    scores: defaultdict[int, list[int]] = defaultdict(list)
    for row in _all(connection, _SCORES, study):
        scores[row.item_id].append(row.score_id)
    items = (_item(row, scores[row.id]) for row in _all(connection, _ITEMS, study))
    found = next((item for item in items if item.id_of(int(study), rater, int(slot)) == name), None)
    return None if found is None else (int(study), int(slot), found)


def _all(connection: Connection, query: Any, study: str) -> Sequence[Any]:
    return connection.execute(query, {"study": int(study)}).all()


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _item(row: Any, scores: Sequence[int]) -> GivenItem:
    return GivenItem(row.id, row.place, f"{row.created_at.isoformat()} {row.candidate} {scores}", tuple(scores))
