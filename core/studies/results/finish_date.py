"""Forecast when a study will have all its ratings.

The forecast uses the number of items finished in the last hours or days.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.json_types import UtcTime

FEWEST = 10  # a rate is computed only from a time window with at least this many finished items
WINDOWS = ((timedelta(hours=24), "24 hours"), (timedelta(days=7), "7 days"))
SHORTEST = timedelta(hours=1)  # minimum time over which the rate of a new study is computed
LONGEST_DAYS = 3650.0  # number of days from now; there is no forecast if the expected end is even later
RULE = (
    "An item rating is one item finished by one rater. The rate counts the item ratings of the last 24 hours. If these "
    f"are fewer than {FEWEST}, the rate counts those of the last 7 days. If the study's first item was finished within "
    "this time, the rate covers only the time since then, but at least one hour."
)


@dataclass(frozen=True, slots=True)
class FinishedItems:
    """How many items that count in results were finished, and when."""

    first_at: UtcTime | None  # when the study's first item was finished
    recent: tuple[int, int]  # number of items finished in the last 24 hours, and in the last 7 days (WINDOWS)


@dataclass(frozen=True, slots=True)
class ExpectedEnd:
    """The forecast of a study's end."""

    at: UtcTime | None  # expected end, UTC; None: unknown, or all items are finished
    an_hour: float | None  # number of items finished per hour
    words: str


def expected_end(finished: FinishedItems, missing: int, gives_items: bool, now: datetime) -> ExpectedEnd:
    """Return when the missing items will be finished, if raters continue at the present rate.

    missing: how many more items must be finished. gives_items: whether the study assigns items now. now: UTC.
    """
    if missing <= 0:
        return ExpectedEnd(None, None, "Nothing is missing.")
    if not gives_items:
        return ExpectedEnd(None, None, "Not known, because the study does not give out items now.")
    for count, (window, name) in zip(finished.recent, WINDOWS, strict=True):
        if finished.first_at is None or count < FEWEST:
            continue
        hours = min(window, max(SHORTEST, now - finished.first_at)).total_seconds() / 3600
        rate = count / hours
        if missing / rate > 24 * LONGEST_DAYS:
            return ExpectedEnd(
                None, rate, "Not known, because at the present rate the study would take more than ten years."
            )
        at = now + timedelta(hours=missing / rate)
        words = (
            f"{missing:,} item ratings are not finished yet. Raters finished {rate:,.1f} item ratings per hour in the "
            f"last {name}."
        )
        return ExpectedEnd(at, rate, words)
    return ExpectedEnd(
        None, None, f"Not known yet, because fewer than {FEWEST} item ratings were finished in the last 7 days."
    )
