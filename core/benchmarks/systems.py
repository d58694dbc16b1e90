"""Compare captioners by the means of scores: intervals, ranks, and agreement of rankings with people.

The paper on FLEUR, Appendix F, compares captions of people and of a model in this way. Captioners are compared on the
images that all of them captioned, if there are enough such images (`SHARED`, `SHARE`). So differences between
captioners are not caused by different images. An image with several captions by one captioner counts once, with their
mean score.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from core.arrays import Floats, Ints
from core.statistics import intervals
from core.statistics.bootstrap import Interval
from core.statistics.correlations import pearson, spearman

SHARED = 100  # if at least this many images are shared (captioned by all captioners), a ranking uses only shared images
SHARE = 0.5  # fewer than SHARED are enough if they are this share of the largest number of images of one captioner
FEWEST = 3  # minimum number of captioners to correlate, because two always agree or disagree completely


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The mean of one score for each captioner. A captioner without scores has NaN."""

    means: Floats  # (captioners,)
    influence: pd.DataFrame  # (images, captioners), each image's influence on the means; index: image
    is_shared: bool  # True: every captioner has a score on each of the images
    ends: tuple[float, float]  # lowest and highest possible score

    @property
    def images(self) -> int:
        """Number of images from which the means are computed."""
        return len(self.influence)

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
        """Return the 95 % interval of a captioner's mean. place: the captioner's index."""
        return intervals.interval(float(self.means[place]), self.influence[place].to_numpy(), *self.ends)


@dataclass(frozen=True, slots=True)
class RankAgreement:
    """Correlation between the captioners' means of a score and their means by people.

    A correlation is None if it is undefined. Then `note` gives the reason.
    """

    captioners: int  # number of captioners that have a mean score and a mean human judgement
    images: int
    pearson: float | None = None
    spearman: float | None = None
    kendall: float | None = None  # tau-b
    note: str = ""


def ranking(captioner: Ints, image: Ints, score: Floats, captioners: int, ends: tuple[float, float]) -> Ranking:
    """Return the ranking of captioners by a score.

    captioner: (samples,), 0 to captioners - 1; -1: unknown. image, score: (samples,); NaN: none. ends: of the scale.
    """
    scored = (captioner >= 0) & np.isfinite(score)
    frame = pd.DataFrame({"image": image[scored], "captioner": captioner[scored], "score": score[scored]})
    cells = frame.pivot_table(index="image", columns="captioner", values="score").reindex(columns=range(captioners))
    counts = cells.notna().sum()
    whole = cells.loc[:, counts > 0].notna().all(axis=1)
    is_shared = bool(whole.sum() >= min(SHARED, max(1.0, SHARE * counts.max()))) if len(cells) else False
    used = cells[whole] if is_shared else cells
    means = used.mean()
    return Ranking(means.to_numpy(), ((used - means) / used.count()).fillna(0.0), is_shared, ends)


def agreement(score: Ranking, people: Ranking) -> RankAgreement:
    """Return how well captioners' mean scores agree with their mean human judgements."""
    both = np.flatnonzero(np.isfinite(score.means) & np.isfinite(people.means))
    images = min(score.images, people.images)
    if len(both) < FEWEST:
        return RankAgreement(len(both), images, note=f"a ranking needs at least {FEWEST} captioners")
    first, second = score.means[both], people.means[both]
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        note = "all mean scores or all mean judgements of the captioners are equal"
        return RankAgreement(len(both), images, note=note)
    tau = float(scipy.stats.kendalltau(first, second).statistic)
    return RankAgreement(len(both), images, pearson(first, second), spearman(first, second), tau)
