"""Arithmetic beside the plain way of doing it: sparse alpha and the bootstrap of tau.

Every contestant runs in a process of its own, so that peak memory (resident set, interpreter and libraries included)
is its own; times leave imports and data making out.
"""

import multiprocessing
import time
from collections.abc import Callable

import numpy as np
from scipy import stats

from core.statistics.agreement_coefficients import alpha
from core.statistics.kendall import paired_ranks, tau_draws
from core.statistics.reliability_data import judgements
from tests.benchmarks.memory import peak_mb
from tests.benchmarks.rows import Row

JUDGEMENTS, RATERS, UNITS = 131_020, 550, 26_123  # the size of Polaris
PAIRS, IMAGES, DRAWS = 5_664, 1_000, 1_000  # the size of Flickr8k-Expert
LEVEL = "ordinal"
MOST_ALPHA_S, MOST_ALPHA_MB, MOST_BOOTSTRAP_RATIO = 2.0, 500.0, 0.1


def rating_table() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return unit, rater and value of 131,020 judgements; no rater judges a unit twice."""
    rng = np.random.default_rng(0)
    cells = rng.choice(UNITS * RATERS, JUDGEMENTS, replace=False)
    unit, rater = cells // RATERS, cells % RATERS
    quality = rng.normal(3, 1, UNITS)
    return unit, rater, np.clip(np.round(quality[unit] + rng.normal(0, 1, JUDGEMENTS)), 1, 5)


def scored_pairs() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return score, human level (1-4) and image of 5,664 pairs on 1,000 images, scores as fine as FLEUR's."""
    rng = np.random.default_rng(0)
    human = rng.choice(4, PAIRS, p=[0.58, 0.29, 0.09, 0.04]) + 1
    return (human / 8 + rng.normal(0.2, 0.15, PAIRS)).round(4), human, rng.integers(0, IMAGES, PAIRS)


def sparse_alpha() -> tuple[float, float]:
    """Return seconds and alpha of ours, from long arrays to the coefficient."""
    unit, rater, value = rating_table()
    start = time.perf_counter()
    data = judgements(unit, rater, value)
    found = alpha(data, data.frequency[None, :], LEVEL)[0]
    return time.perf_counter() - start, float(found)


def package_alpha() -> tuple[float, float]:
    """Return seconds and alpha of the krippendorff package, which wants a raters x units table."""
    import krippendorff

    unit, rater, value = rating_table()
    start = time.perf_counter()
    table = np.full((RATERS, UNITS), np.nan)
    table[rater, unit] = value
    found = krippendorff.alpha(table, level_of_measurement=LEVEL)
    return time.perf_counter() - start, float(found)


def fast_bootstrap() -> tuple[float, float]:
    """Return seconds and the spread of 1,000 draws of tau-c by ours."""
    score, human, image = scored_pairs()
    start = time.perf_counter()
    drawn = tau_draws(paired_ranks(score, human, image), DRAWS, seed=0).tau_c
    return time.perf_counter() - start, float(drawn.std())


def scipy_bootstrap() -> tuple[float, float]:
    """Return seconds and the spread of 1,000 draws of tau-c by scipy, image by image."""
    score, human, image = scored_pairs()
    rng = np.random.default_rng(0)
    start = time.perf_counter()
    members = [np.flatnonzero(image == i) for i in np.unique(image)]
    drawn = []
    for _ in range(DRAWS):
        rows = np.concatenate([members[i] for i in rng.integers(0, len(members), len(members))])
        drawn.append(stats.kendalltau(score[rows], human[rows], variant="c").statistic)
    return time.perf_counter() - start, float(np.std(drawn))


def measured(contestant: Callable[[], tuple[float, float]]) -> tuple[float, float, float]:
    """Run a contestant in a fresh process; returns seconds, peak megabytes and what it found."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_measure, (contestant,))


def _measure(contestant: Callable[[], tuple[float, float]]) -> tuple[float, float, float]:
    seconds, found = contestant()
    return seconds, peak_mb(), found


def run() -> list[Row]:
    """Run both comparisons."""
    contests = (
        (f"alpha, {JUDGEMENTS:,} judgements", sparse_alpha, "krippendorff package", package_alpha, 1e-6),
        (f"bootstrap of tau, {PAIRS:,} x {DRAWS:,}", fast_bootstrap, "scipy loop", scipy_bootstrap, 1e-3),
    )
    limits = ({"most": MOST_ALPHA_S}, {"most_ratio": MOST_BOOTSTRAP_RATIO})
    rows = []
    for (name, ours, other, theirs, tolerance), asked in zip(contests, limits, strict=True):
        seconds, peak, found = measured(ours)
        other_seconds, other_peak, other_found = measured(theirs)
        agree = abs(found - other_found) < tolerance
        note = "same result" if agree else "OTHER RESULT"
        rows.append(Row(name, seconds, "s", other_seconds, other, holds=agree, note=note, **asked))
        memory = {"most": MOST_ALPHA_MB} if ours is sparse_alpha else {}
        rows.append(Row(f"{name}, peak memory", peak, "MB", other_peak, other, **memory))
    return rows
