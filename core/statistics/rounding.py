"""Round numbers for tables: a half is rounded up, as in papers.

Numbers are rounded by their decimal digits, without the tiny errors of floats. Python's own formatting rounds a half to
the even digit: 80.125 becomes 80.12, but 80.375 becomes 80.38. The scripts of pages round half up, too: `halfUp` in
ui/static/shared/dom.js.
"""

import math
from decimal import ROUND_HALF_UP, Decimal

EXACT = 9  # number of decimals of a first rounding, which turns 100 × 0.8335 = 83.35000000000001 into 83.35


def half_up(value: float, decimals: int) -> str:
    """Return a number as text, with a half rounded up.

    decimals: the number of decimals, at most EXACT. A number that is rounded to zero gets no minus sign.
    """
    if not math.isfinite(value):
        return str(value)
    rounded = Decimal(f"{value:.{EXACT}f}").quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return f"{abs(rounded) if rounded == 0 else rounded:f}"
