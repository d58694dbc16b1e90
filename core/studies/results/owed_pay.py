"""How much raters of a study must be paid, and the decision about each submission on the platform.

Seconds worked are the sum of the intervals between a rater's stored actions. If an interval is longer than two minutes,
only two minutes of it count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.json_types import UtcTime
from core.studies.pay.money import hourly_pay, pay_for
from core.studies.results.participants import Participant, State

IDLE_MS = 120_000  # ms; a longer time between two actions of a rater counts as only this long
RULE = (
    "The seconds worked are the time for which each item was on the screen, until its last answer or report. The time "
    "from the rater's arrival to the first item counts too. If a rater does not answer or report for longer than two "
    "minutes, only two minutes of that pause count. Amounts are rounded up to the smallest unit of the currency, so "
    "that no rater gets less than the hourly pay."
)
# Minutes. In studies shorter than this, Prolific accepts a rejection for one failed attention check.
# In longer studies, a rater must fail several attention checks.
SHORT_MINUTES = 5

Decision = Literal["approve", "reject", "return", "wait"]


@dataclass(frozen=True, slots=True)
class StoredMoments:
    """The stored times of one rater's actions in one study, from which the seconds worked are computed."""

    before: tuple[UtcTime, ...] = ()  # sorted times: arrival, consent, answers before the items, first item assigned
    items: tuple[tuple[int, ...], ...] = ()  # for each item: ms in view before each answer or report of a problem
    after: tuple[UtcTime, ...] = ()  # sorted times: last answer to an item, each answer to a question after the items


@dataclass(frozen=True, slots=True)
class PaidRater:
    """How much one rater must be paid. Amounts are in minor units (such as pence) of the study's currency."""

    code: str
    state: State
    pilot: bool
    seconds: int  # worked
    decision: Decision
    why: str  # reason for the decision on the rater's pay
    reward: int  # payment by the platform after an approval
    owed: int  # the larger of the reward and the pay for the seconds worked at the hourly rate; 0: no pay is due
    bonus: int  # the amount owed minus the reward
    hourly: int | None  # the reward per hour worked; None: no time worked
    below_rate: bool  # True: the reward is less than the hourly pay for the time worked, and an item is finished


def seconds_worked(moments: StoredMoments) -> int:
    """Return the seconds that a rater worked, rounded up. The text RULE explains the rule."""
    counted = sum(_counted(_milliseconds(times)) for times in (moments.before, moments.after))
    counted += sum(_counted([0, *marks]) for marks in moments.items)
    return -(-counted // 1000)


def decide(
    one: Participant, *, failed_gold: bool, gold_allowed: int | None, minutes: int, is_over: bool
) -> tuple[Decision, str]:
    """Return the decision on a participant's submission to the platform, with reason.

    failed_gold: whether the server stopped the participant because of failed gold items (with known answers).
    gold_allowed: the number of failed gold items at which the server stops a participant. minutes: the announced
    duration. is_over: whether the study assigns no more items. Agreement with other raters never affects the decision.
    """
    if one.finished_at is not None:
        return "approve", "finished all items"
    if failed_gold:
        if minutes < SHORT_MINUTES or (gold_allowed or 0) > 1:
            return "reject", f"stopped after failing {gold_allowed or 'too many'} gold items"
        return (
            "return",
            "failed one gold item, which is not enough to reject a rater in a study of five minutes or more",
        )
    if one.screened_out_at is not None:
        return "return", one.screened_out or "screened out"
    if one.excluded_at is not None:
        return "return", f"did not finish; excluded: {one.excluded}"
    if one.returned_at is not None:
        return "return", "left the study"
    if not is_over:
        return "wait", "still at work"
    return "return", "did not finish before the study ended" if one.joined else "got no items"


def paid_rater(
    one: Participant, seconds: int, decision: tuple[Decision, str], hourly_rate: int, reward: int | None
) -> PaidRater:
    """Return how much one rater must be paid.

    The platform pays the reward only after an approval. Some raters have finished an item but are asked to return the
    submission. They get no reward, so their pay for the time is a bonus. Raters get no pay if they are rejected, have
    not finished an item, or are still at work. The result also says whether the reward is below the hourly rate. For a
    rater at work it is, because there is no reward yet.
    """
    what, why = decision
    base = (reward or 0) if what == "approve" else 0
    is_owed = what == "approve" or (what == "return" and one.last_at is not None)
    is_due = is_owed or (what == "wait" and one.last_at is not None)
    owed = max(base, pay_for(seconds, hourly_rate)) if is_owed else 0
    return PaidRater(
        code=one.code,
        state=one.state,
        pilot=one.pilot,
        seconds=seconds,
        decision=what,
        why=why,
        reward=base,
        owed=owed,
        bonus=owed - base,
        hourly=hourly_pay(base, seconds),
        below_rate=is_due and base < pay_for(seconds, hourly_rate),
    )


def _milliseconds(times: Sequence[UtcTime]) -> list[int]:
    return [round((time - times[0]).total_seconds() * 1000) for time in times]


def _counted(marks: Sequence[int]) -> int:
    """Return how many milliseconds between several times count as work.

    marks: the times in milliseconds, in order. If two consecutive times are more than IDLE_MS apart, only IDLE_MS
    count.
    """
    return sum(min(max(later - earlier, 0), IDLE_MS) for earlier, later in zip(marks, marks[1:], strict=False))
