"""States of a study (such as open or closed), and which state can follow which.

The module also decides whether a study assigns items, and why a rater's items go to other raters.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, get_args

from core.errors import BadSetting
from core.json_types import UtcTime

State = Literal["draft", "running", "paused", "closed"]
STATES: tuple[State, ...] = get_args(State)
Release = Literal[
    "expired",  # the rater was inactive for too long, or gave no first answer within UNANSWERED_HOLD
    "returned",  # the rater left the study
    "timed_out",  # the recruitment platform reported that the rater's time is over
    "by_hand",
    "excluded",
]
# The reason why a rater gets no items now.
Stop = Literal["not_started", "paused", "closed", "excluded", "full"]

NEXT: Mapping[State, tuple[State, ...]] = {
    "draft": ("running",),
    "running": ("paused", "closed"),
    "paused": ("running", "closed"),
    "closed": ("running",),
}
HOLD_HOURS = 24.0
LONGEST_CONTACT = 200
UNANSWERED_HOLD = timedelta(minutes=10)  # how long items stay reserved for a rater who has not answered any item
LONGEST_HOLD = 24.0 * 365
_STOPS: Mapping[State, Stop] = {"draft": "not_started", "paused": "paused", "closed": "closed"}


@dataclass(frozen=True, slots=True)
class StudySchedule:
    """Options that a study's managers can change after it was created: assignment of items, and contact."""

    state: State = "running"
    deadline: UtcTime | None = None  # UTC; from this time, no items are assigned
    items_per_rater: int | None = None  # number of a rater's items that count in results; None: all items
    hold_hours: float = HOLD_HOURS  # hours of inactivity after which other raters get a rater's unfinished items
    contact: str = ""  # whom raters can ask, in one line such as an e-mail address; empty: nobody is named
    new_raters: bool = True  # False: new raters get no items; raters who have begun can finish their items

    def __post_init__(self) -> None:
        """Check the limits. Raises BadSetting."""
        if not 0 < self.hold_hours <= LONGEST_HOLD:
            raise BadSetting(
                f"Items can be reserved for a rater for 0 to {LONGEST_HOLD:g} hours, found {self.hold_hours:g}."
            )
        if self.items_per_rater is not None and not 1 <= self.items_per_rater < 2**31:
            raise BadSetting(f"The items per rater must be at least 1, found {self.items_per_rater}.")
        if len(self.contact) > LONGEST_CONTACT:
            raise BadSetting(f"A contact may have at most {LONGEST_CONTACT} characters, found {len(self.contact)}.")
        if not self.contact.isprintable():
            raise BadSetting("A contact must be one line of text, without invisible or control characters.")

    def stop(self, now: datetime) -> Stop | None:
        """Return why the study assigns no items at this time; None if it assigns items.

        now: UTC.
        """
        if self.state == "running":
            return "closed" if self.deadline is not None and self.deadline <= now else None
        return _STOPS[self.state]

    def is_over(self, now: datetime) -> bool:
        """Return whether the study is closed, or its deadline has passed, at this time. now: UTC."""
        return self.state == "closed" or (self.deadline is not None and self.deadline <= now)

    @property
    def hold(self) -> timedelta:
        """Return how long a rater may be inactive before other raters get this rater's open items."""
        return timedelta(hours=self.hold_hours)


def check_step(old: State, new: State) -> None:
    """Raise BadSetting unless the new state may follow the old state."""
    if new not in NEXT[old]:
        raise BadSetting(f"A study that is {old} can only become {' or '.join(NEXT[old])}, not {new}.")
