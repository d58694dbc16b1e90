"""Balanced order of panels: which explanation stands first, second ... for which rater on which item.

Orders come in blocks of k cyclic shifts, so that inside a block every explanation stands once at every place.
Successive blocks start from different arrangements until all k! orders have been used.
"""

from itertools import islice, permutations

MOST_ARRANGEMENTS = 720  # enough for counterbalance; keeps the list small where k! is large


def panel_order(k: int, item: int, rater: int) -> tuple[int, ...]:
    """Return the order of k panels: at each place, which panel (0 .. k-1) stands there.

    item and rater are running numbers from 0. For a fixed rater over consecutive items, and for a fixed item
    over consecutive raters, counts of panel by place differ by at most one after any number of steps.
    """
    arrangements = list(islice(permutations(range(1, k)), MOST_ARRANGEMENTS))
    arrangement = (0, *arrangements[(item // k + rater // k) % len(arrangements)])
    shift = (item + rater) % k
    return arrangement[shift:] + arrangement[:shift]
