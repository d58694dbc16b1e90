"""Gold items that stop a rater: off by default, after the rater has gone on, and lifted by a person."""

from typing import Any

import pytest

from core.studies.results.methods import paragraph
from storage.rating.assignment.exclusion import failed_gold
from storage.rating.rater_quality.quality_settings import RaterQualitySettings
from storage.rating.results.ratings import ratings_table
from storage.study_types import AssignedItem, Rater, Study
from tests.making import CRITERIA, import_rows, make_study, rating, rows
from ui.services.studies import controls as services
from ui.services.studies.study_results import design
from ui.services.workplace import Workplace


@pytest.fixture
def many(workplace: Workplace, tmp_path: Any) -> Workplace:
    """Thirty samples with a picture each."""
    import_rows(workplace, tmp_path / "files", rows(30, ("ZorkScore",)))
    return workplace


def watched(many: Workplace, stop: int | None, **request: Any) -> Study:
    study = make_study(many, size=20, **request)
    services.approve(many, study, "gold", services.proposed(many, study, "swapped", 6, 1), "ada")
    many.repository.quality.set_watch(study.id, RaterQualitySettings(2, None, stop))
    return study


def answer(many: Workplace, rater: Rater, item: AssignedItem, point: int) -> None:
    saves = [rating(item, criterion, point) for criterion in CRITERIA]
    assert set(many.repository.save(rater, saves)) == {None}


def play(many: Workplace, study: Study, rater: Rater, point: int = 4, most: int = 30) -> list[AssignedItem]:
    """Answer item after item with this point until the server gives no more."""
    given: list[AssignedItem] = []
    while len(given) < most and (items := many.repository.desk.queue(study.id, rater, None, 1).items):
        answer(many, rater, items[0], point)
        given += items
    return given


def failed(many: Workplace, study: Study, rater: Rater) -> int:
    with many.repository.database.read() as connection:
        return len(failed_gold(connection, study.id, rater))


@pytest.mark.parametrize("shared", [{}, {"raters_per_item": 1}])
def test_a_rater_stops_after_as_many_failed_gold_items_as_the_study_allows(
    many: Workplace, shared: dict[str, int]
) -> None:
    study, rater = watched(many, 2, **shared), many.repository.raters.add("A1")
    given = play(many, study, rater)
    assert len(given) < 12 and failed(many, study, rater) == 2
    assert many.repository.desk.queue(study.id, rater).stopped == "failed_gold"
    assert many.repository.desk.standing(study.id, rater) == "failed_gold"
    records = list(many.repository.studies.records(study.id))
    assert len(records) == 3 * len(given)  # every answer is kept
    assert {one.left_out for one in records} == {"gold", "rater excluded: failed 2 gold items"}
    excluded = [one for one in records if one.left_out != "gold"]
    with many.repository.database.read() as connection:
        words = paragraph(design(many, study), ratings_table(connection, study.id))
    assert f"Excluded: {len(excluded)} answers by A1: rater excluded: failed 2 gold items." in words
    assert "A rater was stopped and excluded after 2 failed gold items." in words


def test_no_rater_is_stopped_by_default_and_right_answers_stop_nobody(many: Workplace) -> None:
    study, rater = watched(many, None), many.repository.raters.add("A1")
    assert RaterQualitySettings().stop_after_gold is None
    assert len(play(many, study, rater)) == 26 and failed(many, study, rater) == 6
    careful, looking = watched(many, 1, name="careful"), many.repository.raters.add("B2")
    assert len(play(many, careful, looking, point=1)) == 26 and failed(many, careful, looking) == 0


def test_a_rater_may_correct_a_gold_item_before_going_on(many: Workplace) -> None:
    study, rater = watched(many, 1), many.repository.raters.add("A1")
    while not failed(many, study, rater):
        (item,) = many.repository.desk.queue(study.id, rater, None, 1).items
        answer(many, rater, item, 4)
    assert many.repository.desk.standing(study.id, rater) is None  # the gold item is the newest one
    answer(many, rater, item, 1)
    play(many, study, rater, point=1, most=1)
    assert many.repository.desk.standing(study.id, rater) is None
    play(many, study, rater, point=4)
    assert many.repository.desk.standing(study.id, rater) == "failed_gold"


def test_a_person_lifts_the_stop_and_gold_stops_this_rater_no_more(many: Workplace) -> None:
    study, rater = watched(many, 1), many.repository.raters.add("A1")
    stopped_after = len(play(many, study, rater))
    many.repository.life.include(study.id, "A1")
    assert many.repository.desk.standing(study.id, rater) is None
    assert stopped_after + len(play(many, study, rater)) == 26
    assert {one.left_out for one in many.repository.studies.records(study.id)} == {"", "gold"}


def test_a_rater_whom_a_person_excluded_keeps_that_reason(many: Workplace) -> None:
    study, rater = watched(many, 1), many.repository.raters.add("A1")
    items = many.repository.desk.queue(study.id, rater, None, 20).items
    answer(many, rater, items[0], 4)
    many.repository.life.exclude(study.id, "A1", "asked me to")
    for item in items[1:]:  # they were in the browser already
        answer(many, rater, item, 4)
    assert many.repository.desk.standing(study.id, rater) == "excluded"
    assert {one.left_out for one in many.repository.studies.records(study.id)} <= {
        "gold",
        "rater excluded: asked me to",
    }


def test_a_copy_of_a_study_keeps_the_rule(many: Workplace) -> None:
    study = watched(many, 3)
    copy = many.repository.life.duplicate(study.id, "copy")
    assert many.repository.quality.watch(copy).stop_after_gold == 3
