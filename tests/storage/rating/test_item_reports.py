"""Raters report items and skip them; managers withdraw items and answer."""

from pathlib import Path
from typing import Any

import pytest

from core.errors import BadSetting, NotFound
from core.studies.asking.item_report import MOST_SKIPS
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
    (item,) = workplace.repository.reported_items.of(study.id)
    assert [(one.code, one.words, one.skipped) for one in item.reports] == [("ANNA", "The caption is cut off.", False)]
    assert not items_of(workplace, study, anna)[0].finished
    workplace.repository.save(anna, [reporting(first, None, "2")])
    assert workplace.repository.reported_items.of(study.id) == ()


def test_answering_a_skipped_item_after_all_makes_it_count(workplace: Workplace, study: Study) -> None:
    anna = rater_of(workplace, "ANNA")
    first = items_of(workplace, study, anna)[0]
    workplace.repository.save(anna, [reporting(first, SKIP, "1")])
    workplace.repository.save(anna, [reporting(first, SKIP | {"skip": False}, "2")])
    answer(workplace, anna, first)
    assert workplace.repository.studies.overview()[0][1][0].counted == 1
    assert set(workplace.repository.studies.columns(study.id).reasons) <= {""}


def test_answers_to_a_skipped_item_do_not_count(workplace: Workplace, study: Study) -> None:
    anna = rater_of(workplace, "ANNA")
    first = items_of(workplace, study, anna)[0]
    answer(workplace, anna, first)
    workplace.repository.save(anna, [reporting(first, SKIP, "1")])
    assert not len(workplace.repository.studies.columns(study.id).counted())
    assert "item released" in workplace.repository.studies.columns(study.id).reasons


def test_an_item_that_three_raters_skip_is_withdrawn(workplace: Workplace, study: Study) -> None:
    caption = None
    for number in range(MOST_SKIPS):
        rater = rater_of(workplace, f"R{number}")
        found = items_of(workplace, study, rater)
        item = found[0] if caption is None else next(one for one in found if one.caption == caption)
        caption = item.caption
        workplace.repository.save(rater, [reporting(item, SKIP, "1")])
        workplace.repository.life.release(study.id, rater.code)  # so that the next rater gets items
    last = rater_of(workplace, "LAST")
    assert caption not in {item.caption for item in items_of(workplace, study, last)}
    (withdrawn,) = workplace.repository.reported_items.of(study.id)
    assert withdrawn.withdrawn_at is not None and withdrawn.skips == MOST_SKIPS


def test_a_withdrawn_item_counts_again_when_it_is_given_out_again(workplace: Workplace, study: Study) -> None:
    repository, anna = workplace.repository, rater_of(workplace, "ANNA")
    first, second, *_ = items_of(workplace, study, anna)
    answer(workplace, anna, first)
    repository.save(anna, [reporting(first, {"reason": "offensive", "words": "", "skip": False}, "1")])
    (reported,) = repository.reported_items.of(study.id)
    assert reported.number is not None
    item = repository.reported_items.id_of(study.id, reported.number)
    stamp = repository.studies.stamp()
    repository.reported_items.withdraw(study.id, item)
    assert repository.studies.stamp() != stamp and repository.studies.get(study.id).withdrawn == 1
    assert not len(repository.studies.columns(study.id).counted())
    repository.reported_items.restore(study.id, item)
    repository.reported_items.restore(study.id, item)  # changes nothing
    assert len(repository.studies.columns(study.id).counted()) == len(CRITERIA)
    assert not repository.desk.queue(study.id, anna, second.place, 1).items[0].finished


def test_a_withdrawn_item_that_a_rater_has_open_is_done_for_the_rater(workplace: Workplace, study: Study) -> None:
    repository, anna = workplace.repository, rater_of(workplace, "ANNA")
    first = items_of(workplace, study, anna)[0]
    repository.save(anna, [reporting(first, {"reason": "offensive", "words": "", "skip": False}, "1")])
    (reported,) = repository.reported_items.of(study.id)
    repository.reported_items.withdraw(study.id, reported.item)
    assert items_of(workplace, study, anna)[0].finished
    with pytest.raises(NotFound):
        repository.reported_items.withdraw(study.id, 99_999)


@pytest.mark.parametrize(
    "said",
    [
        {"reason": "boring", "words": "", "skip": False},
        {"reason": "other", "words": " ", "skip": False},
        {"reason": "offensive", "words": "a" * 1001, "skip": False},
        {"reason": "offensive", "words": "half \ud83d", "skip": False},
        {"reason": "offensive", "words": 3, "skip": False},
        {"reason": "offensive", "words": "", "skip": 1},
        {"reason": "offensive", "more": 1},
        {},
    ],
)
def test_a_wrong_report_is_refused_and_nothing_is_stored(
    workplace: Workplace, study: Study, said: dict[str, Any]
) -> None:
    anna = rater_of(workplace, "ANNA")
    first = items_of(workplace, study, anna)[0]
    (refusal,) = workplace.repository.save(anna, [reporting(first, said, "1")])
    assert refusal is not None
    assert workplace.repository.reported_items.of(study.id) == ()


def test_erasing_a_rater_deletes_their_reports_and_messages(workplace: Workplace, study: Study) -> None:
    repository, anna = workplace.repository, rater_of(workplace, "ANNA")
    first = items_of(workplace, study, anna)[0]
    answer(workplace, anna, first)
    repository.save(anna, [reporting(first, SKIP | {"words": "personal"}, "1")])
    repository.messages.send(study.id, "Thank you.", "maker", "ANNA")
    repository.messages.note_read(study.id, anna, [one.id for one in repository.messages.of_rater(study.id, anna)])
    assert {"item_reports", "messages", "message_reads"} <= repository.erasures.everything("ANNA").keys()
    repository.erasures.erase_rater("ANNA", keep_ratings=True)
    assert repository.reported_items.of(study.id) == () == repository.messages.of_study(study.id)


def test_messages_reach_one_rater_or_all_and_are_read_once(workplace: Workplace, study: Study) -> None:
    messages, anna, bert = workplace.repository.messages, rater_of(workplace, "ANNA"), rater_of(workplace, "BERT")
    items_of(workplace, study, anna)
    items_of(workplace, study, bert)
    messages.send(study.id, "The picture is back.", "maker", "ANNA")
    messages.send(study.id, "The study ends on Friday.", "maker")
    assert [one.text for one in messages.of_rater(study.id, anna)] == [
        "The study ends on Friday.",
        "The picture is back.",
    ]
    assert [one.text for one in messages.of_rater(study.id, bert)] == ["The study ends on Friday."]
    messages.note_read(study.id, bert, [1, 2, 3])
    assert [one.readers for one in messages.of_study(study.id)] == [1, 0]
    messages.note_read(study.id, anna, [1])
    assert [one.is_read for one in messages.of_rater(study.id, anna)] == [False, True]
    with pytest.raises(NotFound):
        messages.send(study.id, "Who?", "maker", "NOBODY")
    with pytest.raises(BadSetting):
        messages.send(study.id, "  ", "maker")
