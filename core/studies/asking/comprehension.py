"""The comprehension check: questions about the task, asked before the first item.

Each question has one right answer. The recruitment platform Prolific requires that raters get a second attempt at such
a check before a study rejects them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, ValidationInfo

from core.errors import BadSetting
from core.foreign_values import text, wrong
from core.studies.asking.file_values import PRINTABLE, Words
from core.studies.asking.questionnaire import LONGEST_TEXT

ATTEMPTS = 2
MOST_CHECK_QUESTIONS = 10
MOST_CHECK_CHOICES = 10


_Line = Annotated[str, text(LONGEST_TEXT), PRINTABLE]


def _different(choices: tuple[str, ...]) -> tuple[str, ...]:
    if not 2 <= len(choices) <= MOST_CHECK_CHOICES or len(set(choices)) < len(choices):
        raise wrong(f"2 to {MOST_CHECK_CHOICES} different choices", ", ".join(choices))
    return choices


def _offered(right: str, info: ValidationInfo) -> str:
    choices = info.data.get("choices", (right,))  # if `choices` is invalid, `info.data` does not contain it
    if right not in choices:
        raise wrong(f"one of {', '.join(choices)}", right)
    return right


@dataclass(frozen=True, slots=True)
class CheckQuestion:
    """A question about the task."""

    question: _Line
    choices: Annotated[tuple[_Line, ...], AfterValidator(_different)]
    right: Annotated[str, AfterValidator(_offered)]  # one of the choices
    why: Words  # the explanation that raters read after a wrong answer


def graded(questions: Sequence[CheckQuestion], answers: Sequence[str]) -> tuple[bool, ...]:
    """Return for each answer whether it is right.

    Raises BadSetting for an answer that is not one of the question's possible answers.
    """
    if len(answers) != len(questions):
        raise BadSetting(f"Expected {len(questions)} answers, found {len(answers)}.")
    for question, answer in zip(questions, answers, strict=True):
        if answer not in question.choices:
            raise BadSetting(f"Please answer: {question.question}")
    return tuple(answer == question.right for question, answer in zip(questions, answers, strict=True))
