"""Determine each participant's state in a study, and count participants by state and by day.

The page about a study's progress and the study's report use these counts.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from core.json_types import UtcTime

State = Literal["arrived", "screened_out", "practising", "rating", "finished", "returned", "excluded"]
STATES: tuple[State, ...] = get_args(State)


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """What is stored about a participant of a study. Times are UTC. A time is None if the event has not happened."""

    code: str
    pilot: bool = False  # True: the participant joined during the pilot
    joined: bool = True  # True: the participant received items; False: only visited the pages before the items
    arrived_at: UtcTime
    screened_out_at: UtcTime | None = None
    screened_out: str = ""  # the reason
    practised_at: UtcTime | None = None  # when the participant got the first practice item
    rated_at: UtcTime | None = None  # when the participant finished the first item that is not practice
    finished_at: UtcTime | None = None  # when the participant finished every item that the study has for them
    returned_at: UtcTime | None = None  # when the participant left the study
    excluded_at: UtcTime | None = None
    excluded: str = ""  # the reason
    done: int = 0  # number of finished items, without practice and gold
    open: int = 0  # number of unfinished items, of any kind, that are reserved for the participant
    last_at: UtcTime | None = None  # when the participant finished the latest item

    @property
    def state(self) -> State:
        """Return the participant's state.

        More than one state may apply. Exclusion comes before all other states, then screening out, then leaving the
        study, then the others.
        """
        happened: tuple[tuple[State, UtcTime | None], ...] = (
            ("excluded", self.excluded_at),
            ("screened_out", self.screened_out_at),
            ("returned", self.returned_at),
            ("finished", self.finished_at),
            ("rating", self.rated_at),
            ("practising", self.practised_at),
        )
        return next((state for state, at in happened if at is not None), "arrived")


@dataclass(frozen=True, slots=True)
class DayCount:
    """How many participants reached each state on one day."""

    day: str  # YYYY-MM-DD, UTC; "in all" for the sum of all days
    arrived: int
    screened_out: int
    practising: int
    rating: int
    finished: int
    returned: int
    excluded: int


@dataclass(frozen=True, slots=True)
class FlowStep:
    """One line of the participant flow (how many participants reached each stage)."""

    step: str
    participants: int
    why: str = ""  # why participants are in this step: each reason with its number of participants; "": no reasons


def by_day(participants: Iterable[Participant]) -> tuple[DayCount, ...]:
    """Return how many participants reached each state per day, and the totals.

    Days without changes are skipped. A participant who began to rate and finished on the same day counts for both
    states.
    """
    reached = Counter((at.date(), state) for one in participants for state, at in _reached(one))
    days = sorted({day for day, _ in reached})
    total: Counter[State] = Counter()
    for (_, state), count in reached.items():
        total[state] += count
    lines = [DayCount(f"{day:%Y-%m-%d}", **{state: reached[day, state] for state in STATES}) for day in days]
    return (*lines, DayCount("in all", **{state: total[state] for state in STATES}))


def state_counts(participants: Iterable[Participant]) -> dict[State, int]:
    """Return how many participants are in each state. The numbers add up to all participants."""
    return dict.fromkeys(STATES, 0) | Counter(one.state for one in participants)


def participant_flow(everyone: Sequence[Participant]) -> tuple[FlowStep, ...]:
    """Return how many participants reached each stage, from arrival to the end, as required by CONSORT.

    Participants of the pilot are counted separately. Of the participants who arrived, each is counted once as screened
    out, finished, returned, excluded or not finished. Returns () if there are no participants.
    """
    people = [one for one in everyone if not one.pilot]
    if not everyone:
        return ()
    of = {state: [one for one in people if one.state == state] for state in STATES}
    at_work = [*of["arrived"], *of["practising"], *of["rating"]]
    practised = sum(one.practised_at is not None for one in people)
    steps = [
        FlowStep("arrived", len(people)),
        FlowStep("screened out", len(of["screened_out"]), _counted(one.screened_out for one in of["screened_out"])),
        FlowStep("practised", practised),
        FlowStep("rated at least one item", sum(one.rated_at is not None for one in people)),
        FlowStep("finished", len(of["finished"])),
        FlowStep("returned", len(of["returned"]), _counted(_when(one) for one in of["returned"])),
        FlowStep("excluded", len(of["excluded"]), _counted(one.excluded for one in of["excluded"])),
        FlowStep("not finished", len(at_work), _counted(_when(one) for one in at_work)),
    ]
    pilots = len(everyone) - len(people)
    return (*steps, *([FlowStep("in the pilot (not counted above)", pilots)] if pilots else []))


def flow_text(flow: Sequence[FlowStep]) -> str:
    """Return the flow as one line, such as "3 arrived, 2 finished"; "" if there are no participants."""
    parts = [
        f"{step.participants:,} {step.step}" + (f" ({step.why})" if step.why else "")
        for step in flow
        if step.participants or step.step == "arrived"
    ]
    return ", ".join(parts)


def _reached(one: Participant) -> Iterable[tuple[State, UtcTime]]:
    times: tuple[tuple[State, UtcTime | None], ...] = (
        ("arrived", one.arrived_at),
        ("screened_out", one.screened_out_at),
        ("practising", one.practised_at),
        ("rating", one.rated_at),
        ("finished", one.finished_at),
        ("returned", one.returned_at),
        ("excluded", one.excluded_at),
    )
    return ((state, at) for state, at in times if at is not None)


def _when(one: Participant) -> str:
    return "before the first item" if one.rated_at is None else "after the first item"


def _counted(reasons: Iterable[str]) -> str:
    """Return a text with each reason and how often it occurs, most frequent first."""
    counts = sorted(Counter(reasons).items(), key=lambda pair: (-pair[1], pair[0]))
    return "; ".join(f"{count:,}: {reason}" for reason, count in counts)
