"""Forms: the contents that raters see and the questions that they answer.

Each file of core/studies/forms is a form.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from core.studies.asking.comprehension import CheckQuestion
from core.studies.asking.criteria import Criterion, criterion_named
from core.studies.asking.form_words import FormWords
from core.studies.asking.questionnaire import Questionnaire
from core.studies.asking.worked_example import WorkedExample

Layout = Literal["single", "side_by_side"]
Rates = Literal["explanation", "caption"]
Divided = Literal["all", "some", "none"]  # how many explanations have aspects
# Which raters see hints after they answer: none, all, or a seeded half. Hints mark the things that a sentence names.
Hints = Literal["never", "after", "half"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)
PLACEHOLDERS = (
    "items",
    "pictures",
    "sets",
    "evaluators",
    "criteria",
    "divided",
)  # placeholders of an introduction, written in braces


@dataclass(frozen=True, slots=True)
class Shows:
    """The contents of an item that raters see in addition to its caption."""

    score: bool = True
    explanation: bool = True
    references: bool = False
    regions: bool = False  # show the regions that a metric looked at; a study may override this
    veil: bool = False  # hide the picture until criteria without the picture have an answer; a study may override this


@dataclass(frozen=True, slots=True)
class Introduction:
    """The text that raters read before they start.

    ** marks emphasis. Placeholders such as {items} are replaced.
    """

    greeting: str
    paragraphs: tuple[str, ...]
    divided: tuple[tuple[Divided, str], ...] = ()  # texts that replace {divided}, by Divided
    words: FormWords | None = None  # None: English
    without_pictures: tuple[str, ...] = ()  # paragraphs for a study without pictures; empty: the usual paragraphs


@dataclass(frozen=True, slots=True)
class Evidence:
    """Settings for judging explanations sentence by sentence."""

    hints: Hints = "never"


@dataclass(frozen=True, slots=True)
class Form:
    """A form, with the contents of its file."""

    key: str  # name of the form in files, commands and the database
    title: str
    source: str  # publication of the form's protocol
    layout: Layout
    rates: Rates
    shows: Shows
    introduction: Introduction
    criteria: tuple[Criterion, ...]  # empty only if raters judge evidence
    evidence: Evidence | None
    text: str  # the file's text, which is stored with a study
    sha256: str  # hash of the text, 64 hex digits; identifies the exact form
    entry: Questionnaire = Questionnaire()  # shown before and after a study's items; a study may override this
    check: tuple[CheckQuestion, ...] = ()  # the comprehension check before the first item; empty: none
    example: WorkedExample | None = None  # shown before practice
    practice_until_right: bool = False  # True: raters repeat a practice item until the answer is right

    @property
    def compares(self) -> bool:
        """Return whether raters compare two texts and choose the better one."""
        return any(criterion.compares for criterion in self.criteria)

    @property
    def needs_image(self) -> tuple[str, ...]:
        """The keys of the criteria that need the picture."""
        return tuple(criterion.key for criterion in self.criteria if not criterion.without_image)

    def chosen(self, keys: tuple[str, ...]) -> tuple[Criterion, ...]:
        """Return the criteria with these keys, in this order; all criteria for no keys. Raises NotFound."""
        return tuple(criterion_named(key, self.criteria) for key in keys) or self.criteria
