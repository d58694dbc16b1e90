"""A study's ratings as columns (arrays).

Columns are used because computing a report from one record per rating would take seconds.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeVar

import numpy as np

from core.arrays import Bools, Floats, Ints
from core.studies.results.export import RatingRecord

NOT_KNOWN = -1  # value of `shown` if it is unknown whether the picture was shown
_Value = TypeVar("_Value", bound=Hashable)


@dataclass(frozen=True, slots=True, eq=False)
class RatingColumns:
    """Ratings as columns: an array of shape (ratings,) for each field of RatingRecord.

    Texts are stored as indices into a tuple of the distinct texts.
    """

    item: Ints  # as RatingRecord.item
    sample: Ints  # index of the sample in `samples`
    explanation: Ints  # index in explanations
    rater: Ints  # index in raters
    criterion: Ints  # index of the criterion in `criteria`
    point: Ints
    position: Ints  # position of the explanation on the page, from 1
    duration_ms: Ints
    day: Ints  # date of the answer as a number of days, as in datetime.date.toordinal
    left_out: Ints  # index of the reason for exclusion in `reasons`
    shown: Ints  # whether the page had shown the picture before the answer: 1, 0 or NOT_KNOWN
    missing: Bools  # whether the picture was not found
    late: Bools
    samples: tuple[str, ...]  # keys, ascending
    explanations: tuple[tuple[str, str], ...]  # (metric, signature) of each explanation
    raters: tuple[str, ...]  # codes
    criteria: tuple[str, ...]
    reasons: tuple[str, ...]  # reasons for exclusion; the first reason is empty and stands for included answers

    def __len__(self) -> int:
        """Return the number of ratings."""
        return len(self.item)

    def where(self, chosen: Bools | Ints) -> "RatingColumns":
        """Return some of the ratings, selected by a mask or by indices."""
        arrays = {f.name: getattr(self, f.name)[chosen] for f in fields(self) if f.type in _ARRAYS}
        return replace(self, **arrays)

    def counted(self) -> "RatingColumns":
        """Return only the ratings that count in reports."""
        return self.where(self.left_out == 0)


_ARRAYS = (Ints, Bools, Floats)


def numbered(*columns: Ints) -> Ints:
    """Return a number for each row of the columns.

    Equal rows get equal numbers. The numbers follow the sorted order of the rows.
    """
    numbers = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        distinct, place = np.unique(column, return_inverse=True)
        numbers = np.unique(numbers * len(distinct) + place, return_inverse=True)[1]
    return numbers


def by_first(numbers: Ints) -> Ints:
    """Return the index of each distinct number's first occurrence, in order of occurrence."""
    return np.sort(np.unique(numbers, return_index=True)[1])


def columns_of(records: Iterable[RatingRecord]) -> RatingColumns:
    """Return records as columns."""
    rows = list(records)
    samples = sorted({row.sample for row in rows})
    place = {key: number for number, key in enumerate(samples)}
    explanation, explanations = coded([(row.metric, row.signature) for row in rows])
    rater, raters = coded([row.rater for row in rows])
    criterion, criteria = coded([row.criterion for row in rows])
    left_out, reasons = coded([row.left_out for row in rows], [""])
    shown = [row.facts.picture_shown for row in rows]
    return RatingColumns(
        item=_ints([row.item for row in rows]),
        sample=_ints([place[row.sample] for row in rows]),
        explanation=explanation,
        rater=rater,
        criterion=criterion,
        point=_ints([row.rating for row in rows]),
        position=_ints([row.panel_position for row in rows]),
        duration_ms=_ints([row.duration_ms for row in rows]),
        day=_ints([row.submitted_at.toordinal() for row in rows]),
        left_out=left_out,
        shown=_ints([NOT_KNOWN if one is None else one for one in shown]),
        missing=np.array([row.picture_missing for row in rows], np.bool_),
        late=np.array([row.late for row in rows], np.bool_),
        samples=tuple(samples),
        explanations=explanations,
        raters=raters,
        criteria=criteria,
        reasons=reasons,
    )


def coded(values: Sequence[_Value], known: Iterable[_Value] = ()) -> tuple[Ints, tuple[_Value, ...]]:
    """Return values as indices into a tuple of the distinct values, and this tuple.

    The tuple starts with `known`. The other values follow in order of appearance.
    """
    places = {value: number for number, value in enumerate(known)}
    indices = _ints([places.setdefault(value, len(places)) for value in values])
    return indices, tuple(places)


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, np.int64)
