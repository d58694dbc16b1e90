"""The comprehension check: questions about the task, asked before the first item.

Each question has one right answer. Prolific requires that raters get a second attempt at such a check before a study
rejects them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import BadSetting

ATTEMPTS = 2
MOST_CHECK_QUESTIONS = 10
MOST_CHECK_CHOICES = 10


@dataclass(frozen=True, slots=True)
class CheckQuestion:
    """A question about the task."""

    question: str
    choices: tuple[str, ...]
    right: str  # one of the choices
    why: str  # the explanation that raters read after a wrong answer


def graded(questions: Sequence[CheckQuestion], answers: Sequence[str]) -> tuple[bool, ...]:
    """Return for each answer whether it is right.

    Raises BadSetting for an answer that is not among the question's answers.
    """
    if len(answers) != len(questions):
        raise BadSetting(f"Expected {len(questions)} answers, found {len(answers)}.")
    for question, answer in zip(questions, answers, strict=True):
        if answer not in question.choices:
            raise BadSetting(f"Please answer: {question.question}")
    return tuple(answer == question.right for question, answer in zip(questions, answers, strict=True))
