"""Answers as columns, for the description of a study's methods."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from core.arrays import Bools, Ints
from core.studies.asking.criteria import NO_PICTURE
from core.studies.results.export import RatingRecord
from core.studies.results.rating_columns import RatingColumns, columns_of


@dataclass(frozen=True, slots=True, eq=False)
class JudgedColumns:
    """Answers, including excluded ones; each array has shape (answers,)."""

    item: Ints
    rater: NDArray[np.object_]  # codes
    left_out: NDArray[np.object_]  # reason why results exclude the answer; empty: included
    day: Ints
    duration_ms: Ints
    late: Bools
    shown: Ints  # whether the picture was shown: 1, 0 or NOT_KNOWN, as in RatingColumns
    missing: Bools
    what: NDArray[np.object_]  # name of the judged question if it needs the picture, else empty
    no_picture: Bools  # True: the answer is "no picture"

    def where(self, chosen: Bools) -> "JudgedColumns":
        """Return the entries that a mask selects."""
        return JudgedColumns(*(getattr(self, one.name)[chosen] for one in fields(self)))

    @property
    def counted(self) -> "JudgedColumns":
        """Return only the entries that count in reports."""
        return self.where(self.left_out == "")


def of_ratings(records: Iterable[RatingRecord] | RatingColumns, needing_picture: Mapping[str, str]) -> JudgedColumns:
    """Return answers as columns.

    needing_picture: names of the questions that need the picture, by key.
    """
    of = records if isinstance(records, RatingColumns) else columns_of(records)
    what = _objects([needing_picture.get(key, "") for key in of.criteria])[of.criterion]
    rater, left_out = _objects(of.raters)[of.rater], _objects(of.reasons)[of.left_out]
    answers = (of.item, rater, left_out, of.day, of.duration_ms, of.late, of.shown, of.missing)
    return JudgedColumns(*answers, what, (of.point == NO_PICTURE) & (what != ""))


def _objects(values: Sequence[str]) -> NDArray[np.object_]:
    return np.array(values, np.object_)
