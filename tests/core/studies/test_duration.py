import pytest

from core.studies.asking.form_file import form_named
from core.studies.planning.minutes import (
    ReadingLoad,
    expected_minutes,
    item_seconds,
)


def test_the_time_grows_with_words_and_answers() -> None:
    single = form_named("expert-single")  # three criteria
    assert item_seconds(single, ReadingLoad(238)) == pytest.approx(60 + 10 + 3 * 5)
    assert item_seconds(single, ReadingLoad(238, references=100)) == item_seconds(single, ReadingLoad(238))  # not shown
    assert item_seconds(form_named("expert-side-by-side"), ReadingLoad(238, panels=2.5)) == pytest.approx(
        60 + 10 + 2.5 * 3 * 5
    )
    assert item_seconds(form_named("pairwise-captions"), ReadingLoad(119, panels=2)) == pytest.approx(30 + 10 + 5)
    assert item_seconds(single, ReadingLoad(60, learnt=40)) == 40


def test_minutes_are_whole_and_from_ten_on_multiples_of_five() -> None:
    assert [expected_minutes(2, 90), expected_minutes(100, 130), expected_minutes(0, 60)] == [3, 215, 0]
