"""Make handouts. A handout is a copy of an assignment, and survives a restore of the database.

A rater's browser keeps each item's handout, encrypted by the server (ui.services.transfer.seals). After a restore the
database may lack the assignment. Its handout is enough to make the assignment again and to store the rater's answers.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from storage.study_types import Handout, Rater


def handout_of(row: Any, rater: Rater, rated: Mapping[int, Mapping[str, Any]]) -> Handout:
    """Return the handout of an assignment, a copy that does not depend on the database.

    row: the columns of AssignmentRow, and three other values. They are `original_id` (the item that this item repeats),
    `candidate` (the caption) and `made_at` (when the study was made). rated: for the number of each panel, what raters
    see of the panel (explanation or caption to rate).
    """
    mark = mark_of(row.made_at, row.candidate, rated, row.panels)
    identity = (row.id, rater.code, row.study_id, row.item_id, row.original_id)
    return Handout(*identity, tuple(row.panels), row.slot, row.given_at, mark)


def mark_of(made_at: datetime, caption: str, rated: Mapping[int, Mapping[str, Any]], panels: Sequence[int]) -> str:
    """Return a digest of the study's creation time and the item's content."""
    shown = [rated[number] for number in sorted(panels)]
    content = json.dumps([made_at.isoformat(), caption, shown], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:16]
