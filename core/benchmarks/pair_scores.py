"""Scores of both captions of each pair that people compared."""

from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints
from core.benchmarks.columns import JudgedColumn
from core.types import Variant


@dataclass(frozen=True, slots=True, eq=False)
class PairScores:
    """The values of one score for both captions of each pair.

    Only pairs in which both captions have the score are included. All arrays have shape (pairs,).
    """

    categories: tuple[str, ...]  # names; a category may have no pair in which both captions have the score
    category: Ints  # for each pair, the index of its category in `categories`
    sample: Ints  # for each pair, the sample id of the preferred caption, which identifies the pair in every column
    image: Ints
    preferred: Floats  # score of the caption that people prefer
    other: Floats

    @property
    def right(self) -> Floats:
        """1 for each pair whose preferred caption has the higher score, otherwise 0. Equal scores count as wrong."""
        return (self.preferred > self.other).astype(float)


def pair_scores(column: JudgedColumn, name: str, variant: Variant) -> PairScores:
    """Return the pairs of captions in which both captions have a score.

    variant: the variant of the score, such as "raw" (before smoothing). name: the benchmark's name. This name is used
    as the category of pairs that have no category.
    """
    score = column.score(variant)
    categories: dict[str, int] = {}
    places: tuple[dict[tuple[int, str], int], ...] = ({}, {})
    for place in np.flatnonzero(np.isfinite(score)).tolist():
        pair = column.pair[place]
        if pair is not None and pair.preferred is not None:
            known = categories.setdefault(pair.category or name, len(categories))
            places[pair.position == pair.preferred][known, pair.key] = place
    others, preferred = places
    whole = [(of[0], place, others[of]) for of, place in preferred.items() if of in others]
    category, better, worse = np.array(whole, dtype=np.int64).reshape(-1, 3).T
    return PairScores(
        tuple(categories), category, column.sample[better], column.image[better], score[better], score[worse]
    )
