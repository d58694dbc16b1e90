"""Answers to items that a restore has taken from the database again."""

from dataclasses import replace

import pytest
from sqlalchemy import delete, select, update

from core.errors import NotYours
from storage.rating.desk.saving_answers import UNKNOWN_ITEM
from storage.study_types import AssignedItem, Rater, Save, Study
from storage.tables import AssignmentRow, ItemRow, ItemScoreRow, ParticipationRow, RatingRow
from tests.making import CRITERIA, METRICS, make_study, rating
from ui.services.workplace import Workplace


def given(workplace: Workplace, study: Study, rater: Rater, count: int = 1) -> tuple[AssignedItem, ...]:
    return workplace.repository.desk.queue(study.id, rater, None, count).items


def restore(workplace: Workplace) -> None:
    """Bring the database back to the moment before any item was given out."""
    with workplace.repository.database.write() as connection:
        connection.execute(delete(AssignmentRow))
        connection.execute(delete(ParticipationRow))


def send(workplace: Workplace, rater: Rater, item: AssignedItem, *saves: Save) -> tuple[str | None, ...]:
    """Send saves with the item's handout, and return each refusal in words."""
    assert item.handout is not None
    problems = workplace.repository.save(rater, saves, {item.id: item.handout})
    return tuple(problem and str(problem) for problem in problems)


def answers(item: AssignedItem, point: int = 2) -> list[Save]:
    """Answer every question about every panel of an item."""
    return [rating(item, criterion, point, panel=panel.place) for panel in item.panels for criterion in CRITERIA]


def given_anew_and_turned(workplace: Workplace, item: AssignedItem) -> tuple[int, ...]:
    """Give the item to its rater under another name, the last panel first; returns the panels as they were before."""
    assert item.handout is not None
    order = item.handout.panels
    with workplace.repository.database.write() as connection:
        connection.execute(update(AssignmentRow).values(id="given-again", panels=list(reversed(order))))
    return order


def other(item: AssignedItem, /, **changes: object) -> AssignedItem:
    assert item.handout is not None
    return replace(item, handout=replace(item.handout, **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("shared", [None, 2])
def test_answers_to_a_lost_item_are_stored_and_the_item_keeps_its_place_and_its_name(
    birds: Workplace, shared: int | None
) -> None:
    study, k7 = make_study(birds, size=3, raters_per_item=shared), birds.repository.raters.add("K7")
    first, second = given(birds, study, k7, 2)
    restore(birds)
    assert send(birds, k7, first, *answers(first)) == (None,) * len(answers(first))
    again = given(birds, study, k7, 3)
    queue = birds.repository.desk.queue(study.id, k7, 1, 3)
    assert queue.done == 1
    assert queue.items[0].id == first.id and queue.items[0].finished
    assert queue.items[0].panels == tuple(replace(panel, answers=dict.fromkeys(CRITERIA, 2)) for panel in first.panels)
    assert second.id not in {item.id for item in again}
    assert second.caption in {item.caption for item in again}


def test_an_item_that_was_lost_half_answered_is_given_to_its_rater_next(birds: Workplace) -> None:
    study, k7 = make_study(birds, size=3), birds.repository.raters.add("K7")
    _, second = given(birds, study, k7, 2)
    restore(birds)
    assert send(birds, k7, second, rating(second, point=4)) == (None,)
    (next_one,) = given(birds, study, k7)
    assert (next_one.id, dict(next_one.panels[0].answers)) == (second.id, {"consistency": 4})


def test_without_a_handout_an_answer_to_a_lost_item_is_refused_and_the_words_say_whom_to_tell(
    birds: Workplace,
) -> None:
    study, k7 = make_study(birds, size=2), birds.repository.raters.add("K7")
    lost, kept = given(birds, study, k7, 2)
    with birds.repository.database.write() as connection:
        connection.execute(delete(AssignmentRow).where(AssignmentRow.id == lost.id))
    refused, stored = birds.repository.save(k7, [rating(lost), rating(kept)])
    assert (str(refused), stored) == (UNKNOWN_ITEM, None)
    assert "Please tell the person who sent you the link" in UNKNOWN_ITEM


def test_answers_go_to_the_same_explanations_if_the_item_was_given_out_again_in_another_order(
    birds: Workplace,
) -> None:
    study, k7 = make_study(birds, size=1, form="side_by_side"), birds.repository.raters.add("K7")
    (lost,) = given(birds, study, k7)
    order = given_anew_and_turned(birds, lost)
    saves = [rating(lost, "consistency", panel.place, panel=panel.place) for panel in lost.panels]
    assert send(birds, k7, lost, *saves) == (None,) * 3
    with birds.repository.database.read() as connection:
        stored = {row.score_id: row.point for row in connection.execute(select(RatingRow.score_id, RatingRow.point))}
    assert stored == {number: place for place, number in enumerate(order, 1)}


def test_a_comparison_keeps_its_meaning_if_the_item_was_given_out_again_in_another_order(birds: Workplace) -> None:
    study = make_study(birds, size=1, form="pairwise-explanations", metrics=METRICS[:2])
    k7 = birds.repository.raters.add("K7")
    (lost,) = given(birds, study, k7)
    order = given_anew_and_turned(birds, lost)
    (criterion,) = (one for one in study.asks.criteria if one.compares)
    best = max(guideline.point for guideline in criterion.guidelines)
    assert send(birds, k7, lost, rating(lost, criterion.key, best, panel=2)) == (None,)
    with birds.repository.database.read() as connection:
        stored = {row.score_id: row.point for row in connection.execute(select(RatingRow.score_id, RatingRow.point))}
    assert (stored[order[1]], stored[order[0]]) == (best, criterion.mirrored(best))


@pytest.mark.parametrize(
    "changes",
    [
        {"rater": "K8"},
        {"study": 99},
        {"item": 99},
        {"mark": "another content"},
        {"panels": (1,)},
        {"original": 99},
    ],
    ids=str,
)
def test_a_handout_of_another_rater_or_of_what_is_not_there_makes_no_assignment(
    birds: Workplace, changes: dict[str, object]
) -> None:
    study, k7 = make_study(birds, size=1), birds.repository.raters.add("K7")
    (item,) = given(birds, study, k7)
    restore(birds)
    with pytest.raises(NotYours, match="server no longer has"):
        send(birds, k7, other(item, **changes), rating(item))
    with birds.repository.database.read() as connection:
        assert connection.execute(select(AssignmentRow.id)).all() == []


def test_a_rater_who_is_bound_to_one_study_gets_no_assignment_of_another(birds: Workplace) -> None:
    study, k7 = make_study(birds, size=1), birds.repository.raters.add("K7")
    (item,) = given(birds, study, k7)
    restore(birds)
    with pytest.raises(NotYours, match="server no longer has"):
        send(birds, replace(k7, study=study.id + 1), item, rating(item))


def test_a_lost_repeat_is_made_again_from_the_item_that_it_repeats(birds: Workplace) -> None:
    study, k7 = make_study(birds, size=2), birds.repository.raters.add("K7")
    (item,) = given(birds, study, k7)
    assert item.handout is not None
    restore(birds)
    repeat = replace(item, handout=replace(item.handout, item=999_999, original=item.handout.item))
    assert send(birds, k7, repeat, *answers(repeat)) == (None,) * len(answers(repeat))
    with birds.repository.database.read() as connection:
        (number,) = connection.scalars(select(AssignmentRow.item_id)).all()
        scores = connection.scalars(select(ItemScoreRow.score_id).where(ItemScoreRow.item_id == number)).all()
        place = connection.scalar(select(ItemRow.place).where(ItemRow.id == number))
    assert tuple(scores) == item.handout.panels
    assert place is not None and place < 0  # it counts in no result
