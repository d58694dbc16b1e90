"""One table of a study's raters: their work, their agreement with other raters, and three flags.

A flag is a reason to look at a rater's answers. It excludes nobody.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from statistics import fmean, median
from typing import Any

import pandas as pd

from core.studies.asking.criteria import ABSTAIN, NO_PICTURE
from core.studies.results.report import Scales, shares

# Limits of the flags, see docs/how-to/check-raters.md. A measure that rests on fewer items or answers is not flagged.
FASTEST_ITEM, FASTEST_WORDS, FEWEST_ITEMS = 4.0, 10.0, 5  # seconds per item; seconds per 100 words; items
LONGEST_RUN = 30  # answers
LEAST_AGREEMENT, FEWEST_SHARED = 0.2, 30  # correlation; answers
LEAST_GOLD, FEWEST_GOLD = 0.6, 2  # share of right answers; answers
RELEASED = "item released"


@dataclass(frozen=True, slots=True)
class RaterSummary:
    """One rater's answers, without control items and without items that were taken back. A measure may be None."""

    rater: str
    excluded: str  # why results exclude all answers of the rater; "": they count
    flags: tuple[str, ...]
    items: int
    n: int  # number of the rater's answers, including abstentions
    minutes: float  # time for which items of any kind were visible
    seconds: float  # median time per item in seconds
    word_seconds: float | None  # median time per 100 words of the explanations, in seconds; None: there are none
    longest_run: int  # longest run of equal answers to one criterion, in the order of the items
    agreement: float | None  # correlation with the others' mean answers, within each criterion, [-1, 1]
    gold: int  # number of answers to gold items
    gold_right: int
    abstain_rate: float  # [0, 1]
    compared: int  # number of answers to questions that other raters answered too
    note: str  # reason why a value is undefined; empty: all values are defined

    @property
    def flagged(self) -> str:
        """The flags as text."""
        return ", ".join(self.flags)

    @property
    def gold_text(self) -> str:
        """The right answers to gold items as text; "" without such answers."""
        return f"{self.gold_right} of {self.gold}" if self.gold else ""


def rater_summaries(ratings: pd.DataFrame, scales: Scales) -> tuple[RaterSummary, ...]:
    """Return a summary of each rater with an answer, sorted by the rater's code.

    ratings: all ratings, including excluded ones. Other raters' answers are compared only if they count.
    """
    asked: dict[Any, dict[str, float]] = defaultdict(dict)  # question -> rater -> answer as a share of the scale
    by_rater: dict[str, list[Any]] = defaultdict(list)
    for one in ratings.assign(share=shares(ratings, scales)).itertuples(index=False):
        by_rater[one.rater].append(one)
        if one.left_out == "" and one.rating > ABSTAIN:
            asked[_question(one)][one.rater] = one.share
    found = (_summary(code, by_rater[code], asked) for code in sorted(by_rater))
    return tuple(one for one in found if one is not None)


def _question(one: Any) -> Any:
    return one.item, one.metric, one.signature, one.criterion


def _summary(code: str, answers: Sequence[Any], asked: Mapping[Any, Mapping[str, float]]) -> RaterSummary | None:
    own = [one for one in answers if one.role == "item" and one.left_out != RELEASED]
    if not own:
        return None
    shown, times = _longest(answers), _longest(own)
    words = {one.item: one.words for one in own if one.words}
    given = [one for one in own if one.rating > ABSTAIN]
    others = []
    for one in given:
        if theirs := [share for rater, share in asked.get(_question(one), {}).items() if rater != code]:
            others.append((one.criterion, one.share, fmean(theirs)))
    gold = [one.right for one in answers if one.role == "gold" and one.right is not None]
    alone = "" if others else "no other rater answered the same questions"
    measures: dict[str, Any] = {
        "items": len(times),
        "n": len(own),
        "minutes": sum(shown.values()) / 60_000,
        "seconds": median(times.values()) / 1000,
        "word_seconds": median(times[item] / 10 / count for item, count in words.items()) if words else None,
        "longest_run": _longest_run(own),
        "agreement": _correlation(others),
        "gold": len(gold),
        "gold_right": sum(gold),
        "abstain_rate": sum(one.rating == ABSTAIN for one in own) / len(own),
        "compared": len(others),
        "note": alone if given else "gave no rating on the scale",
    }
    return RaterSummary(code, own[0].left_out, tuple(_flags(measures)), **measures)


def _longest(answers: Iterable[Any]) -> dict[int, int]:
    """Return for how many milliseconds each item was visible until its last answer."""
    longest: dict[int, int] = defaultdict(int)
    for one in answers:
        longest[one.item] = max(longest[one.item], one.duration_ms)
    return longest


def _longest_run(own: Sequence[Any]) -> int:
    """Return the length of the longest run. Without a picture, equal answers are no sign of carelessness."""
    judged = (one for one in own if one.rating != NO_PICTURE)
    ordered = sorted(judged, key=lambda one: (one.criterion, one.place, one.panel_position))
    runs = groupby(ordered, key=lambda one: (one.criterion, one.rating))
    return max((len(list(run)) for _, run in runs), default=0)


def _correlation(pairs: Sequence[tuple[str, float, float]]) -> float | None:
    """Return Pearson's correlation of two values per criterion, each centred on its criterion's mean."""
    of_criterion: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for criterion, mine, others in pairs:
        of_criterion[criterion].append((mine, others))
    centred: list[tuple[float, float]] = []
    for values in of_criterion.values():
        mean, others_mean = map(fmean, zip(*values, strict=True))
        centred += [(mine - mean, others - others_mean) for mine, others in values]
    spread = sqrt(sum(x * x for x, _ in centred) * sum(y * y for _, y in centred))
    return sum(x * y for x, y in centred) / spread if spread > 1e-9 else None


def _flags(of: Mapping[str, Any]) -> Iterable[str]:
    word_seconds, agreement, gold = of["word_seconds"], of["agreement"], of["gold"]
    is_fast = of["seconds"] < FASTEST_ITEM or (word_seconds is not None and word_seconds < FASTEST_WORDS)
    if of["items"] >= FEWEST_ITEMS and is_fast:
        yield "fast"
    if of["longest_run"] >= LONGEST_RUN:
        yield "one answer"
    is_apart = agreement is not None and agreement < LEAST_AGREEMENT and of["compared"] >= FEWEST_SHARED
    if is_apart or (gold >= FEWEST_GOLD and of["gold_right"] / gold < LEAST_GOLD):
        yield "disagrees"
