"""Questions before and after a study's items, one per line."""

import pytest

from core.errors import BadSetting
from core.foreign_values import reader
from core.studies.asking.questionnaire import Question, check_answers, questions_of, questions_text


@pytest.mark.parametrize(
    "line", ["Are you a native speaker? yes / no!", "How old are you? 18..99", "Gender: female / male / other"]
)
def test_a_line_with_answers_but_without_an_equals_sign_is_refused(line: str) -> None:
    with pytest.raises(BadSetting, match='Line 2: answers must follow " = ", such as'):
        questions_of(f"\n{line}")


@pytest.mark.parametrize("line", ["Which words did he/she use?", "What is 2 + 2?", "Tell us more!", "Your job?"])
def test_other_lines_are_open_questions(line: str) -> None:
    assert questions_of(line) == (Question(line),)


@pytest.mark.parametrize("line", ["Age? = 0..2.5", "Age? = 18.0..99.0", "Age? = -0.00001..1.0"])
def test_a_range_with_a_decimal_point_takes_decimals_and_is_written_as_it_was_read(line: str) -> None:
    (question,) = questions_of(line)
    assert not question.whole and check_answers((question,), ["0.5" if "18" not in line else "34.5"])
    (again,) = questions_of(questions_text((question,)))
    assert again == question
    assert reader(Question).validate_json(reader(Question).dump_json(question)) == question


@pytest.mark.parametrize("line", ["Q = a\u202eb / c", "Q = a\x07b / c", f"Q = {'x' * 501} / y"])
def test_a_choice_is_as_printable_and_as_short_as_a_question(line: str) -> None:
    with pytest.raises(BadSetting, match="Line 1: a choice must have 1 to 500 printable characters"):
        questions_of(line)


def test_a_question_that_nobody_could_pass_is_refused() -> None:
    with pytest.raises(BadSetting, match='Line 2: every choice ends in "!".* so nobody could take part'):
        questions_of("Age? = 18..99\nNative? = yes! / no!")
