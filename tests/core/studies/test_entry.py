"""Questions before and after a study's items, one per line."""

import pytest

from core.errors import BadSetting
from core.studies.asking.questionnaire import Question, questions_of


@pytest.mark.parametrize(
    "line", ["Are you a native speaker? yes / no!", "How old are you? 18..99", "Gender: female / male / other"]
)
def test_a_line_with_answers_but_without_an_equals_sign_is_refused(line: str) -> None:
    with pytest.raises(BadSetting, match='Line 2: answers must follow " = ", such as'):
        questions_of(f"\n{line}")


@pytest.mark.parametrize("line", ["Which words did he/she use?", "What is 2 + 2?", "Tell us more!", "Your job?"])
def test_other_lines_are_open_questions(line: str) -> None:
    assert questions_of(line) == (Question(line),)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("Q = a\x07b / c", "a choice must have 1 to 500 printable"),
        ("Q = yes! / no!", "nobody could take part"),
    ],
)
def test_choices_that_cannot_be_shown_or_that_nobody_could_pass_are_refused(line: str, problem: str) -> None:
    with pytest.raises(BadSetting, match=f"Line 2: .*{problem}"):
        questions_of(f"Age? = 18..99\n{line}")
