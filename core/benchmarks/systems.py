"""Compare captioners: means with intervals, ranks, and agreement of rankings.

Each bootstrap draw uses the same images for all captioners and all scores. So differences between captioners are not
caused by different images. An image with several captions by one captioner counts once, with their mean score.
Captioners are compared on the images that all of them captioned, if there are enough such images (`SHARED`, `SHARE`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy

from core.arrays import Floats, Ints
from core.long_work.progress import report
from core.statistics.bootstrap import DRAWING, LARGE, SEED, Interval, draw_clusters, percentile_interval
from core.statistics.linear_correlation import pearson, spearman

DRAWS = 2000
BATCH = 100  # maximum number of bootstrap draws in memory at a time; if there are many images, it is smaller
SHARED = 100  # if at least this many images are shared (captioned by all captioners), a ranking uses only shared images
SHARE = 0.5  # fewer than SHARED are enough if they are this share of the largest number of images of one captioner
FEWEST = 3  # minimum number of captioners to correlate, because two always agree or disagree completely


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The mean of one score for each captioner, and the bootstrapped means. A captioner without scores has NaN."""

    means: Floats  # (captioners,)
    drawn: Floats  # (draws, captioners)
    captions: Ints  # (captioners,) number of captions with the score
    images: int  # number of images from which the means are computed, for all captioners together
    is_shared: bool  # True: every captioner has a score on each of the images counted in `images`

    @property
    def known(self) -> Ints:
        """Indices of the captioners that have the score."""
        return np.flatnonzero(np.isfinite(self.means))

    @property
    def ranks(self) -> Ints:
        """Rank of each captioner: 1 for the highest mean, 0 for no score. Equal means share a rank."""
        known, ranks = self.known, np.zeros(len(self.means), dtype=np.int64)
        ranks[known] = scipy.stats.rankdata(-self.means[known], "min")
        return ranks

    def interval(self, place: int) -> Interval | None:
        """Return the 95 % interval of a captioner's mean.

        place: the captioner's index. Returns None for fewer than two images.
        """
        return percentile_interval(self.drawn[:, place]) if len(self.drawn) else None


@dataclass(frozen=True, slots=True)
class RankAgreement:
    """Correlation between the captioners' means of a score and their means by people.

    A correlation is None if it is undefined. Then `note` gives the reason.
    """

    captioners: int  # number of captioners that have a mean score and a mean human judgement
    images: int
    pearson: float | None  # [-1, 1]
    spearman: float | None
    kendall: float | None  # tau-b
    intervals: Mapping[str, Interval | None] = field(default_factory=dict)  # key: correlation; bootstrap over images
    note: str = ""


def rankings(
    captioner: Ints, image: Ints, scores: Mapping[str, Floats], captioners: int, draws: int = DRAWS, seed: int = SEED
) -> dict[str, Ranking]:
    """Return the ranking of captioners by each score.

    captioner: (samples,) from 0 to captioners - 1; -1: unknown. image: (samples,). scores: (samples,) each; NaN: no
    score. All rankings use the same draws of images.
    """
    known = captioner >= 0
    who, (_, where) = captioner[known], np.unique(image[known], return_inverse=True)
    cells = [_cells(who, where.ravel(), values[known], captioners) for values in scores.values()]
    columns = [_used(one, captioners) for one in cells]
    means, drawn = _drawn([one for one, _ in columns], captioners, draws, seed)
    found = {}
    for number, (name, values) in enumerate(scores.items()):
        own, (used, is_shared) = slice(number * captioners, (number + 1) * captioners), columns[number]
        captions = np.bincount(who[np.isfinite(values[known])], minlength=captioners)
        found[name] = Ranking(means[own], drawn[:, own], captions, len(np.unique(used.image)), is_shared)
    return found


def agreement(score: Ranking, people: Ranking) -> RankAgreement:
    """Return how well captioners' mean scores agree with their mean human judgements.

    score, people: rankings from the same call of `rankings`.
    """
    both = np.flatnonzero(np.isfinite(score.means) & np.isfinite(people.means))
    images = min(score.images, people.images)
    if len(both) < FEWEST:
        note = f"a ranking needs at least {FEWEST} captioners with this score and human judgements"
        return RankAgreement(len(both), images, None, None, None, note=note)
    one, other = score.means[both], people.means[both]
    figures = pearson(one, other), spearman(one, other), _kendall(one[None], other[None])
    note = "" if figures[0] is not None else "all mean scores or all mean judgements of the captioners are equal"
    tau = float(figures[2][0])
    drawn = score.drawn[:, both], people.drawn[:, both]
    intervals = {
        "pearson": percentile_interval(_pearson(*drawn)),
        "spearman": percentile_interval(_pearson(*(scipy.stats.rankdata(each, axis=1) for each in drawn))),
        "kendall": percentile_interval(_kendall(*drawn)),
    }
    return RankAgreement(
        len(both),
        images,
        figures[0],
        figures[1],
        tau if np.isfinite(tau) else None,
        intervals if len(drawn[0]) else {},
        note,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """Mean scores, with one entry (a cell) for each image and captioner."""

    image: Ints
    captioner: Ints
    value: Floats


def _cells(who: Ints, where: Ints, values: Floats, captioners: int) -> _Cells:
    given = np.isfinite(values)
    cell, place = np.unique(where[given] * captioners + who[given], return_inverse=True)
    sums, counts = np.bincount(place.ravel(), weights=values[given]), np.bincount(place.ravel())
    return _Cells(cell // captioners, cell % captioners, sums / counts)


def _used(cells: _Cells, captioners: int) -> tuple[_Cells, bool]:
    """Return the mean scores of the images to use for a ranking.

    Also returns whether every captioner has a mean score for each of the returned images.
    """
    of_captioner = np.bincount(cells.captioner, minlength=captioners)
    is_shared = np.bincount(cells.image) == np.count_nonzero(of_captioner)
    if is_shared.sum() < min(SHARED, max(1.0, SHARE * float(of_captioner.max(initial=0)))):
        return cells, False
    used = is_shared[cells.image]
    return _Cells(cells.image[used], cells.captioner[used], cells.value[used]), True


def _drawn(columns: Sequence[_Cells], captioners: int, draws: int, seed: int) -> tuple[Floats, Floats]:
    """Return the means of all captioners, and the bootstrapped means.

    columns: one per score. The means of all captioners by the first score come first, then those by the second score,
    and so on. The bootstrapped means have the shape (draws, means).

    With fewer than two images there are no draws. If every mean is over at least LARGE images, the bootstrapped means
    are drawn from a normal distribution instead. The covariance of two means is a sum over images: each term is the
    product of the image's influences on both means.
    """
    width = captioners * len(columns)
    mean_of = np.concatenate([one.captioner + number * captioners for number, one in enumerate(columns)])
    image, value = (np.concatenate([getattr(one, name) for one in columns]) for name in ("image", "value"))
    counts = np.bincount(mean_of, minlength=width)
    with np.errstate(invalid="ignore"):
        means = np.bincount(mean_of, weights=value, minlength=width) / counts
    distinct, place = np.unique(image, return_inverse=True)
    places, shape = (place.ravel(), mean_of), (len(distinct), width)
    if len(distinct) < 2:
        return means, np.empty((0, width))
    if counts[counts > 0].min() >= LARGE:
        influence = scipy.sparse.csr_array(((value - means[mean_of]) / counts[mean_of], places), shape)
        size, direction = np.linalg.eigh((influence.T @ influence).toarray())
        root = direction * np.sqrt(np.maximum(size, 0))
        return means, means + np.random.default_rng(seed).standard_normal((draws, width)) @ root.T
    sums, there = (scipy.sparse.csr_array((data, places), shape).T for data in (value, np.ones(len(value))))
    drawn: list[Floats] = []
    for times in draw_clusters(len(distinct), draws, seed, BATCH):
        report(DRAWING, BATCH * len(drawn), draws)
        with np.errstate(invalid="ignore"):
            drawn.append(((sums @ times.T) / (there @ times.T)).T)
    return means, np.concatenate(drawn)


def _pearson(first: Floats, second: Floats) -> Floats:
    """Return Pearson's r of each row; NaN if a row is constant. first, second: (draws, captioners)."""
    x, y = (each - each.mean(axis=1, keepdims=True) for each in (first, second))
    with np.errstate(invalid="ignore", divide="ignore"):
        r: Floats = (x * y).sum(axis=1) / np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    return r


def _kendall(first: Floats, second: Floats) -> Floats:
    """Return Kendall's tau-b of each row; NaN if a row is constant. first, second: (draws, captioners)."""
    one, other = np.triu_indices(first.shape[1], 1)
    x, y = (np.sign(each[:, one] - each[:, other]) for each in (first, second))
    with np.errstate(invalid="ignore", divide="ignore"):
        tau: Floats = (x * y).sum(axis=1) / np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    return tau
