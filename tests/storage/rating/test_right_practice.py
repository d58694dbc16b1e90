"""Practice items that must be right once, if the form says so."""

from typing import Any

import pytest

from core.errors import NotYours
from core.studies.asking.shipped_forms import form_named
from storage.study_types import AssignedItem, Rater, Study
from tests.making import CRITERIA, import_rows, make_study, rating, rows
from ui.services.studies import controls as services
from ui.services.workplace import Workplace

STRICT = form_named("expert-single").text + "\n[practice]\nuntil_right = true\n"


@pytest.fixture
def many(workplace: Workplace, tmp_path: Any) -> Workplace:
    """Twenty samples with a picture each."""
    import_rows(workplace, tmp_path / "files", rows(20, ("ZorkScore",)))
    return workplace


def practised(many: Workplace, **request: Any) -> tuple[Study, Rater]:
    study = make_study(many, size=6, **request)
    services.approve(many, study, "training", services.proposed(many, study, "turned", 2, 1), "ada")
    return study, many.repository.raters.add("A1")


def shown(many: Workplace, study: Study, rater: Rater, start: int | None = None) -> list[AssignedItem]:
    return list(many.repository.desk.queue(study.id, rater, start, 20).items)


def answer(many: Workplace, rater: Rater, item: AssignedItem, point: int, criteria: Any = CRITERIA) -> None:
    saves = [rating(item, criterion, point) for criterion in criteria]
    assert set(many.repository.save(rater, saves)) == {None}


def test_later_items_come_only_after_each_practice_item_was_right_once(many: Workplace) -> None:
    study, rater = practised(many, form_text=STRICT)
    (first,) = shown(many, study, rater)
    assert first.practice and not shown(many, study, rater, 2) and not shown(many, study, rater, 7)
    with pytest.raises(NotYours):  # no feedback before all answers are given
        many.repository.controls.feedback(first.id, rater)
    answer(many, rater, first, 4)
    queue = many.repository.desk.queue(study.id, rater, None, 20)
    assert (queue.resume, queue.held_at, queue.done, len(queue.items)) == (1, 1, 0, 1)
    wrong = many.repository.controls.feedback(first.id, rater)
    assert not wrong.passed and wrong.given["consistency"] == (4,) and wrong.right["consistency"] == (1, 2)
    answer(many, rater, first, 1, ("consistency",))
    assert many.repository.controls.feedback(first.id, rater).passed
    (second,) = shown(many, study, rater)
    assert second.practice and second.place == 2
    answer(many, rater, second, 2)
    queue = many.repository.desk.queue(study.id, rater, None, 20)
    assert (queue.resume, queue.held_at, queue.done) == (3, None, 2) and len(queue.items) == 6
    answer(many, rater, first, 4, ("consistency",))  # right once is enough
    assert many.repository.desk.queue(study.id, rater).held_at is None


@pytest.mark.parametrize("shared", [{}, {"raters_per_item": 1}])
def test_a_retired_practice_item_holds_nobody_back(many: Workplace, shared: dict[str, int]) -> None:
    study, rater = practised(many, form_text=STRICT, **shared)
    (first,) = shown(many, study, rater)
    answer(many, rater, first, 4)
    for control in many.repository.controls.all(study.id):
        many.repository.controls.retire(study.id, control.item)
    queue = many.repository.desk.queue(study.id, rater, None, 20)
    assert (queue.held_at, queue.done) == (None, 1) and len(queue.items) >= 6


def test_other_forms_practise_as_before(many: Workplace) -> None:
    study, rater = practised(many)
    first, *others = shown(many, study, rater)
    assert first.practice and len(others) == 7
    answer(many, rater, first, 4)
    told = many.repository.controls.feedback(first.id, rater)
    assert told.passed and told.given["consistency"] == (4,)
    assert many.repository.desk.queue(study.id, rater).resume == 2
