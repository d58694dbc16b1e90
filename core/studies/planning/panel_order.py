"""Order of panels (explanations shown side by side), balanced over items and raters.

The order depends on the number of the item and the number of the rater. With k explanations, k orders form a block.
Each next order in a block is the previous order, shifted by one position. So in a block, each explanation is once at
each position. Each block begins with a different order, until all k! orders are used.
"""

from itertools import islice, permutations

MOST_ARRANGEMENTS = 720  # maximum number of panel orders; k panels have k! orders, but 720 are enough to balance them


def panel_order(k: int, item: int, rater: int) -> tuple[int, ...]:
    """Return the order of k panels.

    The result has for each position the panel (0 .. k-1) to show there. item, rater: numbers counted from 0. The order
    is balanced for each rater over consecutive items, and for each item over consecutive raters. At any time, the
    numbers of times that two panels were shown at a position differ by at most 1.
    """
    arrangements = list(islice(permutations(range(1, k)), MOST_ARRANGEMENTS))
    arrangement = (0, *arrangements[(item // k + rater // k) % len(arrangements)])
    shift = (item + rater) % k
    return arrangement[shift:] + arrangement[:shift]
