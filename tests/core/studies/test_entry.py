import json

import pytest

from core.errors import BadSetting
from core.studies.entry import (
    MOST_QUESTIONS,
    Entry,
    Question,
    check_answers,
    entry_json,
    entry_of,
    questions_of,
    questions_text,
    read_lines,
)


@pytest.mark.parametrize(
    ("line", "what", "written"),
    [
        ("Are you a native speaker? yes / no!", "choices", "Are you a native speaker? = yes / no!"),
        ("Are you a native speaker? yes/no!", "choices", "Are you a native speaker? = yes / no!"),
        ("Are you a native speaker?= yes / no!", "choices", "Are you a native speaker? = yes / no!"),
        ("Are you a native speaker?: yes / no! (optional)", "choices", "Are you a native speaker?: = yes / no!"),
        ("Gender: female / male / other", "choices", "Gender: = female / male / other"),
        ("native speaker=yes / no!", "choices", "native speaker = yes / no!"),
        ("native speaker yes / no!", "choices", "Are you a native speaker? = yes / no!"),
        ("yes / no", "choices", "Are you a native speaker? = yes / no!"),
        ("How old are you? 18..99", "a range of numbers", "How old are you? = 18..99"),
        ("Age 18 .. 99", "a range of numbers", "= yes / no!"),
        ("Are you a native speaker? (yes / no!)", "choices", "Are you a native speaker? = yes / no!"),
        ("Are you a native speaker? (yes|no!)", "choices", "Are you a native speaker? = yes / no!"),
        ("Are you a native speaker? yes, no!", "choices", "Are you a native speaker? = yes / no!"),
        ("Are you a native speaker? yes | no!", "choices", "Are you a native speaker? = yes / no!"),
    ],
)
def test_a_line_that_looks_like_choices_without_an_equals_sign_is_refused_and_says_so(
    line: str, what: str, written: str
) -> None:
    with pytest.raises(BadSetting) as refused:
        questions_of(f"\n{line}")
    assert str(refused.value).startswith(f'Line 2 looks like {what}, but has no " = "')
    advice = str(refused.value).partition("for instance: ")[2]
    assert written in advice
    assert ("If raters should answer in words" in advice) == (what == "choices")
    assert questions_of(advice.partition(" If raters")[0])  # following the advice works


@pytest.mark.parametrize(
    "line",
    [
        "Is there anything you would like to tell us?",
        "Which words did he/she use?",
        "Your job and/or studies",
        "Your website (https://example.org/you)",
        "Do you wear glasses and / or contact lenses?",
        "What is 2 + 2?",
        "Tell us more!",
        "What do you do? Work, study: tell us!",
        "Your job (teacher, student)",
        "Wait... what did you see?",
    ],
)
def test_an_open_question_stays_one(line: str) -> None:
    assert questions_of(line) == (Question(line),)


@pytest.mark.parametrize("line", ["Age? = 0..2.5", "Age? = 18.0..99.0", "Age? = -0.00001..1.0"])
def test_a_range_with_a_decimal_point_takes_decimals_and_is_written_as_it_was_read(line: str) -> None:
    (question,) = questions_of(line)
    assert not question.whole and check_answers((question,), ["0.5" if "18" not in line else "34.5"])
    (again,) = questions_of(questions_text((question,)))
    assert again == question


def test_a_question_of_a_study_from_before_still_takes_decimals() -> None:
    stored = json.loads(json.dumps(entry_json(Entry(before=questions_of("Age? = 18..99")))))
    del stored["before"][0]["whole"]
    (question,) = entry_of(stored).before
    assert check_answers((question,), ["34.5"]) == ("34.5",)
    assert questions_text((question,)) == "Age? = 18.0..99.0"


def test_every_line_is_read_by_itself_while_it_is_typed() -> None:
    lines = "Native? = yes / no!\n\nAge? = 18..99\nNative? yes / no\nHeight? = 0.5..2.5 (optional)\nMore? (optional)"
    read = [(line.number, line.question, line.words) for line in read_lines(lines)]
    assert read[:2] == [
        (1, "Native?", "one of: yes, no; cannot take part: no"),
        (3, "Age?", "a whole number from 18 to 99"),
    ]
    assert read[2][:2] == (4, None) and "looks like choices" in read[2][2]
    assert read[3:] == [
        (5, "Height?", "a number, decimals allowed, from 0.5 to 2.5; may be left open"),
        (6, "More?", "answered in words; may be left open"),
    ]
    assert len(read_lines("A?\n" * 200)) == MOST_QUESTIONS
