"""Comprehension check, worked example and strict practice in a form's file."""

import re

import pytest

from core.errors import BadForm, BadSetting
from core.studies.asking.comprehension import graded
from core.studies.asking.form_file import read_form
from core.studies.asking.shipped_forms import form_named, shipped_forms
from core.studies.asking.worked_example import example_lines

HEAD = 'key = "mine"\ntitle = "My form"\nlayout = "{layout}"\n{rates}[introduction]\nparagraphs = ["Judge."]\n'
CRITERION = """
[[criteria]]
key = "clear"
name = "Clear"
question = "Is it clear?"
points = [{ text = "No." }, { text = "Yes, very clear.", short = "very clear" }]
"""
CHECK = """
[[check]]
question = "What do you judge?"
choices = ["The score", "The explanation"]
right = "The explanation"
why = "You judge what the explanation says."
"""
EXAMPLE = """
[example]
picture = "A dog on a beach."
captions = ["A cat."]
scores = ["0.20"]
explanations = ["There is no cat. The score is low."]
"""
ANSWER = '[[example.answers]]\ncriterion = "clear"\npoint = 2\nwhy = "It names the fault."\n'
SINGLE = HEAD.format(layout="single", rates="") + CRITERION


def test_a_form_states_its_check_its_example_and_that_practice_must_be_right() -> None:
    form = read_form(f"{SINGLE}[practice]\nuntil_right = true\n{CHECK}{EXAMPLE}{ANSWER}")
    (question,) = form.check
    assert (question.right, question.choices) == ("The explanation", ("The score", "The explanation"))
    assert graded(form.check, ["The score"]) == (False,) and graded(form.check, ["The explanation"]) == (True,)
    assert form.practice_until_right and form.practice_items == 2 and form.example is not None
    (line,) = example_lines(form.example, form.criteria)
    assert (line.asked, line.panel, line.point, line.meaning, line.why) == (
        "Clear",
        0,
        2,
        "very clear",
        "It names the fault.",
    )


def test_an_example_judges_several_explanations() -> None:
    beside = HEAD.format(layout="side_by_side", rates="") + CRITERION
    two = EXAMPLE.replace('["0.20"]', '["0.20", "0.90"]').replace('low."]', 'low.", "A cat is here."]')
    shown = read_form(beside + two + ANSWER + ANSWER.replace("point = 2", "panel = 2\npoint = 1")).example
    assert shown is not None
    form = read_form(beside)
    assert [(line.panel, line.point) for line in example_lines(shown, form.criteria)] == [(1, 2), (2, 1)]


def test_an_example_for_compared_captions_needs_two_captions() -> None:
    pair = HEAD.format(layout="side_by_side", rates='rates = "caption"\n[shows]\nscore = false\nexplanation = false\n')
    pair += CRITERION.replace("points", "compares = true\npoints")
    example = '[example]\ncaptions = ["A dog.", "A cat."]\n' + ANSWER
    form = read_form(pair + example)
    assert form.example is not None
    assert [line.panel for line in example_lines(form.example, form.criteria)] == [0]
    with pytest.raises(BadForm, match="a list of 2"):
        read_form(pair + example.replace(', "A cat."', ""))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SINGLE + CHECK.replace('right = "The explanation"', 'right = "The picture"'), "check.1.right"),
        (SINGLE + CHECK + CHECK, "different questions"),
        (SINGLE + CHECK.replace(', "The explanation"]', "]"), "check.1.choices"),
        (SINGLE + CHECK.replace("why", "because"), "check.1.why"),
        (SINGLE + "[practice]\nuntil_right = 1\n", "practice.until_right"),
        (SINGLE + EXAMPLE, "one answer for each criterion"),
        (SINGLE + EXAMPLE + ANSWER + ANSWER, "one answer for each criterion"),
        (SINGLE + EXAMPLE + ANSWER.replace("= 2", "= 3"), "one of 1, 2"),
        (SINGLE + EXAMPLE + ANSWER.replace("= 2", "= true"), "a whole number"),
        (SINGLE + EXAMPLE.replace('["0.20"]', '["0.20", "0.3"]') + ANSWER, "example.scores"),
    ],
)
def test_a_mistake_in_these_sections_is_refused_with_its_line(text: str, expected: str) -> None:
    with pytest.raises(BadForm, match=re.escape(expected)) as found:
        read_form(text, "mine.toml")
    assert found.value.line is not None


def test_an_answer_that_the_check_does_not_offer_is_refused() -> None:
    form = read_form(SINGLE + CHECK)
    for answers in ([], ["The picture"], ["The score", "The score"]):
        with pytest.raises(BadSetting):
            graded(form.check, answers)


def test_two_shipped_forms_have_a_check_and_an_example_and_the_protocols_of_papers_have_none() -> None:
    guided, plain = form_named("guided-single"), form_named("expert-single")
    assert guided.check and guided.example is not None and guided.practice_until_right
    assert (guided.criteria, guided.introduction, guided.shows) == (plain.criteria, plain.introduction, plain.shows)
    arena = form_named("longcap-arena")
    assert len(arena.check) == 2 and arena.example is not None
    for form in shipped_forms():
        if form.key.startswith("expert"):
            assert not form.check and form.example is None and not form.practice_until_right


@pytest.mark.parametrize(
    ("practice", "count"), [("", 0), ("until_right = false", 0), ("items = 3", 3), ("until_right = true\nitems = 0", 0)]
)
def test_a_form_states_how_many_practice_items_it_asks_for(practice: str, count: int) -> None:
    assert read_form(f"{SINGLE}[practice]\n{practice}\n").practice_items == count


def test_a_form_asks_for_at_most_twenty_practice_items() -> None:
    with pytest.raises(BadForm, match=r"practice\.items.*at most 20"):
        read_form(f"{SINGLE}[practice]\nitems = 21\n")
