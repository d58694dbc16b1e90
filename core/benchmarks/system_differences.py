"""Differences between captioners: compare two captioners by the means of one score.

Each bootstrap draw uses the same images for both captioners, so the comparison is paired. The paper on FLEUR, Appendix
F, compares captions of people and of a model in this way.
"""

from dataclasses import dataclass

import numpy as np

from core.benchmarks.systems import Ranking
from core.statistics.bootstrap import Interval, percentile_interval, two_sided_p


@dataclass(frozen=True, slots=True)
class SystemDifference:
    """Difference between two captioners' means, on the score's scale.

    A value is None if it is undefined. Then `note` gives the reason.
    """

    value: float | None
    interval: Interval | None  # 95 % interval of the difference, bootstrap over images
    p: float | None  # two-sided p value, from the bootstrap draws
    p_at_most: bool  # True: p is an upper bound, because the draws allow no smaller value
    note: str = ""


def difference(ranking: Ranking, one: int, other: int) -> SystemDifference:
    """Return the difference between two captioners' mean scores: captioner `one` minus captioner `other`.

    one, other: indices of captioners.
    """
    value = ranking.means[one] - ranking.means[other]
    if not np.isfinite(value):
        return SystemDifference(None, None, None, False, "one of the two captioners has no mean of this score")
    drawn = ranking.drawn[:, one] - ranking.drawn[:, other]
    interval = percentile_interval(drawn) if len(drawn) else None
    if interval is None:
        return SystemDifference(float(value), None, None, False, "too few images for an interval")
    note = (
        "" if ranking.is_shared else "not a paired comparison, because too few images have captions of all captioners"
    )
    return SystemDifference(float(value), interval, *two_sided_p(drawn), note)
