"""A sparse table of judgements: the input of all agreement coefficients.

Agreement depends only on how many raters gave each value to a unit (the thing rated). So units with the same counts are
stored as one row, with the number of such units. 131,020 judgements by 550 raters become a few hundred rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from core.arrays import Floats, Ints
from core.errors import BadData

DENSE_VALUES = 64  # maximum number of scale values for which units with equal counts are found with a dense table


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """Counts of values for each kind of unit.

    Units (the things rated) are of the same kind if each value was given equally often to them.
    """

    values: Floats  # shape (values,): the values of the scale, in ascending order
    counts: "scipy.sparse.csr_array"  # (kinds of unit, values): how many raters gave each value to one unit of the kind
    frequency: Ints  # (kinds,) number of units of each kind
    raters: int  # distinct raters

    @property
    def ratings(self) -> Ints:
        """Return the number of ratings of one unit, for each kind of unit.

        Units are of the same kind if each value was given equally often to them. Shape (kinds,), at least 1.
        """
        return np.asarray(self.counts.sum(axis=1), dtype=np.int64)

    @property
    def total(self) -> int:
        """Number of judgements."""
        return int(self.ratings @ self.frequency)

    @property
    def units(self) -> int:
        """Number of units with at least one judgement."""
        return int(self.frequency.sum())

    @property
    def shared_units(self) -> int:
        """Number of units with at least two judgements.

        Only these units contain information about the agreement of raters.
        """
        return int(self.frequency[self.ratings > 1].sum())


def judgements(unit: ArrayLike, rater: ArrayLike, value: ArrayLike, scale: Sequence[float] | None = None) -> Judgements:
    """Return counts of judgements. The arrays have one entry per judgement.

    unit, rater, value: each judgement's unit (the thing rated), rater and value. NaN: the judgement is missing and not
    counted. scale: all possible values, because some coefficients also count values that no rater gave; None: only the
    values that occur are counted. Raises BadData.
    """
    table = _table(unit, rater, value)
    values = np.unique(table["value"] if scale is None else np.asarray(scale, float))
    column = np.searchsorted(values, table["value"]).clip(max=max(len(values) - 1, 0))
    if len(table) and (values[column] != table["value"]).any():
        stray = table["value"][values[column] != table["value"]].iloc[0]
        raise BadData(
            f"Judgements must be on the scale {values.tolist()}, found {stray}. Correct the scale or the data."
        )
    row, units = pd.factorize(table["unit"])
    counts = scipy.sparse.coo_array((np.ones(len(table)), (row, column)), shape=(len(units), len(values))).tocsr()
    kinds, frequency = _kinds(counts)
    return Judgements(values, kinds, frequency, table["rater"].nunique())


def _table(unit: ArrayLike, rater: ArrayLike, value: ArrayLike) -> pd.DataFrame:
    columns = {"unit": np.asarray(unit), "rater": np.asarray(rater), "value": np.asarray(value, dtype=float)}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise BadData(f"Units, raters and values must have the same length, found {lengths}")
    table = pd.DataFrame(columns).dropna(subset="value")
    twice = table[table.duplicated(["unit", "rater"])]
    if len(twice):
        pair = twice.iloc[0]
        raise BadData(f"Each rater may judge a unit once, but {pair.rater} judged {pair.unit} twice")
    return table


def _kinds(counts: "scipy.sparse.csr_array") -> "tuple[scipy.sparse.csr_array, Ints]":
    if counts.shape[1] > DENSE_VALUES or counts.shape[0] == 0:
        return counts, np.ones(counts.shape[0], dtype=np.int64)
    kinds, frequency = np.unique(counts.toarray(), axis=0, return_counts=True)
    return scipy.sparse.csr_array(kinds), frequency.astype(np.int64)
