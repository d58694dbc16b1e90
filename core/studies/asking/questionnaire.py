"""The questionnaire before and after a study's items: consent and a few questions.

Each line is a question, written as in these examples::

    Are you a native speaker of English? = yes / no!
    How old are you? = 18..99
    Is there anything you would like to tell us? (optional)

Choices follow ``=`` and are separated by ``/``. A rater who gives an answer marked with ``!`` cannot take part. Two
numbers with dots between them request a whole number in this range. All other questions are answered with text. A line
with ``/`` or ``..`` but without ``=`` is refused, because as an open question it would never exclude a rater.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.errors import BadSetting
from core.foreign_values import odd_character

QuestionKind = Literal["text", "choice", "number"]
LONGEST_CONSENT = 20_000
LONGEST_TEXT = 500  # maximum characters of a question
LONGEST_ANSWER = 4_000
MOST_QUESTIONS = 30
MOST_CHOICES = 40
OPTIONAL = "(optional)"
# The consent text that a study's manager can use unchanged or edit.
CONSENT = """\
You take part in a research study. You look at pictures with texts about them, and you answer questions about these \
texts.

Taking part is voluntary. You may stop at any moment without giving a reason.

We store your answers and when you gave them. If a recruitment platform sent you, we also store your id there, apart \
from your answers. We do not ask for your name. We may publish the answers, but never your id.

If you are at least 18 years old, have read this text and want to take part, agree below."""
_RANGE = re.compile(r"(-?\d{1,15})\s*\.\.\s*(-?\d{1,15})", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d{1,15}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a rater about themselves or the study."""

    text: str
    kind: QuestionKind = "text"
    choices: tuple[str, ...] = ()  # answers that raters can choose from; empty: the question offers no choices
    lowest: int | None = None  # lowest allowed number, inclusive, if raters answer with a number
    highest: int | None = None  # highest allowed number, inclusive, if raters answer with a number
    required: bool = True
    screens_out: tuple[str, ...] = ()  # choices that end the study for raters who choose them


@dataclass(frozen=True, slots=True)
class Questionnaire:
    """The consent, and the questions before the first item and after the last item."""

    consent: str = ""  # paragraphs that a rater must agree to first; empty: none
    before: tuple[Question, ...] = ()
    after: tuple[Question, ...] = ()

    def __post_init__(self) -> None:
        """Raise BadSetting for a questionnaire that cannot be displayed."""
        if len(self.consent) > LONGEST_CONSENT:
            raise BadSetting(f"A consent has at most {LONGEST_CONSENT} characters, found {len(self.consent)}.")
        for questions in (self.before, self.after):
            texts = [question.text for question in questions]
            if len(texts) > MOST_QUESTIONS or len(set(texts)) < len(texts):
                raise BadSetting(f"Ask at most {MOST_QUESTIONS} questions, and each question only once.")


def questions_of(lines: str) -> tuple[Question, ...]:
    """Return the questions of a text with one question per line. Raises BadSetting, which quotes the wrong line."""
    written = ((number, line.strip()) for number, line in enumerate(lines.splitlines(), 1))
    return tuple(_question(number, line) for number, line in written if line)


def questions_text(questions: Sequence[Question]) -> str:
    """Return questions as a text from which `questions_of` returns the same questions."""
    return "\n".join(map(_line, questions))


def check_answers(questions: Sequence[Question], answers: Sequence[str]) -> tuple[str, ...]:
    """Return the answers without spaces around them, one per question, in order.

    If an answer is missing or not allowed, raises BadSetting, which names the question.
    """
    if len(answers) != len(questions):
        raise BadSetting(f"Expected {len(questions)} answers, found {len(answers)}.")
    return tuple(_checked(question, answer.strip()) for question, answer in zip(questions, answers, strict=True))


def is_screened_out(questions: Sequence[Question], answers: Sequence[str]) -> bool:
    """Return whether one of these answers means that the rater cannot take part."""
    return any(answer in question.screens_out for question, answer in zip(questions, answers, strict=True))


def _question(number: int, line: str) -> Question:
    required = not line.endswith(OPTIONAL)
    text, is_closed, rest = f" {line.removesuffix(OPTIONAL)}".partition(" = ")
    text, rest = text.strip(), rest.strip()
    if not 1 <= len(text) <= LONGEST_TEXT or not text.isprintable():
        raise BadSetting(
            f"Line {number}: a question must have 1 to {LONGEST_TEXT} printable characters, found {text[:60]!r}."
        )
    if not is_closed:
        if " / " in text or ".." in text:
            raise BadSetting(
                f'Line {number}: answers must follow " = ", such as "Native speaker? = yes / no!" or "Age? = 18..99". '
                f"Found {text!r}."
            )
        return Question(text, required=required)
    if span := _RANGE.fullmatch(rest):
        lowest, highest = int(span[1]), int(span[2])
        if not lowest < highest:
            raise BadSetting(f"Line {number}: the number before the dots must be the smaller one, found {rest!r}.")
        return Question(text, "number", lowest=lowest, highest=highest, required=required)
    choices = [choice.strip() for choice in rest.split(" / ")]
    names = tuple(choice.removesuffix("!").strip() for choice in choices)
    if not 2 <= len(names) <= MOST_CHOICES or len(set(names)) < len(names) or not all(names):
        raise BadSetting(
            f'Line {number}: write 2 to {MOST_CHOICES} different choices separated by " / ", found {rest!r}.'
        )
    if not all(name.isprintable() and len(name) <= LONGEST_TEXT for name in names):
        raise BadSetting(f"Line {number}: a choice must have 1 to {LONGEST_TEXT} printable characters.")
    screens_out = tuple(name for name, choice in zip(names, choices, strict=True) if choice.endswith("!"))
    if screens_out == names:
        raise BadSetting(
            f'Line {number}: every choice ends in "!", which excludes raters with this answer, so nobody could take '
            'part. Remove one "!".'
        )
    return Question(text, "choice", names, required=required, screens_out=screens_out)


def _line(question: Question) -> str:
    rest = ""
    if question.kind == "choice":
        rest = " = " + " / ".join(c + "!" * (c in question.screens_out) for c in question.choices)
    elif question.kind == "number":
        rest = f" = {question.lowest}..{question.highest}"
    return f"{question.text}{rest}{'' if question.required else f' {OPTIONAL}'}"


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
    odd = odd_character(answer)
    if odd is not None:
        raise BadSetting(f"{question.text} The answer holds {odd}, which cannot be stored. Remove it.")
    return answer


def _check_number(question: Question, answer: str) -> None:
    assert question.lowest is not None and question.highest is not None
    if not _WHOLE.fullmatch(answer) or not question.lowest <= int(answer) <= question.highest:
        expected = f"a whole number from {question.lowest} to {question.highest}"
        raise BadSetting(f"{question.text} Expected {expected}, found {answer[:60]!r}.")
