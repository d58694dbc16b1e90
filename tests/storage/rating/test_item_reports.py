"""Raters report items and skip them."""

from pathlib import Path
from typing import Any

import pytest

from storage.study_types import AssignedItem, Rater, Save, Study
from tests.making import CRITERIA, METRICS, import_rows, make_study, rating, rows
from ui.services.workplace import Workplace


def reporting(item: AssignedItem, said: dict[str, Any] | None, key: str) -> Save:
    return Save(key=f"report-{key}", assignment=item.id, kind="report", age_ms=0, said=said)


SKIP = {"reason": "broken_picture", "words": "", "skip": True}


@pytest.fixture
def study(workplace: Workplace, tmp_path: Path) -> Study:
    import_rows(workplace, tmp_path / "files", rows(4))
    return make_study(workplace, metrics=METRICS[:1], raters_per_item=1)


def rater_of(workplace: Workplace, code: str) -> Rater:
    return workplace.repository.raters.add(code)


def items_of(workplace: Workplace, study: Study, rater: Rater) -> tuple[AssignedItem, ...]:
    return workplace.repository.desk.queue(study.id, rater, 1, 20).items


def answer(workplace: Workplace, rater: Rater, item: AssignedItem) -> None:
    assert workplace.repository.save(rater, [rating(item, key, 3) for key in CRITERIA]) == (None,) * len(CRITERIA)


def test_a_skipped_item_is_done_for_its_rater_and_goes_to_another(workplace: Workplace, study: Study) -> None:
    repository = workplace.repository
    anna, bert = rater_of(workplace, "ANNA"), rater_of(workplace, "BERT")
    first, *others = items_of(workplace, study, anna)
    assert repository.save(anna, [reporting(first, SKIP, "1")]) == (None,)
    for item in others:
        answer(workplace, anna, item)
    queue = repository.desk.queue(study.id, anna, 1, 20)
    assert queue.resume == len(others) + 2 and queue.items[0].finished and queue.skipped == 1
    assert queue.items[0].report is not None and queue.items[0].report.skip
    (again,) = items_of(workplace, study, bert)
    assert again.caption == first.caption
    progress = {one.code: one for one in repository.studies.overview()[0][1]}
    assert (progress["ANNA"].done, progress["ANNA"].counted) == (len(others) + 1, len(others))


def test_a_report_is_stored_once_and_can_be_taken_back(workplace: Workplace, study: Study) -> None:
    anna = rater_of(workplace, "ANNA")
    first = items_of(workplace, study, anna)[0]
    said = {"reason": "other", "words": "The caption is cut off.", "skip": False}
    for _ in range(2):  # the same key
        assert workplace.repository.save(anna, [reporting(first, said, "1")]) == (None,)
    (report,) = workplace.repository.studies.reported(study.id)
    assert (report.code, report.words, report.skipped) == ("ANNA", "The caption is cut off.", False)
    assert not items_of(workplace, study, anna)[0].finished
    workplace.repository.save(anna, [reporting(first, None, "2")])
    assert workplace.repository.studies.reported(study.id) == ()


def test_answering_a_skipped_item_after_all_makes_it_count(workplace: Workplace, study: Study) -> None:
    anna = rater_of(workplace, "ANNA")
    first = items_of(workplace, study, anna)[0]
    workplace.repository.save(anna, [reporting(first, SKIP, "1")])
    workplace.repository.save(anna, [reporting(first, SKIP | {"skip": False}, "2")])
    answer(workplace, anna, first)
    assert workplace.repository.studies.overview()[0][1][0].counted == 1
    assert set(workplace.repository.studies.ratings(study.id)["left_out"]) <= {""}


def test_answers_to_a_skipped_item_do_not_count(workplace: Workplace, study: Study) -> None:
    anna = rater_of(workplace, "ANNA")
    first = items_of(workplace, study, anna)[0]
    answer(workplace, anna, first)
    workplace.repository.save(anna, [reporting(first, SKIP, "1")])
    assert set(workplace.repository.studies.ratings(study.id)["left_out"]) == {"item released"}


@pytest.mark.parametrize(
    "said",
    [
        {"reason": "other", "words": " ", "skip": False},
        {"reason": "offensive", "words": "a" * 1001, "skip": False},
        {"reason": "offensive", "words": "half \ud83d", "skip": False},
    ],
)
def test_a_wrong_report_is_refused_and_nothing_is_stored(
    workplace: Workplace, study: Study, said: dict[str, Any]
) -> None:
    anna = rater_of(workplace, "ANNA")
    first = items_of(workplace, study, anna)[0]
    (refusal,) = workplace.repository.save(anna, [reporting(first, said, "1")])
    assert refusal is not None
    assert workplace.repository.studies.reported(study.id) == ()


def test_erasing_a_rater_deletes_their_reports(workplace: Workplace, study: Study) -> None:
    repository, anna = workplace.repository, rater_of(workplace, "ANNA")
    first = items_of(workplace, study, anna)[0]
    answer(workplace, anna, first)
    repository.save(anna, [reporting(first, SKIP | {"words": "personal"}, "1")])
    repository.managing.erase_rater("ANNA", keep_ratings=True)
    assert repository.studies.reported(study.id) == ()
