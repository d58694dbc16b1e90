import pytest

from core.errors import BadForm
from core.studies.asking.form import Divided
from core.studies.asking.form_file import form_named, read_form
from core.studies.asking.form_words import Amount, missing_text
from tests.ui.forms_played import WORDS


def instructions(form: str, items: int, panels: int, criteria: int, divided: Divided) -> tuple[str, ...]:
    return form_named(form).introduction.filled(Amount(items), panels, criteria, divided)


@pytest.mark.parametrize("form", ["expert-single", "expert-side-by-side"])
@pytest.mark.parametrize(
    ("divided", "sentence"),
    [("all", "The explanations are divided"), ("some", "Some explanations are written as a single"), ("none", "")],
)
def test_raters_read_of_aspects_what_holds_for_their_study(form: str, divided: Divided, sentence: str) -> None:
    text = " ".join(instructions(form, 12, 3, 3, divided))
    assert sentence in text and ("aspects" in text) == bool(sentence) == ("holistically" in text)
    assert "12 data samples" in text and "three criteria" in text


def test_the_papers_own_studies_are_introduced_in_its_words() -> None:
    assert instructions("expert-single", 100, 1, 3, "all")[1] == (
        "This evaluation consists of 100 data samples. Each data sample includes an **image** and a **caption**, "
        "along with a **score** and an **explanation** justifying the score. The explanations are divided into three "
        "aspects: **fluency**, **relevance**, and **descriptiveness**. Please evaluate them holistically, considering "
        "all three together."
    )
    assert "consists of 1 data sample. Each data" in instructions("expert-single", 1, 1, 3, "all")[1]
    second = instructions("expert-side-by-side", 100, 3, 3, "some")
    assert [paragraph.split()[0] for paragraph in second] == ["Hello", "This", "Some", "Your"]


FEW_WORDS = """[introduction.words]
criterion = "ein Kriterium"
criteria = "{number} Kriterien"
and = "und"
"""
GERMAN = """
key = "deutsch"
title = "Deutsch"
layout = "side_by_side"
[introduction]
greeting = "Hallo!"
paragraphs = ["{items} Bilder, je {sets} Erklärungen von {evaluators}: beurteilen Sie {criteria}."]
"""
GERMAN += (
    FEW_WORDS
    + """[[criteria]]
key = "nutzen"
name = "Nutzen"
question = "Wie nützlich ist es?"
points = [{ text = "gar nicht" }, { text = "sehr" }]
"""
)


def test_a_form_in_another_language_brings_its_words_for_numbers() -> None:
    introduction = read_form(GERMAN).introduction
    assert introduction.filled(Amount(4), 3, 1, "none")[1] == (
        "4 Bilder, je 3 Erklärungen von Evaluator 1, Evaluator 2 und Evaluator 3: beurteilen Sie ein Kriterium."
    )
    assert introduction.filled(Amount(4), 2, 2, "none")[1].endswith(
        "Evaluator 1 und Evaluator 2: beurteilen Sie 2 Kriterien."
    )
    assert "von Evaluator 1: beurteilen" in introduction.filled(Amount(4), 1, 2, "none")[1]


OWN_WORDS = GERMAN.replace(FEW_WORDS, WORDS).replace("{items} Bilder", "{pictures}")


@pytest.mark.parametrize(
    ("amount", "german"),
    [
        (Amount(12), "12 Bilder"),
        (Amount(1), "ein Bild"),
        (Amount(6, is_most=True), "bis zu 6 Bilder"),
    ],
)
def test_pictures_are_counted_in_the_words_of_the_form(amount: Amount, german: str) -> None:
    own = read_form(OWN_WORDS)
    assert own.introduction.filled(amount, 3, 1, "none")[1] == (
        f"{german}, je 3 Erklärungen von Gutachter 1, Gutachter 2 und Gutachter 3: beurteilen Sie ein Kriterium."
    )


def test_raters_are_told_whether_all_or_some_pictures_are_missing() -> None:
    told = [missing_text(None, missing, 30, missing < 15) for missing in (0, 4, 30)]
    some = "Some pictures are missing. Choose N where a question needs a picture that is missing."
    assert told == ["", some, "The pictures of this study are missing: you see the texts only."]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("bis zu {number}", "bis", r"words\.up_to.*text with \{number\}"),
        ('pictures = "{number} Bilder"\n', "", r"for \{pictures\} in paragraph 1"),
    ],
)
def test_words_that_lack_what_they_need_are_refused(old: str, new: str, expected: str) -> None:
    assert old in OWN_WORDS
    with pytest.raises(BadForm, match=expected):
        read_form(OWN_WORDS.replace(old, new))
