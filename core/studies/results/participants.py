"""Determine each participant's state in a study, and count participants by state.

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
    arrived_at: UtcTime
    screened_out_at: UtcTime | None = None
    screened_out: str = ""  # the reason
    practised_at: UtcTime | None = None  # when the participant got the first practice item
    rated_at: UtcTime | None = None  # when the participant finished the first item that is not practice
    finished_at: UtcTime | None = None  # when the participant finished every item that the study has for them
    returned_at: UtcTime | None = None  # when the participant left the study
    excluded_at: UtcTime | None = None
    excluded: str = ""  # the reason

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
class FlowStep:
    """One line of the participant flow (how many participants reached each stage)."""

    step: str
    participants: int
    why: str = ""  # why participants are in this step: each reason with its number of participants; "": no reasons


def state_counts(participants: Iterable[Participant]) -> dict[State, int]:
    """Return how many participants are in each state. The numbers add up to all participants."""
    return dict.fromkeys(STATES, 0) | Counter(one.state for one in participants)


def participant_flow(everyone: Sequence[Participant]) -> tuple[FlowStep, ...]:
    """Return how many participants reached each stage, from arrival to the end, as required by CONSORT.

    Each participant is counted once as screened out, finished, returned, excluded or not finished. Returns () if there
    are no participants.
    """
    if not everyone:
        return ()
    of = {state: [one for one in everyone if one.state == state] for state in STATES}
    at_work = [*of["arrived"], *of["practising"], *of["rating"]]
    practised = sum(one.practised_at is not None for one in everyone)
    return (
        FlowStep("arrived", len(everyone)),
        FlowStep("screened out", len(of["screened_out"]), _counted(one.screened_out for one in of["screened_out"])),
        FlowStep("practised", practised),
        FlowStep("rated at least one item", sum(one.rated_at is not None for one in everyone)),
        FlowStep("finished", len(of["finished"])),
        FlowStep("returned", len(of["returned"]), _counted(_when(one) for one in of["returned"])),
        FlowStep("excluded", len(of["excluded"]), _counted(one.excluded for one in of["excluded"])),
        FlowStep("not finished", len(at_work), _counted(_when(one) for one in at_work)),
    )


def flow_text(flow: Sequence[FlowStep]) -> str:
    """Return the flow as one line, such as "3 arrived, 2 finished"; "" if there are no participants."""
    parts = [
        f"{step.participants:,} {step.step}" + (f" ({step.why})" if step.why else "")
        for step in flow
        if step.participants or step.step == "arrived"
    ]
    return ", ".join(parts)


def _when(one: Participant) -> str:
    return "before the first item" if one.rated_at is None else "after the first item"


def _counted(reasons: Iterable[str]) -> str:
    """Return a text with each reason and how often it occurs, most frequent first."""
    counts = sorted(Counter(reasons).items(), key=lambda pair: (-pair[1], pair[0]))
    return "; ".join(f"{count:,}: {reason}" for reason, count in counts)
