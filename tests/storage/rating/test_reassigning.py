"""Answers to items that a restore has taken from the database again."""

from dataclasses import replace

import pytest
from sqlalchemy import delete, select, update

from core.errors import NotYours
from storage.study_types import AssignedItem, Rater, Save, Study
from storage.tables import AssignmentRow, ParticipationRow, RatingRow
from tests.making import CRITERIA, METRICS, PAIRED_EXPLANATIONS, make_study, rating
from ui.services.workplace import Workplace


def given(workplace: Workplace, study: Study, rater: Rater, count: int = 1) -> tuple[AssignedItem, ...]:
    return workplace.repository.desk.queue(study.id, rater, None, count).items


def restore(workplace: Workplace) -> None:
    """Bring the database back to the moment before any item was given out."""
    with workplace.repository.database.write() as connection:
        connection.execute(delete(AssignmentRow))
        connection.execute(delete(ParticipationRow))


def send(workplace: Workplace, rater: Rater, *saves: Save) -> tuple[str | None, ...]:
    """Send saves, and return each refusal in words."""
    problems = workplace.repository.save(rater, saves)
    return tuple(problem and str(problem) for problem in problems)


def answers(item: AssignedItem, point: int = 2) -> list[Save]:
    """Answer every question about every panel of an item."""
    return [rating(item, criterion, point, panel=panel.place) for panel in item.panels for criterion in CRITERIA]


def given_anew_and_turned(workplace: Workplace) -> tuple[int, ...]:
    """Give the item to its rater under another id, the last panel first; returns the panels as they were before."""
    with workplace.repository.database.write() as connection:
        order = connection.scalar(select(AssignmentRow.panels))
        assert order is not None
        connection.execute(update(AssignmentRow).values(id="given-again", panels=list(reversed(order))))
    return tuple(order)


@pytest.mark.parametrize("shared", [None, 2])
def test_answers_to_a_lost_item_are_stored_and_the_item_keeps_its_place_and_its_name(
    birds: Workplace, shared: int | None
) -> None:
    study, k7 = make_study(birds, size=3, raters_per_item=shared), birds.repository.raters.add("K7")
    first, second = given(birds, study, k7, 2)
    restore(birds)
    assert send(birds, k7, *answers(first)) == (None,) * len(answers(first))
    again = given(birds, study, k7, 3)
    queue = birds.repository.desk.queue(study.id, k7, 1, 3)
    assert queue.done == 1
    assert queue.items[0].id == first.id and queue.items[0].finished
    assert queue.items[0].panels == tuple(replace(panel, answers=dict.fromkeys(CRITERIA, 2)) for panel in first.panels)
    assert second.id in {item.id for item in again}


def test_an_item_that_was_lost_half_answered_is_given_to_its_rater_next(birds: Workplace) -> None:
    study, k7 = make_study(birds, size=3), birds.repository.raters.add("K7")
    _, second = given(birds, study, k7, 2)
    restore(birds)
    assert send(birds, k7, rating(second, point=4)) == (None,)
    (next_one,) = given(birds, study, k7)
    assert (next_one.id, dict(next_one.panels[0].answers)) == (second.id, {"consistency": 4})


def test_answers_go_to_the_same_explanations_if_the_item_was_given_out_again_in_another_order(
    birds: Workplace,
) -> None:
    study, k7 = make_study(birds, size=1, form="expert-side-by-side"), birds.repository.raters.add("K7")
    (lost,) = given(birds, study, k7)
    order = given_anew_and_turned(birds)
    saves = [rating(lost, "consistency", panel.place, panel=panel.place) for panel in lost.panels]
    assert send(birds, k7, *saves) == (None,) * 3
    with birds.repository.database.read() as connection:
        stored = {row.score_id: row.point for row in connection.execute(select(RatingRow.score_id, RatingRow.point))}
    assert stored == {number: place for place, number in enumerate(order, 1)}


def test_a_comparison_keeps_its_meaning_if_the_item_was_given_out_again_in_another_order(birds: Workplace) -> None:
    study = make_study(birds, size=1, form_text=PAIRED_EXPLANATIONS, metrics=METRICS[:2])
    k7 = birds.repository.raters.add("K7")
    (lost,) = given(birds, study, k7)
    order = given_anew_and_turned(birds)
    (criterion,) = (one for one in study.asks.criteria if one.compares)
    best = max(guideline.point for guideline in criterion.guidelines)
    assert send(birds, k7, rating(lost, criterion.key, best, panel=2)) == (None,)
    with birds.repository.database.read() as connection:
        stored = {row.score_id: row.point for row in connection.execute(select(RatingRow.score_id, RatingRow.point))}
    assert (stored[order[1]], stored[order[0]]) == (best, criterion.mirrored(best))


def test_a_rater_who_is_bound_to_one_study_gets_no_assignment_of_another(birds: Workplace) -> None:
    study, k7 = make_study(birds, size=1), birds.repository.raters.add("K7")
    (item,) = given(birds, study, k7)
    restore(birds)
    with pytest.raises(NotYours, match="server no longer has"):
        send(birds, replace(k7, study=study.id + 1), rating(item))
