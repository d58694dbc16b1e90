"""The order in which a rater sees the items, and the order of the panels (explanations side by side) of an item."""

import random
from itertools import islice, permutations

MOST_ARRANGEMENTS = 720  # maximum number of panel orders; k panels have k! orders, but 720 are enough to balance them


def rater_order(seed: int, rater: int, items: int) -> list[int]:
    """Return the order in which a rater sees the items (0 .. items-1). Equal arguments give equal orders."""
    order = list(range(items))
    random.Random(f"{seed}/{rater}").shuffle(order)
    return order


def panel_order(k: int, item: int, rater: int) -> tuple[int, ...]:
    """Return the order of k panels.

    The result has for each position the panel (0 .. k-1) to show there. item, rater: numbers counted from 0. The order
    is balanced for each rater over consecutive items, and for each item over consecutive raters. At any time, the
    numbers of times that two panels were shown at a position differ by at most 1.

    With k panels, k orders form a block. Each next order in a block is the previous order, shifted by one position. So
    in a block, each panel is once at each position. Each block begins with a different order, until all k! are used.
    """
    arrangements = list(islice(permutations(range(1, k)), MOST_ARRANGEMENTS))
    arrangement = (0, *arrangements[(item // k + rater // k) % len(arrangements)])
    shift = (item + rater) % k
    return arrangement[shift:] + arrangement[:shift]
