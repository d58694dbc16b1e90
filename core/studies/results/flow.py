"""The raters of a study: what each has done, and how many reached each stage (the flow of participants).

The page about a study's progress, the list of studies and the study's report use these facts.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from core.json_types import UtcTime
from core.studies.planning.platforms import ENDINGS, Ending

Stage = Literal["arrived", "practising", "rating"] | Ending
STAGES: tuple[Stage, ...] = ("arrived", "practising", "rating", *get_args(Ending))


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRater:
    """A rater of a study. Times are UTC. A time is None if the event has not happened."""

    id: int
    code: str
    number: int | None = None  # position in the order of joining, from 0; None: the rater got no items
    done: int = 0  # number of finished items that are not practice or gold
    counted: int = 0  # number of finished items that were not reassigned to another rater
    total: int = 0  # number of items that the rater got (also given-back ones), or can get if raters share no items
    arrived_at: UtcTime
    screened_out_at: UtcTime | None = None
    practised_at: UtcTime | None = None  # when the rater got the first practice item
    rated_at: UtcTime | None = None  # when the rater finished the first item that is not practice
    finished_at: UtcTime | None = None  # when the rater finished every item that the study has for them
    returned_at: UtcTime | None = None  # when the rater left the study
    excluded_at: UtcTime | None = None
    excluded: str = ""  # the reason

    @property
    def ending(self) -> Ending | None:
        """How the rater's part has ended; None: it has not.

        Exclusion comes before screening out, then leaving the study, then finishing.
        """
        happened: tuple[tuple[Ending, UtcTime | None], ...] = (
            ("excluded", self.excluded_at),
            ("screened_out", self.screened_out_at),
            ("returned", self.returned_at),
            ("done", self.finished_at),
        )
        return next((ending for ending, at in happened if at is not None), None)

    @property
    def stage(self) -> Stage:
        """The rater's last stage."""
        begun: Stage = "practising" if self.practised_at is not None else "arrived"
        return self.ending or ("rating" if self.rated_at is not None else begun)


@dataclass(frozen=True, slots=True)
class FlowStep:
    """One line of the participant flow (how many participants reached each stage)."""

    step: str
    participants: int
    why: str = ""  # why participants were excluded: each reason with its number of participants


def stage_counts(raters: Iterable[StudyRater]) -> dict[Stage, int]:
    """Return how many raters are in each stage. The numbers add up to all raters."""
    return dict.fromkeys(STAGES, 0) | Counter(one.stage for one in raters)


def participant_flow(everyone: Sequence[StudyRater]) -> tuple[FlowStep, ...]:
    """Return how many participants reached each stage, from arrival to the end, as required by CONSORT.

    Each participant is counted once as screened out, finished, returned, excluded or not finished. Returns () if there
    are no participants.
    """
    if not everyone:
        return ()
    of = {stage: [one for one in everyone if one.stage == stage] for stage in STAGES}
    at_work = [*of["arrived"], *of["practising"], *of["rating"]]
    reasons = Counter(one.excluded for one in of["excluded"]).most_common()
    why = "; ".join(f"{count:,}: {reason}" for reason, count in reasons)
    return (
        FlowStep("arrived", len(everyone)),
        FlowStep(ENDINGS["screened_out"].step, len(of["screened_out"])),
        FlowStep("practised", sum(one.practised_at is not None for one in everyone)),
        FlowStep("rated at least one item", sum(one.rated_at is not None for one in everyone)),
        FlowStep(ENDINGS["done"].step, len(of["done"])),
        FlowStep(ENDINGS["returned"].step, len(of["returned"])),
        FlowStep(ENDINGS["excluded"].step, len(of["excluded"]), why),
        FlowStep("not finished", len(at_work)),
    )


def flow_text(flow: Sequence[FlowStep]) -> str:
    """Return the flow as one line, such as "3 arrived, 2 finished"; "" if there are no participants."""
    parts = [
        f"{step.participants:,} {step.step}" + (f" ({step.why})" if step.why else "")
        for step in flow
        if step.participants or step.step == "arrived"
    ]
    return ", ".join(parts)
