"""Messages of imports name the page's fields, not a command's options."""

import pytest

from core.datasets import FORMATS
from core.datasets.own_csv import CSV
from ui.services.importing.page_words import page_words


def test_no_format_on_the_page_names_an_option_of_a_command() -> None:
    assert "--column" in CSV.summary
    assert not [one.summary for one in FORMATS if "--" in page_words(one.summary)]


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (
            "expected a number from 0 to 1 (for another scale: --human-scale LOW-HIGH), found '4'",
            "expected a number from 0 to 1 (for another scale, change “Lowest and highest value of human judgements”), "
            "found '4'",
        ),
        (
            "this field; or add --column caption=FIELD, where FIELD is one of text, title",
            "this field. Choose the field under “Caption”. You can choose: text, title",
        ),
        (
            "explanations need a column with their scores; name it by --column score=COLUMN",
            "explanations need a column with their scores; choose it under “Score”",
        ),
        (
            "there is no column 'image'. Check the columns, and add these options: --column image=img",
            "there is no column 'image'. Check the columns above.",
        ),
        ("the row is empty", "the row is empty"),
    ],
)
def test_a_message_names_the_pages_fields(told: str, words: str) -> None:
    assert page_words(told) == words
