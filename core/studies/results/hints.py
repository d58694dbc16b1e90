"""Which raters see hints beside the sentences that they judge: all of them, or a half drawn by the study's seed."""

import random

from core.studies.asking.form import Hints


def sees_hints(hints: Hints, seed: int, rater: int) -> bool:
    """Whether a rater sees hints; rater is a running number from 0, in the order of joining.

    "half": of every two raters that join one after the other one does, drawn by the seed.
    """
    if hints != "half":
        return hints == "after"
    return random.Random(f"{seed}/hints/{rater // 2}").randrange(2) == rater % 2
