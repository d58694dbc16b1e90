"""A score's error on three scales: as it is, by rank, and after isotonic calibration.

A metric may order captions as people do and yet lie above or below them everywhere: FLEUR's scores end near 0.85. The
plain difference mixes that offset with what the metric got wrong; ranks and a monotonous fit are free of it.
"""

import numpy as np

from core.arrays import Floats, Ints
from core.types import ErrorScale

FOLDS = 5  # parts of the images, each calibrated by the others


def errors(scale: ErrorScale, score: Floats, human: Floats, image: Ints) -> Floats:
    """Return score - human of every sample, all of shape (samples,), the first two within [0, 1]; NaN: unknown.

    rank: both as shares of the samples that lie below, equal ones halfway. calibrated: the score as people's judgements
    of other images' captions map it, see `calibrated`.
    """
    known = np.isfinite(score) & np.isfinite(human)
    found = np.full(len(score), np.nan)
    if scale == "rank":
        found[known] = shares_below(score[known]) - shares_below(human[known])
    else:
        said = score if scale == "plain" else calibrated(score, human, image)
        found[known] = said[known] - human[known]
    return found


def shares_below(values: Floats) -> Floats:
    """Return for each value the share of the others that lie below it, equal ones counting half; 0.5 for a single one.

    values: without NaN, shape (n,). The lowest of all different values gets 0, the highest 1.
    """
    if len(values) < 2:
        return np.full(len(values), 0.5)
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    below = np.cumsum(counts) - counts
    return np.asarray((below + (counts - 1) / 2)[place.ravel()] / (len(values) - 1))


def calibrated(score: Floats, human: Floats, image: Ints) -> Floats:
    """Return each score as people judge captions with such scores, learnt from other images; NaN where unknown.

    The images are cut into five parts; a part's scores are read off the fit to the four others. A fit to a sample's
    own judgement would flatter whichever score takes more different values: a smoothed one beside a raw one.
    """
    known = np.flatnonzero(np.isfinite(score) & np.isfinite(human))
    found = np.full(len(score), np.nan)
    part = np.unique(image[known], return_inverse=True)[1].ravel() % FOLDS
    for one in range(FOLDS):
        own, others = known[part == one], known[part != one]
        if len(own) and len(others):
            found[own] = np.interp(score[own], *isotonic_fit(score[others], human[others]))
    return found


def isotonic_fit(score: Floats, human: Floats) -> tuple[Floats, Floats]:
    """Return the distinct scores, rising, and the never falling values nearest to people there, in squared error.

    Equal scores get one value: they are fitted as one, weighted by their number.
    """
    from scipy.optimize import isotonic_regression  # it takes a while to load, and most visits ask for plain errors

    distinct, place, counts = np.unique(score, return_inverse=True, return_counts=True)
    means = np.bincount(place.ravel(), weights=human) / counts
    return distinct, np.asarray(isotonic_regression(means, weights=counts.astype(float)).x)
