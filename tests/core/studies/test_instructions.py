import pytest

from core.errors import BadForm
from core.studies.form import Divided
from core.studies.form_file import read_form
from core.studies.instructions import instructions as filled_in
from core.studies.shipped_forms import form_named


def instructions(form: str, items: int, panels: int, criteria: int, divided: Divided) -> tuple[str, ...]:
    return filled_in(form_named(form).introduction, items, panels, criteria, divided)


@pytest.mark.parametrize(
    ("form", "divided", "sentences"),
    [
        ("single", "all", ["The explanations are divided into three aspects", "Please evaluate them holistically"]),
        ("single", "some", ["Some explanations are written as a single paragraph"]),
        ("side_by_side", "some", ["Some explanations are written as a single paragraph"]),
        ("side_by_side", "all", ["The explanations are divided into three aspects"]),
        ("single", "none", []),
        ("side_by_side", "none", []),
    ],
)
def test_raters_read_of_aspects_what_holds_for_their_study(form, divided: Divided, sentences: list[str]) -> None:
    text = " ".join(instructions(form, 12, 3, 3, divided))
    assert all(sentence in text for sentence in sentences)
    assert ("aspects" in text) == bool(sentences) == ("holistically" in text)
    assert "12 data samples" in text and "three criteria" in text


def test_the_papers_own_studies_are_introduced_in_its_words() -> None:
    assert instructions("single", 100, 1, 3, "all")[1] == (
        "This evaluation consists of 100 data samples. Each data sample includes an **image** and a **caption**, "
        "along with a **score** and an **explanation** justifying the score. The explanations are divided into three "
        "aspects: **fluency**, **relevance**, and **descriptiveness**. Please evaluate them holistically, considering "
        "all three together."
    )
    second = instructions("side_by_side", 100, 3, 3, "some")
    assert [paragraph.split()[0] for paragraph in second] == ["Hello", "This", "Some", "Your"]


GERMAN = """
key = "deutsch"
title = "Deutsch"
layout = "side_by_side"
[introduction]
greeting = "Hallo!"
paragraphs = ["{items} Bilder, je {sets} Erklärungen von {evaluators}: beurteilen Sie {criteria}."]
[introduction.words]
criterion = "ein Kriterium"
criteria = "{number} Kriterien"
and = "und"
[[criteria]]
key = "nutzen"
name = "Nutzen"
question = "Wie nützlich ist es?"
points = [{ text = "gar nicht" }, { text = "sehr" }]
"""


def test_a_form_in_another_language_brings_its_words_for_numbers() -> None:
    introduction = read_form(GERMAN).introduction
    assert filled_in(introduction, 4, 3, 1, "none")[1] == (
        "4 Bilder, je 3 Erklärungen von Evaluator 1, Evaluator 2 und Evaluator 3: beurteilen Sie ein Kriterium."
    )
    assert filled_in(introduction, 4, 2, 2, "none")[1].endswith(
        "Evaluator 1 und Evaluator 2: beurteilen Sie 2 Kriterien."
    )
    assert "von Evaluator 1: beurteilen" in filled_in(introduction, 4, 1, 2, "none")[1]


def test_words_for_several_criteria_hold_their_number() -> None:
    with pytest.raises(BadForm, match=r"introduction\.words\.criteria.*text with \{number\}"):
        read_form(GERMAN.replace("{number} Kriterien", "Kriterien"))
