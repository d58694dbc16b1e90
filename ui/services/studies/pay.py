"""Compute what the raters of a study are owed, and write the lists for a recruitment platform."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from core.errors import BadData, BadSetting
from core.studies.pay.money import money_text, plain_amount
from core.studies.pay.terms import Terms
from core.studies.results.owed_pay import RULE, PaidRater, decide, paid_rater, seconds_worked
from storage.engine.database import utc_now
from storage.rating.results.paid_facts import PaidFacts
from storage.study_types import Study
from ui.services.studies.workload import study_workload
from ui.services.tables import Table, text
from ui.services.workplace import Workplace

PayList = Literal["bonus", "approve", "reject", "return", "ids"]
PAY_LISTS: tuple[PayList, ...] = get_args(PayList)


@dataclass(frozen=True, slots=True)
class StudyPay:
    """The pay that a study's raters are owed. Amounts are in minor units of the currency, such as cents."""

    currency: str
    hourly_rate: int
    raters: tuple[PaidRater, ...]  # raters in the order in which they arrived
    rewards: int  # sum of the rewards of approved raters
    bonuses: int
    below_rate: int  # number of raters whose reward, without bonus, is less per hour of work than hourly_rate
    rule: str


@dataclass(frozen=True, slots=True)
class PayRow:
    """One row of the printed table of pay."""

    code: str
    state: str
    minutes: str  # time that the rater worked, as minutes:seconds
    decision: str
    why: str
    reward: str
    bonus: str
    hourly: str  # the reward per hour that the rater worked
    below: str


def study_pay(workplace: Workplace, study: Study, terms: Terms | None = None, now: datetime | None = None) -> StudyPay:
    """Return the pay that each rater of a study is owed.

    terms: the terms of pay; None: the study's own terms. now: the time in UTC; None: the present time. Raises
    BadSetting if the terms have no hourly rate.
    """
    paid = study.course.terms if terms is None else terms
    if paid.currency is None or paid.hourly_rate is None:
        raise BadSetting("The amounts depend on the hourly pay. Set the hourly pay of the study first.")
    repository, at = workplace.repository, now or utc_now()
    facts = repository.participants.paid_facts(study.id)
    allowed = repository.quality.watch(study.id).stop_after_gold
    minutes, is_over = study_workload(workplace, study).minutes, study.course.is_over(at)
    raters = []
    for one in repository.participants.of(study.id):
        mine = facts[one.code]
        decision = decide(one, failed_gold=mine.failed_gold, gold_allowed=allowed, minutes=minutes, is_over=is_over)
        raters.append(paid_rater(one, seconds_worked(mine.moments), decision, paid.hourly_rate, paid.reward))
    return StudyPay(
        paid.currency,
        paid.hourly_rate,
        tuple(raters),
        sum(one.reward for one in raters),
        sum(one.bonus for one in raters),
        sum(one.below_rate for one in raters),
        RULE,
    )


def pay_list(workplace: Workplace, study: Study, found: StudyPay, which: PayList) -> str:
    """Return a list for the recruitment platform's bulk actions.

    The list "ids" has a header, and each line has a rater's code and id at the platform. All other lists have no
    header. In the list "bonus", each line has a rater's id at the platform and an amount. In the remaining lists, each
    line has only the id. In all lists but "ids", each rater needs an id to be paid. Raises BadData if a rater on such a
    list has none.
    """
    facts = workplace.repository.participants.paid_facts(study.id)
    if which == "ids":
        raters = [one for one in found.raters if facts[one.code].person]
        return "".join(f"{line}\n" for line in ["code,person", *(f"{one.code},{_id(facts, one)}" for one in raters)])
    if which == "bonus":
        chosen = [one for one in found.raters if one.bonus]
    else:
        chosen = [one for one in found.raters if one.decision == which]
    without = [one.code for one in chosen if not facts[one.code].person]
    if without:
        raise BadData(
            f"{len(without)} raters on this list came without a recruitment platform, so they have no platform id: "
            f"{', '.join(without[:10])}. Their amounts are in the table. To get codes instead of ids, add --codes."
        )
    return "".join(f"{_line(facts, one, which, found.currency)}\n" for one in chosen)


def coded_list(found: StudyPay, which: PayList) -> str:
    """Return a list of raters to pay, with codes instead of platform ids.

    It is for raters who came without a recruitment platform, so they have no id there.
    """
    if which == "bonus":
        return "".join(f"{one.code},{plain_amount(one.bonus, found.currency)}\n" for one in found.raters if one.bonus)
    return "".join(f"{one.code}\n" for one in found.raters if one.decision == which)


def pay_table(found: StudyPay) -> Table[PayRow]:
    """Return a table of the pay that each rater is owed, with amounts as text."""
    rows = [_row(one, found.currency) for one in found.raters]
    return Table("Pay", _COLUMNS, rows, found.rule)


def _id(facts: dict[str, PaidFacts], one: PaidRater) -> str:
    person = facts[one.code].person
    if any(character in person for character in ',"\n\r'):  # these would break the list; no platform uses them in ids
        raise BadData(
            f"The platform's id of {one.code} contains a comma, a quotation mark or a line break, so the list cannot "
            "be written."
        )
    return person


def _line(facts: dict[str, PaidFacts], one: PaidRater, which: PayList, currency: str) -> str:
    person = _id(facts, one)
    return f"{person},{plain_amount(one.bonus, currency)}" if which == "bonus" else person


def _row(one: PaidRater, currency: str) -> PayRow:
    return PayRow(
        code=one.code,
        state=one.state.replace("_", " "),
        minutes=f"{one.seconds // 60}:{one.seconds % 60:02}",
        decision=one.decision,
        why=one.why,
        reward=money_text(one.reward, currency),
        bonus=money_text(one.bonus, currency),
        hourly="" if one.hourly is None else money_text(one.hourly, currency),
        below="yes" if one.below_rate else "",
    )


_COLUMNS = (
    text("rater", "code"),
    text("state", "state"),
    text("worked", "minutes"),
    text("decision", "decision"),
    text("reason", "why", brief=False),
    text("reward", "reward"),
    text("bonus", "bonus"),
    text("reward per hour", "hourly", brief=False),
    text("below rate", "below", brief=False),
)
