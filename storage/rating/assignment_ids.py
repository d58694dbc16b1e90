"""The ids of assignments.

An id follows from the study, the rater and the item's content. After a restore the database may lack an assignment.
Its id, which comes with the rater's answers, is then enough to find the item again. Raters cannot compute ids, because
they do not know the study's creation time.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, select

from core.studies.planning.orders import panel_order
from storage.study_types import Rater
from storage.tables import ItemRow, ItemScoreRow, SampleRow, StudyRow

_STUDY: BindParameter[int] = bindparam("study")
_ITEMS = (
    select(ItemRow.id, ItemRow.place, SampleRow.candidate, StudyRow.created_at, ItemScoreRow.score_id)
    .join(SampleRow, SampleRow.id == ItemRow.sample_id)
    .join(StudyRow, StudyRow.id == ItemRow.study_id)
    .join(ItemScoreRow, ItemScoreRow.item_id == ItemRow.id)
    .where(ItemRow.study_id == _STUDY)
    .order_by(ItemRow.id, ItemScoreRow.place)
)
# A statement of the hot path, built once because SQLAlchemy builds a statement more slowly than SQLite runs it.
_ONE_ITEM = _ITEMS.where(ItemRow.id == bindparam("item"))
_ID = re.compile(r"([0-9]{1,9})-([0-9]{1,9})-\w+")


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
    return next(_items(connection.execute(_ONE_ITEM, {"study": study, "item": item})))


def item_of(connection: Connection, name: str, rater: Rater) -> tuple[int, int, GivenItem] | None:
    """Return the study, the slot and the item of an assignment's id.

    The result is None if the rater has no such item. The search computes the ids of all items of the study.
    """
    parts = _ID.fullmatch(name)
    if parts is None:
        return None
    study, slot = int(parts[1]), int(parts[2])
    items = _items(connection.execute(_ITEMS, {"study": study}).all())
    found = next((item for item in items if item.id_of(study, rater, slot) == name), None)
    return None if found is None else (study, slot, found)


def _items(rows: Iterable[Any]) -> Iterator[GivenItem]:
    for _, of_item in groupby(rows, key=lambda row: row.id):
        first, *others = of_item
        scores = [row.score_id for row in (first, *others)]
        content = f"{first.created_at.isoformat()} {first.candidate} {scores}"
        yield GivenItem(first.id, first.place, content, tuple(scores))
