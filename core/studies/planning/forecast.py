"""Forecast raters, hours and cost of a study before it starts."""

from dataclasses import dataclass
from math import ceil, floor

from core.errors import BadSetting
from core.studies.planning.control_places import Controls, Workload, workload
from core.studies.planning.duration import OPENING_SECONDS, expected_minutes

LIKE = (
    "explanations",
    "captions",
)  # keys of core.studies.planning.published_ratings.TYPICAL, repeated because importing it loads scipy (slow)
MOST = 100_000  # largest number that a request may contain, so that the computation stays short


@dataclass(frozen=True, slots=True)
class Effort:
    """The settings that determine how much work a study is for raters.

    Raises BadSetting for values out of range.
    """

    items: int
    ratings_per_item: int
    items_per_rater: int | None = None  # number of a rater's items that count in results; None: all items
    controls: Controls = Controls()  # practice, gold and repeated items that are added to a rater's items
    item_seconds: float = 30.0
    opening_seconds: float = OPENING_SECONDS
    drop_out: float = 0.0  # share of raters who start and do not finish, [0, 1)
    hourly_rate: float | None = None  # pay for an hour, in any currency
    fee: float = 0.0  # fee of the recruitment platform, as a share of the pay
    reward: float | None = None  # what the platform pays each rater, in the hourly rate's currency

    def __post_init__(self) -> None:
        """Check the ranges of all values. Raises BadSetting."""
        numbers = (("items", self.items), ("ratings per item", self.ratings_per_item))
        for what, number in (*numbers, ("items per rater", self.items_per_rater)):
            if number is not None and not 1 <= number <= MOST:
                raise BadSetting(f"The number of {what} must be from 1 to {MOST:,}, found {number}.")
        if not 0 <= self.drop_out < 1:
            raise BadSetting(f"The share of raters who leave must be at least 0 and below 1, found {self.drop_out:g}.")
        seconds = (("Seconds per item", self.item_seconds), ("Seconds before the first item", self.opening_seconds))
        pay = (("The hourly rate", self.hourly_rate or 0.0), ("The reward", self.reward or 0.0))
        for what, amount in (*seconds, *pay, ("The fee", self.fee)):
            if not 0 <= amount <= MOST:
                raise BadSetting(f"{what} must be from 0 to {MOST:,}, found {amount:g}.")


@dataclass(frozen=True, slots=True)
class Forecast:
    """Raters, hours and cost of a planned study.

    Amounts of money are in the currency of the pay. They are None if no pay is known.
    """

    item_ratings: int  # number of items times ratings per item
    raters: int  # who finish
    starting: int  # number of raters who start, including raters who leave
    each: Workload  # number of items of each kind for one rater
    minutes: float  # minutes that one rater needs, with practice and controls
    announced: int  # expected duration that raters see, in minutes
    hours: float  # hours that all raters who finish need together
    pay_each: float | None  # pay of one rater: the reward, plus a bonus if the hourly rate gives more for the time
    pay: float | None  # pay for all raters who finish
    fee: float | None  # fee of the recruitment platform
    cost: float | None  # sum of pay and fee


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a number of invited raters can rate, and the hours and cost of their work.

    Amounts of money are as in Forecast.
    """

    invited: int
    finishing: int  # number of invited raters who finish
    working: int  # number of finishing raters who get items; smaller than `finishing` if the study needs fewer
    item_ratings: int  # number of item ratings that the working raters give; never more than the study needs
    ratings_per_item: int  # number of ratings that each item of the study gets
    items_with_more: int  # number of items that get one rating more than others
    items: int | None  # number of items with all needed ratings; None: not counted, as each rater rates all items
    minutes: float  # minutes that one rater needs
    hours: float  # hours that all working raters need together
    pay_each: float | None
    pay: float | None
    fee: float | None
    cost: float | None


@dataclass(frozen=True, slots=True)
class _Share:
    """The work of one rater."""

    items: int  # number of a rater's items that count in results
    each: Workload
    minutes: float
    announced: int  # expected duration that raters see, in minutes


def coverage(effort: Effort, invited: int, seed: int = 0) -> Coverage:
    """Return what a number of invited raters can rate. This is the reverse of `forecast`.

    Nobody rates an item twice, so an item never has more ratings than there are raters. Raises BadSetting if the number
    of raters is out of range.
    """
    if not 1 <= invited <= MOST:
        raise BadSetting(f"The number of raters must be from 1 to {MOST:,}, found {invited}.")
    share = _share(effort, seed)
    finishing = floor(invited * (1 - effort.drop_out) + 1e-9)  # 1e-9 compensates the rounding error of the product
    working, ratings, covered = finishing, finishing * share.items, None
    if effort.items_per_rater is not None:  # raters share the items, and no item gets more ratings than it needs
        working, ratings = min(working, _raters(effort, share)), min(ratings, effort.items * effort.ratings_per_item)
        covered = ratings // effort.ratings_per_item if finishing >= effort.ratings_per_item else 0
    each, more = divmod(ratings, effort.items)
    return Coverage(
        invited,
        finishing,
        working,
        ratings,
        each,
        more,
        covered,
        share.minutes,
        working * share.minutes / 60,
        *_cost(effort, working, share.minutes),
    )


def forecast(effort: Effort, seed: int = 0) -> Forecast:
    """Return the raters, hours and cost that a study needs.

    Raters who leave the study are not paid, and other raters get their unfinished items. seed: the study's seed, which
    determines where control items are inserted.
    """
    share = _share(effort, seed)
    raters = _raters(effort, share)
    return Forecast(
        effort.items * effort.ratings_per_item,
        raters,
        ceil(raters / (1 - effort.drop_out) - 1e-9),  # 1e-9 compensates the rounding error of the division
        share.each,
        share.minutes,
        share.announced,
        raters * share.minutes / 60,
        *_cost(effort, raters, share.minutes),
    )


def _share(effort: Effort, seed: int) -> _Share:
    items = min(effort.items_per_rater or effort.items, effort.items)
    each = workload(seed, items, effort.controls)
    minutes = (effort.opening_seconds + each.total * effort.item_seconds) / 60
    return _Share(items, each, minutes, expected_minutes(each.total, effort.item_seconds, effort.opening_seconds))


def _raters(effort: Effort, share: _Share) -> int:
    """Return how many raters must finish, so that each item gets all wanted ratings."""
    return max(effort.ratings_per_item, ceil(effort.items * effort.ratings_per_item / share.items))


def _cost(
    effort: Effort, raters: int, minutes: float
) -> tuple[float, float, float, float] | tuple[None, None, None, None]:
    """Return a rater's pay, the pay for all raters, the platform's fee, and the sum of pay and fee."""
    if effort.hourly_rate is None and effort.reward is None:
        return (None,) * 4
    hourly = round(minutes / 60 * (effort.hourly_rate or 0.0), 2)  # rounded, because a platform pays whole cents
    pay_each = max(hourly, effort.reward or 0.0)
    pay = round(raters * pay_each, 2)
    fee = round(pay * effort.fee, 2)
    return pay_each, pay, fee, round(pay + fee, 2)
