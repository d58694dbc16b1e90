"""Forms: what raters are shown and asked. A form is a file; core/studies/forms holds those that come with Capscope."""

from dataclasses import dataclass
from typing import Literal, get_args

from core.studies.asking.criteria import Criterion, criterion_named
from core.studies.asking.form_words import FormWords
from core.studies.asking.questionnaire import Questionnaire

Layout = Literal["single", "side_by_side"]
Rates = Literal["explanation", "caption"]
Divided = Literal["all", "some", "none"]  # how many explanations are divided into aspects
# whether raters see where the things are that a sentence names, once they have answered: none, all, or a seeded half
Hints = Literal["never", "after", "half"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)
PLACEHOLDERS = (
    "items",
    "pictures",
    "sets",
    "evaluators",
    "criteria",
    "divided",
)  # that an introduction may hold, in braces


@dataclass(frozen=True, slots=True)
class Shows:
    """What raters see of an item beside its caption."""

    score: bool = True
    explanation: bool = True
    references: bool = False
    regions: bool = False  # that a metric looked at; a study may choose otherwise
    veil: bool = False  # the picture waits for what is judged without it; a study may choose otherwise


@dataclass(frozen=True, slots=True)
class Introduction:
    """What raters read before they start; ** marks emphasis, {items} and its like are filled in."""

    greeting: str
    paragraphs: tuple[str, ...]
    divided: tuple[tuple[Divided, str], ...] = ()  # what {divided} becomes
    words: FormWords | None = None  # None: English
    without_pictures: tuple[str, ...] = ()  # paragraphs for a study whose pictures are all missing; empty: the same


@dataclass(frozen=True, slots=True)
class Evidence:
    """Explanations are judged sentence by sentence."""

    hints: Hints = "never"


@dataclass(frozen=True, slots=True)
class Form:
    """A form as its file has it."""

    key: str  # its name in files, commands and the database
    title: str
    source: str  # whose protocol it is
    layout: Layout
    rates: Rates
    shows: Shows
    introduction: Introduction
    criteria: tuple[Criterion, ...]  # empty only where evidence is asked for
    evidence: Evidence | None
    text: str  # of the file, which is stored with a study
    sha256: str  # of the text, 64 hex digits: what freezes it
    entry: Questionnaire = (
        Questionnaire()
    )  # what stands before and after a study's items, unless the study says otherwise

    @property
    def compares(self) -> bool:
        """Whether two are shown and raters say which is better."""
        return any(criterion.compares for criterion in self.criteria)

    @property
    def needs_image(self) -> tuple[str, ...]:
        """The criteria that are judged with the picture, by key."""
        return tuple(criterion.key for criterion in self.criteria if not criterion.without_image)

    def chosen(self, keys: tuple[str, ...]) -> tuple[Criterion, ...]:
        """Return the criteria of those keys, in that order; all for none. Raises NotFound."""
        return tuple(criterion_named(key, self.criteria) for key in keys) or self.criteria
