"""Decide which raters see hints: all raters, or a random half chosen with the study's seed."""

import random

from core.studies.asking.form import Hints


def sees_hints(hints: Hints, seed: int, rater: int) -> bool:
    """Return whether a rater sees hints.

    rater: a running number from 0, in the order of joining. With "half", one of each two raters who join one after the
    other sees hints. The seed decides which one.
    """
    if hints != "half":
        return hints == "after"
    return random.Random(f"{seed}/hints/{rater // 2}").randrange(2) == rater % 2
