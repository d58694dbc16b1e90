"""Exported answers to a study's comprehension check: one record per question, attempt and rater."""

from dataclasses import dataclass
from typing import Literal

from core.studies.results.dictionary import Meaning

Outcome = Literal["passed", "failed", "open"]


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """One rater's answer to one question of the comprehension check."""

    study: str
    rater: str  # the rater's code
    attempt: int  # number of the attempt, 1 or 2
    question: str
    answer: str
    right: bool
    outcome: Outcome  # outcome of the rater's whole check; open: the rater has another attempt


CHECK_MEANINGS = {
    "study": Meaning("text", "", "name of the study"),
    "rater": Meaning("text", "", "code of the rater"),
    "attempt": Meaning("whole number", "1, 2", "number of the attempt"),
    "question": Meaning("text", "", "the question about the task"),
    "answer": Meaning("text", "", "the rater's answer"),
    "right": Meaning("yes or no", "", "whether the answer is right"),
    "outcome": Meaning(
        "text", "passed, failed, open", "final result of the rater's check; open: the rater can still try again"
    ),
}
