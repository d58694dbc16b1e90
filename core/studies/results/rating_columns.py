"""A study's ratings as columns: what reports compute with, where a record for each rating would take seconds."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeVar

import numpy as np

from core.arrays import Bools, Ints
from core.studies.results.disputes import ADJUDICATED
from core.studies.results.export import RatingRecord

UNDECIDED = -9  # no point of any scale
NOT_KNOWN = -1  # whether the picture was shown
_Value = TypeVar("_Value", bound=Hashable)


@dataclass(frozen=True, slots=True, eq=False)
class RatingColumns:
    """Ratings in the order of RatingRecord's, each array of shape (ratings,). Texts are places in tuples."""

    item: Ints  # as RatingRecord.item
    sample: Ints  # place in samples
    explanation: Ints  # place in explanations
    rater: Ints  # place in raters
    criterion: Ints  # place in criteria
    point: Ints
    position: Ints  # place of the explanation on the page, from 1
    duration_ms: Ints
    day: Ints  # on which the answer was given, as datetime.date.toordinal counts
    left_out: Ints  # place in reasons
    shown: Ints  # whether the picture was on the page: 1, 0 or NOT_KNOWN
    missing: Bools  # whether the picture was not found
    late: Bools
    decided: Ints  # an adjudicator's point, or UNDECIDED
    samples: tuple[str, ...]  # keys, ascending
    explanations: tuple[tuple[str, str], ...]  # metric and signature
    raters: tuple[str, ...]  # codes
    criteria: tuple[str, ...]
    reasons: tuple[str, ...]  # why reports leave answers out; the first is empty: they count

    def __len__(self) -> int:
        """Return the number of ratings."""
        return len(self.item)

    def where(self, chosen: Bools | Ints) -> "RatingColumns":
        """Return some of the ratings: a mask, or their places."""
        arrays = {f.name: getattr(self, f.name)[chosen] for f in fields(self) if f.type in _ARRAYS}
        return replace(self, **arrays)

    def counted(self) -> "RatingColumns":
        """Return the ratings that reports count."""
        return self.where(self.left_out == 0)

    def adjudicated(self) -> "RatingColumns":
        """Return one rating by the adjudicator in the place of all ratings of a question that was decided."""
        decided = np.flatnonzero(self.decided != UNDECIDED)
        if not len(decided):
            return self
        questions = numbered(self.item, self.explanation, self.criterion)[decided]
        first = decided[np.unique(questions, return_index=True)[1]]
        kept = self.decided == UNDECIDED
        kept[first] = True
        point, rater = self.point.copy(), self.rater.copy()
        point[first], rater[first] = self.decided[first], len(self.raters)
        return replace(self, point=point, rater=rater, raters=(*self.raters, ADJUDICATED)).where(kept)


_ARRAYS = (Ints, Bools)


def numbered(*columns: Ints) -> Ints:
    """Return a number for each row, the same for equal rows of all columns, in the rows' lexical order."""
    found = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        distinct, place = np.unique(column, return_inverse=True)
        found = np.unique(found * len(distinct) + place, return_inverse=True)[1]
    return found


def by_first(numbers: Ints) -> Ints:
    """Return where each distinct number occurs first, in this order."""
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
    told = [row.facts.picture_shown for row in rows]
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
        shown=_ints([NOT_KNOWN if one is None else one for one in told]),
        missing=np.array([row.picture_missing for row in rows], np.bool_),
        late=np.array([row.late for row in rows], np.bool_),
        decided=_ints([UNDECIDED if row.decided is None else row.decided for row in rows]),
        samples=tuple(samples),
        explanations=explanations,
        raters=raters,
        criteria=criteria,
        reasons=reasons,
    )


def coded(values: Sequence[_Value], known: Iterable[_Value] = ()) -> tuple[Ints, tuple[_Value, ...]]:
    """Return values as places in a tuple of the distinct ones, in order of first appearance after the known."""
    places = {value: number for number, value in enumerate(known)}
    found = _ints([places.setdefault(value, len(places)) for value in values])
    return found, tuple(places)


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, np.int64)
