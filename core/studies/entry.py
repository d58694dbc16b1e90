"""What stands before and after a study's items: consent, and a few questions.

Questions are written one a line, as people write them::

    Are you a native speaker of English? = yes / no!
    How old are you? = 18..99
    Is there anything you would like to tell us? (optional)

Choices stand behind ``=`` between strokes; who gives an answer marked with ``!`` cannot take part. Two numbers with
dots between them ask for a number within them, ends included. Everything else is answered in words.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from core.errors import BadSetting

QuestionKind = Literal["text", "choice", "number"]
LONGEST_CONSENT = 20_000
LONGEST_TEXT = 500  # of a question
LONGEST_ANSWER = 4_000
MOST_QUESTIONS = 30
MOST_CHOICES = 40
OPTIONAL = "(optional)"
_RANGE = re.compile(r"(-?\d+(?:\.\d+)?)\s*\.\.\s*(-?\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a rater about themselves or the study."""

    text: str
    kind: QuestionKind = "text"
    choices: tuple[str, ...] = ()  # of a choice
    lowest: float | None = None  # of a number, inclusive
    highest: float | None = None  # of a number, inclusive
    required: bool = True
    screens_out: tuple[str, ...] = ()  # choices with which nobody can take part


@dataclass(frozen=True, slots=True)
class Entry:
    """What raters are shown and asked before their first item and after their last."""

    consent: str = ""  # paragraphs, agreed to before anything else; empty: none
    before: tuple[Question, ...] = ()
    after: tuple[Question, ...] = ()

    def __post_init__(self) -> None:
        """Raise BadSetting for what cannot be shown."""
        if len(self.consent) > LONGEST_CONSENT:
            raise BadSetting(f"A consent has at most {LONGEST_CONSENT} characters, found {len(self.consent)}.")
        for questions in (self.before, self.after):
            texts = [question.text for question in questions]
            if len(texts) > MOST_QUESTIONS or len(set(texts)) < len(texts):
                raise BadSetting(f"Ask at most {MOST_QUESTIONS} questions, and each of them once.")


def questions_of(lines: str) -> tuple[Question, ...]:
    """Return the questions that somebody wrote, one a line. Raises BadSetting, naming the line."""
    return tuple(_question(number, line.strip()) for number, line in enumerate(lines.splitlines(), 1) if line.strip())


def questions_text(questions: Sequence[Question]) -> str:
    """Return questions as questions_of reads them."""
    return "\n".join(map(_line, questions))


def entry_json(entry: Entry) -> dict[str, Any]:
    """Return an entry as it is stored."""
    return asdict(entry)


def entry_of(stored: Mapping[str, Any]) -> Entry:
    """Return a stored entry."""
    before, after = (tuple(_stored(one) for one in stored[phase]) for phase in ("before", "after"))
    return Entry(stored["consent"], before, after)


def check_answers(questions: Sequence[Question], answers: Sequence[str]) -> tuple[str, ...]:
    """Return the answers to questions, one each in their order, trimmed. Raises BadSetting, naming the question."""
    if len(answers) != len(questions):
        raise BadSetting(f"Expected {len(questions)} answers, found {len(answers)}.")
    return tuple(_checked(question, answer.strip()) for question, answer in zip(questions, answers, strict=True))


def is_screened_out(questions: Sequence[Question], answers: Sequence[str]) -> bool:
    """Whether somebody with these answers cannot take part."""
    return any(answer in question.screens_out for question, answer in zip(questions, answers, strict=True))


def _question(number: int, line: str) -> Question:
    required = not line.endswith(OPTIONAL)
    text, is_closed, rest = f" {line.removesuffix(OPTIONAL)}".partition(" = ")
    text, rest = text.strip(), rest.strip()
    if not 1 <= len(text) <= LONGEST_TEXT or not text.isprintable():
        raise BadSetting(f"Line {number}: a question is 1 to {LONGEST_TEXT} printable characters, found {text[:60]!r}.")
    if not is_closed:
        return Question(text, required=required)
    if span := _RANGE.fullmatch(rest):
        lowest, highest = float(span[1]), float(span[2])
        if not lowest < highest:
            raise BadSetting(f"Line {number}: expected a smaller number before the dots, found {rest!r}.")
        return Question(text, "number", lowest=lowest, highest=highest, required=required)
    choices = [choice.strip() for choice in rest.split(" / ")]
    names = tuple(choice.removesuffix("!").strip() for choice in choices)
    if not 2 <= len(names) <= MOST_CHOICES or len(set(names)) < len(names) or not all(names):
        raise BadSetting(
            f"Line {number}: expected 2 to {MOST_CHOICES} different choices between ' / ', found {rest!r}."
        )
    screens_out = tuple(name for name, choice in zip(names, choices, strict=True) if choice.endswith("!"))
    return Question(text, "choice", names, required=required, screens_out=screens_out)


def _line(question: Question) -> str:
    rest = ""
    if question.kind == "choice":
        rest = " = " + " / ".join(c + "!" * (c in question.screens_out) for c in question.choices)
    elif question.kind == "number":
        rest = f" = {question.lowest:g}..{question.highest:g}"
    return f"{question.text}{rest}{'' if question.required else f' {OPTIONAL}'}"


def _stored(one: Mapping[str, Any]) -> Question:
    return Question(**{**one, "choices": tuple(one["choices"]), "screens_out": tuple(one["screens_out"])})


def _checked(question: Question, answer: str) -> str:
    if not answer:
        if question.required:
            raise BadSetting(f"Please answer: {question.text}")
        return ""
    if question.kind == "choice" and answer not in question.choices:
        raise BadSetting(f"{question.text} Expected one of {', '.join(question.choices)}, found {answer[:60]!r}.")
    if question.kind == "number":
        _check_number(question, answer)
    if len(answer) > LONGEST_ANSWER:
        raise BadSetting(f"{question.text} An answer has at most {LONGEST_ANSWER} characters.")
    return answer.encode(errors="replace").decode()


def _check_number(question: Question, answer: str) -> None:
    try:
        number = float(answer)
    except ValueError:
        number = math.nan
    assert question.lowest is not None and question.highest is not None
    if not question.lowest <= number <= question.highest:
        told = f"a number from {question.lowest:g} to {question.highest:g}"
        raise BadSetting(f"{question.text} Expected {told}, found {answer[:60]!r}.")
