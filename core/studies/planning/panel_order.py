"""Balanced order of panels: each rater's position of each explanation on each item.

Orders form blocks of k cyclic shifts. In a block, each explanation takes each position once. Successive blocks start
from different arrangements until all k! orders are used.
"""

from itertools import islice, permutations

MOST_ARRANGEMENTS = 720  # enough for counterbalance; limits the list for large k!


def panel_order(k: int, item: int, rater: int) -> tuple[int, ...]:
    """Return the order of k panels: at each position, the panel (0 .. k-1) to show there.

    item and rater are running numbers from 0. For one rater over consecutive items, and for one item over consecutive
    raters, counts of panel by position differ by at most one after any number of steps.
    """
    arrangements = list(islice(permutations(range(1, k)), MOST_ARRANGEMENTS))
    arrangement = (0, *arrangements[(item // k + rater // k) % len(arrangements)])
    shift = (item + rater) % k
    return arrangement[shift:] + arrangement[:shift]
