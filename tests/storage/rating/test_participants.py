"""What the database says about a study's participants, on SQLite and PostgreSQL."""

from typing import Any

import pytest

from core.studies.asking.questionnaire import questions_of
from core.studies.results.flow import participant_flow, stage_counts
from storage.study_types import Rater, Study
from tests.making import METRICS, answer_all, import_rows, make_study, rows
from tests.storage.rating.test_gold import answer, items_of
from ui.services.workplace import Workplace


def study_of(birds: Workplace, **request: Any) -> Study:
    """Return a study of one metric's explanations."""
    return make_study(birds, **{"metrics": METRICS[:1], "raters_per_item": 2, "size": 3} | request)


def states(birds: Workplace, study: Study) -> dict[str, str]:
    return {one.code: one.stage for one in birds.repository.studies.raters(study.id)}


def joined(birds: Workplace, study: Study, *codes: str) -> list[Rater]:
    raters = [birds.repository.raters.add(code) for code in codes]
    for rater in raters:
        birds.repository.desk.queue(study.id, rater)
    return raters


def test_a_rater_goes_from_arrived_to_finished_and_an_exclusion_hides_it(birds: Workplace) -> None:
    study = study_of(birds, raters_per_item=None)
    (rater,) = joined(birds, study, "A")
    assert states(birds, study) == {"A": "arrived"}
    answer(birds, rater, items_of(birds, study, rater)[:1])
    assert states(birds, study) == {"A": "rating"}
    answer_all(birds.repository, study, rater)
    assert states(birds, study) == {"A": "done"}
    birds.repository.managing.exclude(study.id, "A", "too fast")
    assert states(birds, study) == {"A": "excluded"}
    birds.repository.managing.include(study.id, "A")
    assert states(birds, study) == {"A": "done"}


def test_practice_comes_before_rating(workplace: Workplace, tmp_path: Any) -> None:
    import_rows(workplace, tmp_path / "files", rows(12, ("ZorkScore",)))
    study = make_study(workplace, size=6, practice=2)
    (rater,) = joined(workplace, study, "A")
    items = items_of(workplace, study, rater)
    assert states(workplace, study) == {"A": "practising"}
    answer(workplace, rater, items[:2])  # the practice
    assert states(workplace, study) == {"A": "practising"}
    answer(workplace, rater, items[2:3])
    assert states(workplace, study) == {"A": "rating"}
    answer(workplace, rater, items[3:])
    assert states(workplace, study) == {"A": "done"}


def test_who_has_none_left_has_finished_but_not_who_gave_items_back(birds: Workplace) -> None:
    study = study_of(birds, raters_per_item=1)
    first, second = joined(birds, study, "A", "B")
    answer(birds, first, items_of(birds, study, first)[:1])
    assert birds.repository.managing.release(study.id, "A") == 2
    answer_all(birds.repository, study, second)
    assert states(birds, study) == {"A": "rating", "B": "done"}


@pytest.mark.parametrize("raters_per_item", [1, None])
def test_a_rater_who_leaves_is_returned_everywhere(birds: Workplace, raters_per_item: int | None) -> None:
    study = study_of(birds, raters_per_item=raters_per_item)
    (rater,) = joined(birds, study, "A")
    answer(birds, rater, items_of(birds, study, rater)[:1])
    birds.repository.managing.release(study.id, "A")
    (progress,) = birds.repository.studies.raters(study.id)
    assert (progress.done, progress.total, progress.returned_at) == (1, 3, None)
    birds.repository.visits.leave(study.id, rater)  # also without open items
    assert states(birds, study) == {"A": "returned"}
    people = birds.repository.studies.raters(study.id)
    assert {step.step: step.participants for step in participant_flow(people)}["returned"] == 1
    (progress,) = birds.repository.studies.raters(study.id)
    assert (progress.done, progress.total, progress.returned_at is None) == (1, 3, False)
    assert birds.repository.visits.stage(study.id, rater) == "returned"


def test_questions_before_screen_out_and_questions_after_belong_to_finishing(birds: Workplace) -> None:
    study, visits = study_of(birds, raters_per_item=None), birds.repository.visits
    asked = {"before": questions_of("Do you see colours? = yes / no!"), "after": questions_of("How was it?")}
    birds.repository.studies.settle(study.id, **asked)
    inside, outside, gone = (birds.repository.raters.add(code) for code in ("IN", "OUT", "GONE"))
    visits.answer(study.id, outside, None, ["no"])
    visits.answer(study.id, inside, None, ["yes"])
    visits.leave(study.id, gone)
    answer_all(birds.repository, study, inside)
    assert states(birds, study) == {"IN": "rating", "OUT": "screened_out", "GONE": "returned"}
    visits.answer(study.id, inside, birds.repository.desk.queue(study.id, inside), ["well"])
    people = birds.repository.studies.raters(study.id)
    assert stage_counts(people) | {"done": 1, "screened_out": 1, "returned": 1} == stage_counts(people)
    told = {step.step: step.participants for step in participant_flow(people)}
    assert (told["arrived"], told["screened out"], told["returned"]) == (3, 1, 1)
