"""A score's error on three scales: plain, by rank, and after isotonic calibration.

A metric may order captions as people do and yet be too high or too low everywhere. FLEUR's scores, for example, end
near 0.85. The plain difference includes this offset. Ranks and a monotonic fit do not.
"""

import numpy as np

from core.arrays import Floats, Ints
from core.types import ErrorScale

FOLDS = 5  # number of parts into which images are divided; each part is calibrated on the other parts


def errors(scale: ErrorScale, score: Floats, human: Floats, image: Ints) -> Floats:
    """Return score - human of every sample, on one of three scales.

    All arrays have the shape (samples,); score and human are within [0, 1]; NaN: unknown.

    rank: score and human are replaced by the share of samples below; equal values count half. calibrated: the score is
    replaced by the result of `calibrated`.
    """
    has_both = np.isfinite(score) & np.isfinite(human)
    differences = np.full(len(score), np.nan)
    if scale == "rank":
        differences[has_both] = shares_below(score[has_both]) - shares_below(human[has_both])
    else:
        compared = score if scale == "plain" else calibrated(score, human, image)
        differences[has_both] = compared[has_both] - human[has_both]
    return differences


def shares_below(values: Floats) -> Floats:
    """Return for each value the share of the other values below it.

    values: (n,), without NaN. Equal values count half. The lowest of distinct values gets 0, the highest 1, a single
    value 0.5.
    """
    if len(values) < 2:
        return np.full(len(values), 0.5)
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    below = np.cumsum(counts) - counts
    return np.asarray((below + (counts - 1) / 2)[place.ravel()] / (len(values) - 1))


def calibrated(score: Floats, human: Floats, image: Ints) -> Floats:
    """Return for each score the mean human judgement of captions with this score; NaN if unknown.

    The relation is fitted to other images. The images are split into five parts, and each part is calibrated with a fit
    to the other four. A fit that includes a sample's own judgement would favour a score with more distinct values, e.g.
    a smoothed score over a raw score.
    """
    places = np.flatnonzero(np.isfinite(score) & np.isfinite(human))
    fitted = np.full(len(score), np.nan)
    part = np.unique(image[places], return_inverse=True)[1].ravel() % FOLDS
    for one in range(FOLDS):
        own, others = places[part == one], places[part != one]
        if len(own) and len(others):
            fitted[own] = np.interp(score[own], *isotonic_fit(score[others], human[others]))
    return fitted


def isotonic_fit(score: Floats, human: Floats) -> tuple[Floats, Floats]:
    """Return the distinct scores, rising, and their isotonic fit to human judgement.

    The fit never decreases and has the least squared error. Equal scores get one value, weighted by their number.
    """
    from scipy.optimize import isotonic_regression  # imported late: slow, and most visits need only plain errors

    distinct, place, counts = np.unique(score, return_inverse=True, return_counts=True)
    means = np.bincount(place.ravel(), weights=human) / counts
    return distinct, np.asarray(isotonic_regression(means, weights=counts.astype(float)).x)
