"""Balanced order of panels: the position of each explanation on each item for each rater.

Orders form blocks of k cyclic shifts. In a block, each explanation is once at each position. Successive blocks start
from different arrangements until all k! orders are used.
"""

from itertools import islice, permutations

MOST_ARRANGEMENTS = 720  # enough for counterbalancing; limits the list, because k! grows fast


def panel_order(k: int, item: int, rater: int) -> tuple[int, ...]:
    """Return the order of k panels: for each position, the panel (0 .. k-1) to show there.

    item and rater are running numbers from 0. Count how often each panel is at each position, for one rater over
    consecutive items, or for one item over consecutive raters. After any number of steps these counts differ by at most
    one.
    """
    arrangements = list(islice(permutations(range(1, k)), MOST_ARRANGEMENTS))
    arrangement = (0, *arrangements[(item // k + rater // k) % len(arrangements)])
    shift = (item + rater) % k
    return arrangement[shift:] + arrangement[:shift]
