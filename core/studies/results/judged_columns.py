"""Answers and judged sentences as columns of the same type, for the description of a study's methods."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from core.arrays import Bools, Ints
from core.studies.asking.criteria import NO_PICTURE
from core.studies.results.evidence_export import EvidenceRecord
from core.studies.results.export import RatingRecord
from core.studies.results.rating_columns import NOT_KNOWN, RatingColumns, columns_of


@dataclass(frozen=True, slots=True, eq=False)
class JudgedColumns:
    """Answers or judged sentences, including excluded ones; each array has shape (answers,)."""

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


def of_sentences(evidence: Sequence[EvidenceRecord]) -> JudgedColumns:
    """Return judged sentences as columns."""
    shown = [NOT_KNOWN if one.picture_shown is None else one.picture_shown for one in evidence]
    return JudgedColumns(
        np.array([one.item for one in evidence], np.int64),
        _objects([one.rater for one in evidence]),
        _objects([one.left_out for one in evidence]),
        np.array([one.submitted_at.toordinal() for one in evidence], np.int64),
        np.array([one.duration_ms for one in evidence], np.int64),
        np.array([one.late for one in evidence], np.bool_),
        np.array(shown, np.int64),
        np.array([one.picture_missing for one in evidence], np.bool_),
        _objects(["sentences"] * len(evidence)),
        np.zeros(len(evidence), np.bool_),
    )


def both(ratings: JudgedColumns, sentences: JudgedColumns) -> JudgedColumns:
    """Return the entries of both arguments as columns, answers first."""
    return JudgedColumns(
        *(np.concatenate([getattr(part, one.name) for part in (ratings, sentences)]) for one in fields(JudgedColumns))
    )


def _objects(values: Sequence[str]) -> NDArray[np.object_]:
    return np.array(values, np.object_)
