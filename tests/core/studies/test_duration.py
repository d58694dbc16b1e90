from dataclasses import replace

import pytest

from core.studies.asking.form_file import form_named
from core.studies.planning.minutes import (
    ReadingLoad,
    expected_minutes,
    item_seconds,
    learnt_seconds,
)


def test_the_time_grows_with_words_and_answers() -> None:
    single = form_named("expert-single")  # three criteria
    assert item_seconds(single, ReadingLoad(238)) == pytest.approx(60 + 10 + 3 * 5)
    assert item_seconds(single, ReadingLoad(238, references=100)) == item_seconds(single, ReadingLoad(238))  # not shown
    assert item_seconds(form_named("expert-side-by-side"), ReadingLoad(238, panels=2.5)) == pytest.approx(
        60 + 10 + 2.5 * 3 * 5
    )
    assert item_seconds(form_named("pairwise-captions"), ReadingLoad(119, panels=2)) == pytest.approx(30 + 10 + 5)


def test_references_count_where_the_form_shows_them() -> None:
    form = form_named("expert-single")
    shown = replace(form, shows=replace(form.shows, references=True))
    assert item_seconds(shown, ReadingLoad(0, references=238)) == pytest.approx(60 + 10 + 3 * 5)


def test_the_time_is_learnt_from_ten_finished_raters_on() -> None:
    assert learnt_seconds([30.0] * 99, 9) is None and learnt_seconds([], 10) is None
    assert learnt_seconds([*[30.0] * 5, *[50.0] * 4, 3600.0], 10) == pytest.approx(40)
    assert item_seconds(form_named("expert-single"), ReadingLoad(60, learnt=40)) == 40


def test_minutes_are_whole_and_from_ten_on_multiples_of_five() -> None:
    assert [expected_minutes(2, 90), expected_minutes(100, 130), expected_minutes(0, 60)] == [3, 215, 0]
