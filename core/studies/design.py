"""A study's design: what it asks, which items it draws, how raters get items, and what they see.

The design is one value. A request to make a study is a design, the database stores it as JSON, and pages and commands
read it. A new option needs a field here, its place on the page and in the command, and the code that uses it.
"""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field

from core.errors import BadSetting
from core.foreign_values import reader
from core.studies.asking.file_values import LARGEST
from core.studies.asking.form import Divided, Form
from core.studies.asking.form_file import form_named, read_form
from core.studies.asking.questionnaire import LONGEST_CONSENT, Question, Questionnaire

State = Literal["draft", "running", "paused", "closed"]
STATES: tuple[State, ...] = get_args(State)
Stop = Literal["not_started", "paused", "closed", "excluded", "full"]  # why a rater gets no items now
Strata = Literal["score", "human", "none"]  # groups of samples
STRATA: tuple[Strata, ...] = get_args(Strata)
Name = Annotated[str, Field(max_length=200)]  # limited in length, so that requests to the server stay small

NEXT: Mapping[State, tuple[State, ...]] = {
    "draft": ("running",),
    "running": ("paused", "closed"),
    "paused": ("running", "closed"),
    "closed": ("running",),
}
_STOPS: Mapping[State, Stop] = {"draft": "not_started", "paused": "paused", "closed": "closed"}
LARGEST_NUMBER = 2**31 - 1  # the limit of an integer column in every database
HOLD_HOURS, LONGEST_HOLD = 24.0, 24.0 * 365
UNANSWERED_HOLD = timedelta(minutes=10)  # how long items stay reserved for a rater who has not answered any item
GOLD_EVERY = 15
LONGEST_CONTACT = 200
DECIMALS = 3  # maximum decimals of a displayed score, because more decimals would reveal the metric
UNIFORM_DECIMALS = 2  # with 3, zeros added to 2 decimals would reveal the metric
_LONG = re.compile(r"(?<![\w.,])(-?[0-9]+\.[0-9]{3,})(?![\w]|[.,][0-9])")  # numbers; no versions, dates, word parts


def fresh_seed() -> int:
    """Return a random seed, [0, LARGEST_NUMBER)."""
    return secrets.randbelow(LARGEST_NUMBER)


@dataclass(frozen=True, slots=True)
class StudyDesign:
    """Everything that a researcher decides about a study."""

    name: Name
    dataset: Name
    seed: int = field(default_factory=fresh_seed)  # seed for drawing items, and for the order of each rater's items
    form: Name = "expert-single"  # key of the form (the study's questions)
    form_text: Annotated[str, Field(max_length=LARGEST)] | None = None  # text of the form's file; None: Capscope's form
    metrics: tuple[Name, ...] = ()  # empty: all metrics with explanations, or none if raters rate captions
    criteria: tuple[Name, ...] = ()  # keys of the form's criteria to use; empty: all criteria
    size: int | None = None  # number of captions; None: DEFAULT_SIZE if they are grouped (strata), otherwise all
    strata: Strata = "none"
    practice: int = 0  # number of first items that are practice: every rater gets them first, and results exclude them
    raters_per_item: int | None = None  # number of raters for each item; None: every rater rates every item
    items_per_rater: int | None = None  # number of a rater's items that count in results; None: all items
    gold_every: int | None = GOLD_EVERY  # N: if gold items exist, each N items get one gold item; None: no gold items
    veil: bool | None = None  # True: hide the picture until the questions before it are answered; None: form decides
    overlay: bool | None = None  # True: show the regions that a metric looked at; None: the form decides
    uniform: bool = False  # True: show explanations as one paragraph; round their numbers and the score to two decimals
    consent: Annotated[str, Field(max_length=LONGEST_CONSENT)] | None = None  # None: the form's consent; "": none
    before: tuple[Question, ...] | None = None  # questions before the first item; None: the form's questions
    after: tuple[Question, ...] | None = None
    deadline: datetime | None = None  # UTC; from this time, no items are assigned
    hold_hours: float = HOLD_HOURS  # hours of inactivity after which other raters get a rater's unfinished items
    contact: str = ""  # whom raters can ask, in one line such as an e-mail address; empty: nobody is named
    new_raters: bool = True  # False: new raters get no items; raters who have begun can finish their items

    def __post_init__(self) -> None:
        """Check the ranges of all options. Raises BadSetting."""
        check_name(self.name)
        if self.strata not in STRATA:
            raise BadSetting(f"The strata must be one of {', '.join(STRATA)}, found {self.strata}.")
        numbers = {"Captions": self.size, "Raters per item": self.raters_per_item}
        numbers |= {"Items per rater": self.items_per_rater, "Items between gold items": self.gold_every}
        for what, number in numbers.items():
            if number is not None and not 1 <= number <= LARGEST_NUMBER:
                raise BadSetting(f"{what} must be a whole number of at least 1, found {number}.")
        for what, number in {"seed": self.seed, "number of practice items": self.practice}.items():
            if not 0 <= number <= LARGEST_NUMBER:
                raise BadSetting(f"The {what} must be from 0 to {LARGEST_NUMBER}, found {number}.")
        for what, names in (("metric", self.metrics), ("criterion", self.criteria)):
            if len(set(names)) < len(names):
                raise BadSetting(f"Each {what} may be named only once, found {', '.join(names)}.")
        if not 0 < self.hold_hours <= LONGEST_HOLD:
            raise BadSetting(
                f"Items can be reserved for a rater for 0 to {LONGEST_HOLD:g} hours, found {self.hold_hours:g}."
            )
        if len(self.contact) > LONGEST_CONTACT or not self.contact.isprintable():
            raise BadSetting(
                f"A contact must be one line of at most {LONGEST_CONTACT} printable characters, "
                f"found {self.contact[:80]!r}."
            )
        Questionnaire(self.consent or "", self.before or (), self.after or ())  # checks the questions together

    def asked(self) -> Form:
        """Return the form (the study's questions) with only the requested criteria.

        Raises NotFound, BadForm, BadSetting.
        """
        form = form_named(self.form) if self.form_text is None else read_form(self.form_text)
        chosen = replace(form, criteria=form.chosen(self.criteria))
        if form.compares and not chosen.compares:
            raise BadSetting(
                f"The form {form.key} compares two texts, so it needs a criterion that compares. Choose such a "
                "criterion."
            )
        if form.rates == "caption" and self.metrics:
            raise BadSetting(f"The form {form.key} rates captions, not metrics. Remove the metrics.")
        if form.rates == "caption" and self.strata == "score":
            raise BadSetting(f"The form {form.key} rates captions. Use strata by human score, or no strata.")
        return chosen

    def decided(self, form: Form) -> Self:
        """Return the design with the form's text, and with the form's values for options that are None."""
        entry = form.entry
        return replace(
            self,
            form=form.key,
            form_text=form.text,
            criteria=tuple(criterion.key for criterion in form.criteria),
            veil=form.shows.veil if self.veil is None else self.veil,
            overlay=form.shows.regions if self.overlay is None else self.overlay,
            consent=(entry.consent if self.consent is None else self.consent).strip(),
            before=entry.before if self.before is None else self.before,
            after=entry.after if self.after is None else self.after,
        )

    @property
    def entry(self) -> Questionnaire:
        """The consent, and the questions before the first item and after the last item."""
        return Questionnaire(self.consent or "", self.before or (), self.after or ())

    @property
    def hold(self) -> timedelta:
        """How long a rater may be inactive before other raters get this rater's open items."""
        return timedelta(hours=self.hold_hours)

    def stop(self, state: State, now: datetime) -> Stop | None:
        """Return why the study assigns no items at this time; None if it assigns items. now: UTC."""
        return "closed" if state == "running" and self.is_over(state, now) else _STOPS.get(state)

    def is_over(self, state: State, now: datetime) -> bool:
        """Return whether the study is closed, or its deadline has passed, at this time. now: UTC."""
        return state == "closed" or (self.deadline is not None and self.deadline <= now)

    def still_gets(self, has: int, free: int) -> int:
        """Return how many more items that count in results a rater gets.

        has: number of such items that the rater has. free: number of such items that are free for the rater.
        """
        return free if self.items_per_rater is None else max(0, min(free, self.items_per_rater - has))

    def shown_texts(self, rationales: Mapping[str, str]) -> Mapping[str, str]:
        """Return an explanation's texts by aspect, as raters see them.

        In one layout, the look does not reveal the metric: FLEUR writes a paragraph with "the score of
        0.7706974744796753", and EXPERT writes three aspects. The papers do not do this.
        """
        if not self.uniform or not rationales:
            return rationales
        texts = (" ".join(text.split()) for text in rationales.values())
        return {"overall": " ".join(_rounded(text) for text in texts if text)}

    def shown_score(self, value: float) -> float:
        """Return a score rounded for display to raters."""
        return round(value, UNIFORM_DECIMALS if self.uniform else DECIMALS)

    def divided(self, share: float) -> Divided:
        """Return whether raters see all, some or no explanations divided into aspects.

        share: share of the explanations that have aspects, [0, 1].
        """
        if self.uniform or not share:
            return "none"
        return "all" if share == 1 else "some"

    def copied(self, name: str) -> Self:
        """Return the design of a copy of the study, with another name and without a deadline."""
        return replace(self, name=name, deadline=None, new_raters=True)

    def json(self) -> str:
        """Return the design as JSON, for storage."""
        return str(reader(StudyDesign).dump_json(self), "utf-8")


def design_of(stored: str) -> StudyDesign:
    """Return a design from its JSON."""
    design: StudyDesign = reader(StudyDesign).validate_json(stored)
    return design


def changed(design: StudyDesign, **options: Any) -> StudyDesign:
    """Return a design with other options that may change while a study runs. Raises BadSetting."""
    fixed = options.keys() - CHANGEABLE
    if fixed:
        raise BadSetting(f"A study's {', '.join(sorted(fixed))} cannot change after it was made.")
    return replace(design, **options)


CHANGEABLE = frozenset("items_per_rater gold_every consent before after deadline hold_hours contact new_raters".split())


def check_name(name: str) -> None:
    """Raise BadSetting if a study cannot have this name."""
    if not name.strip() or len(name) > 80 or not name.isprintable():
        raise BadSetting("A study needs a name of 1 to 80 printable characters.")


def check_step(old: State, new: State) -> None:
    """Raise BadSetting unless the new state may follow the old state."""
    if new not in NEXT[old]:
        raise BadSetting(f"A study that is {old} can only become {' or '.join(NEXT[old])}, not {new}.")


def _rounded(text: str) -> str:
    return _LONG.sub(lambda found: f"{float(found[1]):.{UNIFORM_DECIMALS}f}", text)
