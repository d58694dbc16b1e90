"""Round numbers for tables: half up, as papers do, by the decimal digits of the number.

Python's own formatting rounds a half to the even digit: 80.125 becomes 80.12, but 80.375 becomes 80.38. The scripts
of pages round half up, too: `halfUp` in ui/static/shared/dom.js.
"""

import math
from decimal import ROUND_HALF_UP, Decimal

EXACT = 9  # number of decimals to which values are exact, because 100 × 0.8335 is 83.35000000000001


def half_up(value: float, decimals: int) -> str:
    """Return a number as text with a fixed number of decimals, at most EXACT. A zero has no sign."""
    if not math.isfinite(value):
        return str(value)
    rounded = Decimal(f"{value:.{EXACT}f}").quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return f"{abs(rounded) if rounded == 0 else rounded:f}"
