"""Tables of ratings for tests."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import pandas as pd

from core.studies.results.report import compared

NOON = datetime(2026, 11, 1, 12)
DEFAULTS: dict[str, Any] = {
    "study": "s", "form": "single", "item": 1, "stratum": "all", "sample": "k1", "image": "a.jpg", "caption": "A dog.",
    "human": None, "metric": "M", "signature": "M", "score": 0.5, "rater": "A", "criterion": "factuality", "rating": 3,
    "panel_position": 1, "started_at": NOON, "submitted_at": NOON, "duration_ms": 4000, "image_shown_at": None,
    "changed_after_image": False, "regions_shown": False, "picture_shown": False, "note": "", "left_out": "",
    "role": "item", "picture_missing": False, "late": False, "place": 1, "words": 0, "right": None,
}  # fmt: skip


class RatingRow(NamedTuple):
    """What statistics need of a rating."""

    item: int | str
    metric: str
    rater: str
    criterion: str
    point: int


def answer(rater: str, item: int, point: int, metric: str = "M", position: int = 1, **more: Any) -> dict[str, Any]:
    """Return one rating."""
    own = {"rater": rater, "item": item, "sample": f"k{item}", "rating": point, "metric": metric, "signature": metric}
    return DEFAULTS | own | {"panel_position": position, "place": item} | more


def table(answers: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """Return ratings as the storage returns them, with their units."""
    kinds = {name: type(value) for name, value in DEFAULTS.items() if isinstance(value, (int, bool))}
    return compared(pd.DataFrame(list(answers), columns=list(DEFAULTS), dtype=object).astype(kinds), {})


def rows_table(rows: Iterable[RatingRow]) -> pd.DataFrame:
    """Return rows as a table with only the columns that statistics need."""
    columns = ["unit", "label", "rater", "criterion", "rating"]
    return pd.DataFrame(list(rows), columns=columns)
