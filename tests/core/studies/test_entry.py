import json
from time import process_time

import pytest

from core.errors import BadSetting
from core.studies.asking.questionnaire import (
    MOST_QUESTIONS,
    Question,
    Questionnaire,
    check_answers,
    questionnaire_json,
    questionnaire_of,
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
        ("Age 18 .. 99", "a range of numbers", "Age = 18..99"),
        ("Are you a native speaker? (yes / no!)", "choices", "Are you a native speaker? = yes / no!"),
        ("Are you a native speaker? (yes|no!)", "choices", "Are you a native speaker? = yes / no!"),
        ("Are you a native speaker? yes, no!", "choices", "Are you a native speaker? = yes / no!"),
        ("Are you a native speaker? yes | no!", "choices", "Are you a native speaker? = yes / no!"),
        ("yes or no!", "choices", "Are you a native speaker? = yes / no!"),
        ("Are you a native speaker? yes or no!", "choices", "Are you a native speaker? = yes / no!"),
        ("Are you a native speaker (yes or no!)?", "choices", "Are you a native speaker? = yes / no!"),
        ("Are you a native speaker [yes! / no]?", "choices", "Are you a native speaker? = yes! / no"),
        ("Are you a native speaker? Yes!, no", "choices", "Are you a native speaker? = Yes! / no"),
        ("Sprechen Sie Deutsch? ja oder nein!", "choices", "Sprechen Sie Deutsch? = ja / nein!"),
        ("18-99", "a range of numbers", "Are you a native speaker? = yes / no!"),
        ("How old are you? 18-99", "a range of numbers", "How old are you? = 18..99"),
        ("How old are you? 18 – 99 (optional)", "a range of numbers", "How old are you? = 18..99"),
        ("How old (18..99)?", "a range of numbers", "How old? = 18..99"),
        ("How old (18-99)?", "a range of numbers", "How old? = 18..99"),
        ("How old are you, 18…99, today?", "a range of numbers", "How old are you, today? = 18..99"),
        ("Age (18-99)", "a range of numbers", "Age = 18..99"),
        ("Age: 18-99", "a range of numbers", "Age: = 18..99"),
    ],
)
def test_a_line_that_looks_like_choices_without_an_equals_sign_is_refused_and_says_so(
    line: str, what: str, written: str
) -> None:
    with pytest.raises(BadSetting) as refused:
        questions_of(f"\n{line}")
    assert str(refused.value).startswith(f'Line 2 looks like {what}, but has no " = "')
    advice = str(refused.value).partition("for example: ")[2]
    assert written in advice
    assert questions_of(advice.partition(" If raters")[0])  # following the advice works
    assert advice.partition(" If raters should answer in words, ")[2].startswith(("write", "remove"))


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
        "Tell us more or less!",
        "What would you rather do, read or listen to a friend who reads to you!",
        "Where did you live when it was 18 to 99?",
        "Which school did you go to (2001-2010, say)?",
        "Your postcode, such as 10-12-14",
        "What comes first, 5-3?",
        "How long is 3 - 2?",
    ],
)
def test_an_open_question_stays_one(line: str) -> None:
    assert questions_of(line) == (Question(line),)


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        (
            "Are you a native speaker, yes or no?",
            ". For choices, write for example: Are you a native speaker? = yes / no! "
            "(The ! excludes raters who choose “no”.)",
        ),
        ("Are you a native speaker? yes or no", ". For choices, write: Are you a native speaker? = yes / no"),
        ("Tea or coffee: tea or coffee", ". For choices, write: Tea or coffee: = tea / coffee"),
        ("Were you here in 2019-2021?", ". For a number, write: Were you here in? = 2019..2021"),
        ("How old are you, 18 to 99?", ". For a number, write: How old are you? = 18..99"),
        ("How are you?", ""),
        ("Do you rate for work or for fun?", ""),
    ],
)
def test_what_may_be_an_open_question_is_read_as_one_with_a_hint_how_to_write_it_otherwise(
    line: str, hint: str
) -> None:
    assert questions_of(line) == (Question(line),)
    assert read_lines(line)[0].words == f"answered in words{hint}"


@pytest.mark.parametrize(
    "line", ["(" * 499, "1-" * 249, "or " * 160, "?" + "a/" * 240, "0" * 400, "[(" * 200, "1.." * 160]
)
def test_odd_lines_are_read_soon(line: str) -> None:
    begun = process_time()
    read_lines(line)
    assert process_time() - begun < 1  # a pattern that goes back over and over takes minutes


@pytest.mark.parametrize("line", ["Age? = 0..2.5", "Age? = 18.0..99.0", "Age? = -0.00001..1.0"])
def test_a_range_with_a_decimal_point_takes_decimals_and_is_written_as_it_was_read(line: str) -> None:
    (question,) = questions_of(line)
    assert not question.whole and check_answers((question,), ["0.5" if "18" not in line else "34.5"])
    (again,) = questions_of(questions_text((question,)))
    assert again == question


def test_a_question_of_a_study_from_before_still_takes_decimals() -> None:
    stored = json.loads(json.dumps(questionnaire_json(Questionnaire(before=questions_of("Age? = 18..99")))))
    del stored["before"][0]["whole"]
    (question,) = questionnaire_of(stored).before
    assert check_answers((question,), ["34.5"]) == ("34.5",)
    assert questions_text((question,)) == "Age? = 18.0..99.0"


def test_every_line_is_read_by_itself_while_it_is_typed() -> None:
    lines = "Native? = yes / no!\n\nAge? = 18..99\nNative? yes / no\nHeight? = 0.5..2.5 (optional)\nMore? (optional)"
    read = [(line.number, line.question, line.words) for line in read_lines(lines)]
    assert read[:2] == [
        (1, "Native?", "one of: yes, no; these answers exclude a rater from the study: no"),
        (3, "Age?", "a whole number from 18 to 99"),
    ]
    assert read[2][:2] == (4, None) and "looks like choices" in read[2][2]
    assert read[3:] == [
        (5, "Height?", "a number, decimals allowed, from 0.5 to 2.5; may stay empty"),
        (6, "More?", "answered in words; may stay empty"),
    ]
    assert len(read_lines("A?\n" * 200)) == MOST_QUESTIONS


@pytest.mark.parametrize("line", ["Q = a\u202eb / c", "Q = a\x07b / c", f"Q = {'x' * 501} / y"])
def test_a_choice_is_as_printable_and_as_short_as_a_question(line: str) -> None:
    with pytest.raises(BadSetting, match="Line 1: a choice must have 1 to 500 printable characters"):
        questions_of(line)
    assert questions_of(line, is_checked=False)  # what was accepted before can still be read


def test_a_question_that_nobody_could_pass_is_refused() -> None:
    with pytest.raises(BadSetting, match='Line 2: every choice ends in "!".* so nobody could take part'):
        questions_of("Age? = 18..99\nNative? = yes! / no!")
