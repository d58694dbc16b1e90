"""Forms: what raters see, and the questions that they answer.

Each file in core/studies/forms is a form.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from string import Formatter
from typing import Annotated, Literal

from pydantic import AfterValidator

from core.foreign_values import Complaint, text, wrong
from core.studies.asking.criteria import Criterion, criterion_named
from core.studies.asking.file_values import LARGEST, PRINTABLE, TABLE, Flag, Key, OptionalWords, Words
from core.studies.asking.form_words import (
    Amount,
    FormWords,
    criteria_text,
    evaluators_text,
    items_text,
    pictures_text,
    sets_text,
)
from core.studies.asking.questionnaire import Questionnaire

Layout = Literal["single", "side_by_side"]
Rates = Literal["explanation", "caption"]
Divided = Literal["all", "some", "none"]  # whether all, some or no explanations are divided into aspects
# An introduction may contain these names in braces. Each is replaced by a text.
PLACEHOLDERS = ("items", "pictures", "sets", "evaluators", "criteria", "divided")


def placeholders(paragraph: str) -> set[str]:
    """Return the names in a paragraph's braces: {"items"} for "You rate {items}.".

    Raises ValueError for a brace without its counterpart.
    """
    parts = Formatter().parse(paragraph)
    return {f"{name}{spec}{turned or ''}" for _, name, spec, turned in parts if name is not None}


def _filled(paragraph: str) -> str:
    """Raise an error if a paragraph has braces around anything but a known placeholder."""
    try:
        unknown = sorted(placeholders(paragraph) - set(PLACEHOLDERS))
    except ValueError as error:
        raise wrong("braces that hold a placeholder", error) from error
    if unknown:
        raise wrong(f"one of {', '.join(f'{{{p}}}' for p in PLACEHOLDERS)}", f"{{{unknown[0]}}}")
    return paragraph


_Paragraph = Annotated[str, text(LARGEST), AfterValidator(_filled)]


@dataclass(frozen=True, slots=True)
class Shows:
    """The contents of an item that raters see in addition to its caption."""

    score: Flag = True
    explanation: Flag = True
    references: Flag = False
    regions: Flag = False  # True: show the regions that a metric looked at; a study may override this
    picture: Literal["at once", "veiled"] = "at once"

    @property
    def veil(self) -> bool:
        """Whether to hide the picture until criteria that do not need it are answered (veiled picture).

        A study may override this.
        """
        return self.picture == "veiled"


@dataclass(frozen=True, slots=True)
class DividedTexts:
    """The texts that can replace the placeholder {divided}."""

    all: OptionalWords = ""
    some: OptionalWords = ""
    none: OptionalWords = ""


@dataclass(frozen=True, slots=True)
class Introduction:
    """The text that raters read before they start.

    Words between ** and ** are emphasised. Placeholders such as {items} are replaced.
    """

    paragraphs: tuple[_Paragraph, ...]
    greeting: Words = "Welcome!"
    divided: DividedTexts = DividedTexts()
    words: FormWords | None = None  # None: English

    def filled(self, amount: Amount, panels: int, criteria: int, divided: Divided) -> tuple[str, ...]:
        """Return the paragraphs without placeholders, starting with the greeting.

        amount: this rater's number of items. panels: the largest number of explanations side by side. criteria: the
        number of criteria in the form. divided: whether all, some or none of the explanations are divided into aspects.
        """
        values = {
            "items": items_text(self.words, amount),
            "pictures": pictures_text(self.words, amount),
            "sets": sets_text(self.words, panels),
            "evaluators": evaluators_text(self.words, panels),
            "criteria": criteria_text(self.words, criteria),
            "divided": getattr(self.divided, divided),
        }
        samples = "{items} data sample" + "s" * (amount.items != 1)
        filled = (text.replace("{items} data samples", samples).format(**values) for text in self.paragraphs)
        return (self.greeting, *(line for text in filled for line in text.split("\n")))


@dataclass(frozen=True, slots=True, kw_only=True)
class FormHead:
    """The fields that a form (a study's questions) and its TOML file have in common."""

    __pydantic_config__ = TABLE
    key: Key  # name of the form in files, commands and the database
    title: Annotated[str, text(120), PRINTABLE]
    source: OptionalWords = ""  # publication whose study protocol the form follows
    layout: Layout
    rates: Rates = "explanation"
    shows: Shows = Shows()
    introduction: Introduction


@dataclass(frozen=True, slots=True, kw_only=True)
class Form(FormHead):
    """A form (a study's questions), with the text of its file."""

    criteria: tuple[Criterion, ...]
    text: str  # text of the form's file; a study stores this text
    sha256: str  # hash of the text, 64 hex digits; identifies the exact form
    entry: Questionnaire = Questionnaire()  # questions before and after a study's items; a study may override them

    @property
    def compares(self) -> bool:
        """Return whether raters compare two texts and choose the better one."""
        return any(criterion.compares for criterion in self.criteria)

    @property
    def needs_image(self) -> tuple[str, ...]:
        """The keys of the criteria that need the picture."""
        return tuple(criterion.key for criterion in self.criteria if not criterion.without_image)

    def chosen(self, keys: tuple[str, ...]) -> tuple[Criterion, ...]:
        """Return the criteria with these keys, in the order of the keys.

        Returns all criteria if `keys` is empty. Raises NotFound.
        """
        return tuple(criterion_named(key, self.criteria) for key in keys) or self.criteria


MOST_CRITERIA = 20


def contradictions(form: Form) -> Iterator[Complaint]:
    """Yield every contradiction between the values of a form (a study's questions)."""
    keys = [criterion.key for criterion in form.criteria]
    if len(set(keys)) < len(keys):
        yield Complaint(("criteria",), "a different key for each criterion", ", ".join(keys))
    if len(keys) > MOST_CRITERIA or not keys:
        yield Complaint(("criteria",), f"1 to {MOST_CRITERIA} criteria", len(keys))
    if form.rates == "caption" and (form.shows.score or form.shows.explanation):
        yield Complaint(
            ("rates",), "a form that shows no score or explanation, because raters rate the caption", "one that does"
        )
    if form.compares and form.layout != "side_by_side":
        yield Complaint(
            ("layout",), "side_by_side, because a criterion compares two captions or explanations", form.layout
        )
    if form.rates == "caption" and form.layout == "side_by_side" and not form.compares:
        expected = "single, because no criterion compares the captions"
        yield Complaint(("layout",), expected, form.layout)
    if form.shows.veil and not any(criterion.without_image for criterion in form.criteria):
        expected = "a criterion with without_image = true, because its answer reveals the veiled picture"
        yield Complaint(("shows",), expected, "none")
    words = form.introduction.words
    if words is not None and not words.pictures:
        for place, paragraph in enumerate(form.introduction.paragraphs, 1):
            if "pictures" in placeholders(paragraph):
                expected = f"pictures, for {{pictures}} in paragraph {place}"
                yield Complaint(("introduction", "words"), expected, "no such word")
