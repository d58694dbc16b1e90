"""Texts that Capscope inserts into a form or shows with its questions, in the form's language."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from core.foreign_values import text
from core.studies.asking.criteria import UNSEEN, Guideline
from core.studies.asking.file_values import PRINTABLE, Short, holding

_Sentence = Annotated[str, text(300, may_be_empty=True), PRINTABLE]
_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
_EVALUATOR = "Evaluator {number}"


def numbered(count: int, what: str) -> str:
    """Return a count and its noun, in the plural unless the count is 1."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class FormWords:
    """Capscope's texts in the language of a form that is not in English.

    An empty text means that there is no translation. In these texts, {number} is replaced by a number.
    """

    criterion: Short  # text for one criterion, in German "ein Kriterium"
    criteria: Annotated[Short, holding("{number}")]  # text for several criteria, in German "{number} Kriterien"
    conjunction: Annotated[Short, Field(validation_alias="and")]  # "and" before a list's last name, in German "und"
    up_to: Annotated[_Sentence, holding("{number}")] = ""  # text for a maximum number, in German "bis zu {number}"
    picture: _Sentence = ""  # "ein Bild"
    pictures: Annotated[_Sentence, holding("{number}")] = ""  # "{number} Bilder"
    evaluator: Annotated[_Sentence, holding("{number}")] = ""  # "Gutachter {number}"
    no_picture: _Sentence = ""  # the answer for a missing picture, unless a criterion has its own
    all_missing: _Sentence = ""  # the note for a study in which all pictures are missing
    some_missing: _Sentence = ""

    @property
    def unseen(self) -> Guideline:
        """The answer with which raters say that the picture is missing."""
        return Guideline(UNSEEN.point, self.no_picture) if self.no_picture else UNSEEN


@dataclass(frozen=True, slots=True)
class Amount:
    """How many items a rater gets."""

    items: int
    is_most: bool = False  # True: `items` is a maximum, so the rater may get fewer items


def items_text(words: FormWords | None, amount: Amount) -> str:
    """Return the text that replaces {items}: "12" or "up to 12"."""
    if not amount.is_most:
        return str(amount.items)
    up_to = "up to {number}" if words is None else words.up_to
    return up_to.replace("{number}", str(amount.items)) or str(amount.items)


def pictures_text(words: FormWords | None, amount: Amount) -> str:
    """Return the text that replaces {pictures}: "12 pictures" or "up to 12 pictures"."""
    items = items_text(words, amount)
    if words is not None:
        of = words.picture if amount.items == 1 and words.picture else words.pictures
        return of.replace("{number}", items)
    return f"{items} {'picture' if amount.items == 1 else 'pictures'}"


def sets_text(words: FormWords | None, panels: int) -> str:
    """Return the text that replaces {sets}: the largest number of explanations side by side, as a word in English."""
    return _NUMBERS.get(panels, str(panels)) if words is None else str(panels)


def evaluator_text(words: FormWords | None) -> str:
    """Return the displayed name of one of several explanations side by side.

    In this name, {number} stands for the number of the explanation.
    """
    return words.evaluator if words is not None and words.evaluator else _EVALUATOR


def evaluators_text(words: FormWords | None, panels: int) -> str:
    """Return the text that replaces {evaluators}: "Evaluator 1, Evaluator 2, and Evaluator 3"."""
    names = [evaluator_text(words).replace("{number}", str(number)) for number in range(1, panels + 1)]
    if words is not None:
        return f" {words.conjunction} ".join([", ".join(names[:-1]), names[-1]]) if names[1:] else names[0]
    return ", ".join(names[:-1]) + f", and {names[-1]}" if len(names) > 2 else " and ".join(names)


def criteria_text(words: FormWords | None, criteria: int) -> str:
    """Return the text that replaces {criteria}: "criterion" or "three criteria"."""
    if words is None:
        return "criterion" if criteria == 1 else f"{_NUMBERS.get(criteria, str(criteria))} criteria"
    return words.criterion if criteria == 1 else words.criteria.replace("{number}", str(criteria))


def missing_text(words: FormWords | None, missing: int, items: int, offers_unseen: bool) -> str:
    """Return the note for raters of a study in which pictures are missing; "" if none is missing.

    missing, items: the number of missing pictures and of items in the whole study. offers_unseen: whether a question
    has the answer "no picture".
    """
    if not missing:
        return ""
    are_all = missing == items
    if words is not None and (own := words.all_missing if are_all else words.some_missing):
        return own
    told = "Some pictures are missing."
    if are_all:
        told = "The pictures of this study are missing: you see the texts only."
    return told + (" Choose N where a question needs a picture that is missing." if offers_unseen else "")
