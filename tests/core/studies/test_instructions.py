import pytest

from core.studies.form import Divided
from core.studies.instructions import expected_minutes
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


def test_the_time_grows_with_items_answers_and_words() -> None:
    # 1428 characters are 238 words: one minute to read; 10 s to look, 4 answers of 5 s
    assert expected_minutes(2, 4, 1428) == 3
    assert expected_minutes(100, 9, 3 * 600) == 220  # 75.6 + 10 + 45 s an item, to five minutes
    assert expected_minutes(0, 3, 0) == 0
