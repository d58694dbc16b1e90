import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadFile, BadForm, NotFound
from core.studies.asking.file_values import LARGEST
from core.studies.asking.form import Form
from core.studies.asking.form_file import FOLDER, form_named, read_form, read_form_file, shipped_forms
from core.studies.asking.questionnaire import Questionnaire

FORM = """\
key = "mine"
title = "My form"
layout = "single"

[shows]
picture = "at once"

[introduction]
paragraphs = [
  "You see {items} pictures.",
  "Judge them by {criteria}.",
]

# the only question
[[criteria]]
key = "clear"
name = "Clear"
question = "Is it clear?"
points = [
  { text = "No." },
  { text = "Yes." },
]
"""


def refused(text: str) -> tuple[int | None, str]:
    with pytest.raises(BadForm) as found:
        read_form(text, "mine.toml")
    return found.value.line, str(found.value)


def test_a_form_of_your_own_is_read_with_yes_and_no_for_points() -> None:
    form = read_form(FORM)
    assert (form.key, form.layout, form.rates) == ("mine", "single", "explanation")
    assert [(one.point, one.text) for one in form.criteria[0].guidelines] == [(1, "No."), (2, "Yes.")]
    assert form.introduction.paragraphs == ("You see {items} pictures.", "Judge them by {criteria}.")
    shows = form.shows
    assert (shows.score, shows.explanation, shows.references, shows.veil) == (True, True, False, False)


def test_consent_and_questions_before_and_after_belong_to_a_form() -> None:
    entry = '[entry]\nconsent = "I agree."\nbefore = ["Native speaker? = yes / no!", "How old? = 18..99"]\n'
    form = read_form(FORM + entry + 'after = ["Anything to add? (optional)"]\n')
    assert (form.entry.consent, [one.kind for one in form.entry.before]) == ("I agree.", ["choice", "number"])
    assert form.entry.before[0].screens_out == ("no",) and not form.entry.after[0].required
    assert read_form(FORM).entry == Questionnaire()
    line, text = refused(FORM + entry.replace("18..99", "99..18"))
    assert line == 25 and "entry.before: expected questions as lines" in text


WRONG = {
    "no TOML": ("layout =", "layout ==", 3, "the file: expected TOML"),
    "a placeholder that there is none of": ("{items}", "{salary}", 9, "introduction.paragraphs.1: .*found '{salary}'"),
    "a placeholder that reaches inside": ("{items}", "{items.__class__}", 9, "found '{items.__class__}'"),
    "a placeholder that takes all memory": ("{items}", "{items:>999999999}", 9, "found '{items>999999999}'"),
    "one point": ('  { text = "Yes." },\n', "", 19, "criteria.1.points: expected 2 to 10 points, .*found 1"),
    "a key of two words": ('key = "clear"', 'key = "Is clear"', 16, "criteria.1.key: expected small letters"),
    "text for a truth": ('picture = "at once"', 'score = "yes"', 6, "shows.score: expected true or false, found 'yes'"),
    "a veil that nothing lifts": ('"at once"', '"veiled"', 5, "a criterion with without_image = true"),
    "captions with a score": (
        '"single"',
        '"single"\nrates = "caption"',
        4,
        "rates: expected a form that shows no sc",
    ),
    "no criteria": (FORM[FORM.index("[[criteria]]") :], "", None, "criteria: expected 1 to 20 criteria"),
    "a control character": ('"Is it', '"Is\\u0007it', 18, "criteria.1.question: expected a text without control"),
    "other short words": (
        '"Yes." }',
        '"Yes.", short = "no" }',
        21,
        "words from the point's own text .*found 'no'",
    ),
}


def test_the_short_words_of_a_point_may_begin_with_a_capital() -> None:
    form = read_form(FORM.replace('{ text = "Yes." }', '{ text = "Clearly so.", short = "clearly So" }'))
    assert form.criteria[0].guidelines[1].short == "clearly So"


@pytest.mark.parametrize("case", WRONG)
def test_a_bad_form_is_refused_with_line_expected_and_found(case: str) -> None:
    old, new, line, message = WRONG[case]
    assert old in FORM
    found_line, text = refused(FORM.replace(old, new, 1))
    assert re.search(message, text), text
    assert found_line == line and text.startswith(f"mine.toml, line {line}, " if line else "mine.toml, ")


def test_all_mistakes_of_a_form_are_told_together_from_the_top_of_the_file() -> None:
    text = FORM.replace('"single"', '"round"').replace('text = "Yes."', 'text = ""').replace('key = "mine"', "")
    line, told = refused(text.replace("[shows]", "[shows]\nscores = true"))
    assert [one.split(": ")[0] for one in told.splitlines()] == [
        "mine.toml, key",
        "mine.toml, line 3, layout",
        "mine.toml, line 6, shows.scores",
        "mine.toml, line 22, criteria.1.points.2.text",
    ]
    assert line is None
    line, told = refused(FORM.replace('"at once"', '"veiled"').replace('name = "Clear"', 'name = "C"\ncompares = true'))
    assert [one.split(": ")[0] for one in told.splitlines()] == [
        "mine.toml, line 3, layout",
        "mine.toml, line 5, shows",
    ]


def test_files_that_are_no_text_too_large_or_not_there_are_refused(tmp_path: Path) -> None:
    for content, message in ((b"\xff\xfe", "not UTF-8"), (b"#" * (LARGEST + 1), "at most 100,000 bytes")):
        (tmp_path / "bad.toml").write_bytes(content)
        with pytest.raises(BadFile, match=message):
            read_form_file(tmp_path / "bad.toml")
    with pytest.raises(BadFile, match="cannot be read"):
        read_form_file(tmp_path / "none.toml")


@given(st.text(max_size=200))
def test_any_text_is_a_form_or_refused_by_name(text: str) -> None:
    with pytest.raises(BadForm):
        read_form(text)


@pytest.mark.parametrize("form", shipped_forms(), ids=lambda form: form.key)
def test_every_shipped_form_is_known_by_its_files_name(form: Form) -> None:
    path = FOLDER / f"{form.key.replace('-', '_')}.toml"
    assert read_form_file(path) == form == form_named(form.key)
    assert form.text == path.read_text(encoding="utf-8") and len(form.sha256) == 64


def test_the_shipped_forms_are_those_of_the_papers_and_a_few_of_ours() -> None:
    asked = {form.key: [(one.key, one.scale_name) for one in form.criteria] for form in shipped_forms()}
    assert asked["hice-human-evaluation"] == [("correctness", "1–4"), ("completeness", "1–4")]
    assert asked["thumb"] == [("precision", "1–5"), ("recall", "1–5")]
    assert asked["longcap-arena"] == [("descriptiveness", "1–5"), ("relevance", "1–5"), ("fluency", "1–5")]
    assert asked["pairwise-captions"] == [("preference", "1–3")]
    lows = {one.scale_name: one.low for form in shipped_forms() for one in form.criteria}
    assert lows == {"1–3": 1, "1–4": 2, "1–5": 2}
    assert [form.key for form in shipped_forms()][:2] == ["expert-single", "expert-side-by-side"]
    with pytest.raises(NotFound, match="'beauty'. Forms: expert-single, "):
        form_named("beauty")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1\n[a." + "b." * 45_000 + "c]", "line 2, the file: expected names with few dots"),
        ("x = {a" + ' . "b"' * 12_000 + " = 1}", "line 1, the file: expected names with few dots"),
        ("x = 1" + "0" * 5_000, "expected TOML"),
    ],
)
def test_a_file_made_to_be_hard_to_read_is_refused_at_once(text: str, told: str) -> None:
    began = time.process_time()
    with pytest.raises(BadForm, match=told):
        read_form(text)
    assert time.process_time() - began < 2  # one of them took minutes
