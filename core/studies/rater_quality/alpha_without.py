"""Krippendorff's alpha of all raters of a study, and alpha without each rater in turn."""

import numpy as np
import scipy

from core.arrays import Floats, Ints
from core.statistics.agreement_coefficients import Level, alpha
from core.statistics.reliability_data import Judgements

_MOST_CELLS = 4_000_000  # maximum cells of a table (rater × kind of unit); units of a kind have equal answer counts


def alpha_without(rater: Ints, unit: Ints, value: Ints, scale: int, raters: int, level: Level) -> Floats:
    """Return alpha of all raters, then alpha without each rater in turn.

    The result has the shape (1 + raters,); NaN where alpha is undefined. rater, unit, value: one entry per judgement.
    value: from 0 to scale - 1.

    Alpha depends only on how often each unit (the thing rated) got each value. So units with the same counts of values
    are handled together, as one kind. If a rater is left out, each unit of this rater loses one judgement. For this
    alpha, the unit belongs to the kind with the lower count.
    """
    counts = np.zeros((unit.max(initial=-1) + 1, scale), dtype=np.int64)
    np.add.at(counts, (unit, value), 1)
    given = np.nonzero(counts)
    less = counts[given[0]]
    less[np.arange(len(less)), given[1]] -= 1
    kinds, kind = np.unique(np.concatenate((counts, less)), axis=0, return_inverse=True)
    with_all, without = kind[: len(counts)], np.zeros_like(counts)
    without[given] = kind[len(counts) :]
    frequency = np.bincount(with_all, minlength=len(kinds))
    data = Judgements(np.arange(1.0, scale + 1), scipy.sparse.csr_array(kinds.astype(float)), frequency, raters)
    step = max(1, _MOST_CELLS // max(len(kinds), 1))
    alphas = [np.array(alpha(data, frequency[None, :], level))] if len(kinds) else [np.full(1, np.nan)]
    for first in range(0, raters, step):
        some = range(first, min(first + step, raters))
        here = (rater >= some.start) & (rater < some.stop)
        row = (rater[here] - first) * len(kinds)
        cells = len(some) * len(kinds)
        added = np.bincount(row + without[unit[here], value[here]], minlength=cells)
        taken = np.bincount(row + with_all[unit[here]], minlength=cells)
        drawn = frequency + (added - taken).reshape(len(some), len(kinds))
        alphas.append(alpha(data, drawn, level) if len(kinds) else np.full(len(some), np.nan))
    return np.concatenate(alphas)
