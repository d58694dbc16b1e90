"""Show a study's progress to its manager: participants by state, and missing ratings."""

from dataclasses import dataclass

from core.json_types import UtcTime
from core.studies.results.participants import (
    DayCount,
    FlowStep,
    Participant,
    State,
    by_day,
    participant_flow,
    state_counts,
)
from storage.rating.results.participants import ShortItem
from storage.study_types import Study
from ui.services.workplace import Workplace

_AT_WORK: tuple[State, ...] = ("arrived", "practising", "rating")


@dataclass(frozen=True, slots=True)
class ParticipantRow:
    """A table row about one participant in the study monitor."""

    code: str
    state: State
    why: str  # reason why the rater was excluded or screened out; "": neither
    pilot: bool
    joined: bool  # False: the rater has no items yet, only the pages before them; nothing can be excluded or released
    done: int  # number of finished items, without practice and gold
    open: int  # number of unfinished items that are reserved for the rater
    arrived_at: UtcTime
    last_at: UtcTime | None  # when the rater finished the latest item


@dataclass(frozen=True, slots=True)
class StudyMonitor:
    """The progress of a study."""

    now: dict[State, int]  # key: state; value: number of participants who are in this state now
    days: tuple[DayCount, ...]  # number of participants who reached each state on each day; the last entry is the sum
    flow: tuple[FlowStep, ...]
    shares_items: bool  # True: each item gets a certain number of ratings; False: every rater rates every item
    short: tuple[ShortItem, ...]  # items that need more ratings; (): none, or raters do not share items
    missing: int  # how many items raters must still finish; an item counts once for each rater who must finish it
    raters: tuple[ParticipantRow, ...]  # raters in the order in which they arrived


def study_monitor(workplace: Workplace, study: Study) -> StudyMonitor:
    """Return a study's progress."""
    participants = workplace.repository.participants
    people = participants.of(study.id)
    short = participants.short_items(study.id)
    shares_items = study.raters_per_item is not None
    missing = sum(item.missing for item in short) if shares_items else _left(people, study)
    return StudyMonitor(
        now=state_counts(people),
        days=by_day(people),
        flow=participant_flow(people),
        shares_items=shares_items,
        short=short,
        missing=missing,
        raters=tuple(_row(one) for one in people),
    )


def _left(people: tuple[Participant, ...], study: Study) -> int:
    """Return how many items raters at work still have to finish."""
    each = min(study.items, study.course.items_per_rater or study.items)
    return sum(max(0, each - one.done) for one in people if one.state in _AT_WORK and not one.pilot)


def _row(one: Participant) -> ParticipantRow:
    state = one.state
    why = {"excluded": one.excluded, "screened_out": one.screened_out}.get(state, "")
    return ParticipantRow(one.code, state, why, one.pilot, one.joined, one.done, one.open, one.arrived_at, one.last_at)
