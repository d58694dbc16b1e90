"""The stamp of reports: the same while nothing changes, another one after each change that reports show."""

from collections.abc import Callable

import pytest

from core.analysis.slices import Slice
from tests.making import answer_all, make_study, rating
from ui.services.workplace import Workplace


def answer(birds: Workplace) -> None:
    rater = birds.repository.raters.named("K7")
    (item,) = birds.repository.desk.queue(1, rater, 1, 1).items
    birds.repository.save(rater, [rating(item, point=1)])


CHANGES: dict[str, Callable[[Workplace], object]] = {
    "an answer": answer,
    "an exclusion": lambda birds: birds.repository.managing.exclude(1, "K7", "too fast"),
    "a slice": lambda birds: birds.repository.slices.save("birds", Slice("dogs", caption="dog")),
    "an epoch": lambda birds: birds.repository.epochs.renew(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_stamp_changes_with_what_reports_show_and_with_nothing_else(birds: Workplace, change: str) -> None:
    study = make_study(birds, size=4)
    answer_all(birds.repository, study, birds.repository.raters.add("K7"))
    before = birds.repository.analysis.report_stamp("birds")
    birds.repository.raters.add("NOBODY")
    assert birds.repository.analysis.report_stamp("birds") == before
    CHANGES[change](birds)
    assert birds.repository.analysis.report_stamp("birds") != before
