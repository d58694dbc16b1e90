"""The difference of two metrics' taus, computed for this pair alone: what the app must find with draws it has kept."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from core.benchmarks.correlation import DRAWS, Observations, TauDifference, difference, draw
from core.datasets.benchmark import Tau
from core.statistics.bootstrap import SEED


def tau_difference(
    first: Observations, second: ArrayLike, tau: Tau, draws: int = DRAWS, seed: int = SEED
) -> TauDifference:
    other = replace(first, score=np.asarray(second, dtype=float))
    return difference(draw(first, draws, seed), draw(other, draws, seed), tau)
