"""Gold and practice among a rater's items: given, told to nobody, counted nowhere."""

from typing import Any

import numpy as np
import pytest

from core.errors import NotEnoughSamples, NotFound
from core.studies.planning.gold import Proposal, Workload
from storage.study_types import AssignedItem, Rater, Study
from tests.making import CRITERIA, import_rows, make_study, rating, rows
from ui.services.studies import gold as services
from ui.services.studies.study_actions import rater_table
from ui.services.workplace import Workplace


@pytest.fixture
def many(workplace: Workplace, tmp_path: Any) -> Workplace:
    """Forty samples with a picture each."""
    import_rows(workplace, tmp_path / "files", rows(40, ("ZorkScore",)))
    return workplace


def watched(many: Workplace, gold: int = 4, practice: int = 0, every: int = 5) -> Study:
    study = make_study(many, size=30 + practice, practice=practice, gold_every=every)
    if gold:
        services.approve(many, study, services.proposed(many, study, "swapped", gold, 1), "ada")
    return study


def items_of(many: Workplace, study: Study, rater: Rater, count: int = 60) -> list[AssignedItem]:
    found: list[AssignedItem] = []
    while len(found) < count:
        items = many.repository.desk.queue(study.id, rater, len(found) + 1, 20).items
        if not items:
            break
        found += items
    return found


ROLES = ("item", "gold", "practice")


def answer(many: Workplace, rater: Rater, items: list[AssignedItem], point: int = 3) -> None:
    saves = [rating(item, criterion, point, in_sight_ms=9000) for item in items for criterion in CRITERIA]
    assert set(many.repository.save(rater, saves)) <= {None}


def roles(many: Workplace, study: Study) -> list[str]:
    ratings = many.repository.studies.ratings(study.id).sort_values("place")
    return list(ratings.drop_duplicates(["rater", "place"])["role"])


def test_a_rater_gets_every_item_and_gold_in_between(many: Workplace) -> None:
    study, rater = watched(many), many.repository.raters.add("A1")
    promised = many.repository.desk.queue(study.id, rater).total
    items = items_of(many, study, rater)
    assert len(items) == many.repository.desk.queue(study.id, rater).total == promised
    assert [item.place for item in items] == list(range(1, len(items) + 1))
    assert not any(item.practice for item in items)
    answer(many, rater, items)
    found = roles(many, study)
    assert found.count("item") == 30 and found.count("gold") == 4
    (progress,) = many.repository.studies.raters(study.id)
    assert (progress.done, progress.total) == (30, 30)  # of the study's own


def test_gold_is_passed_by_who_sees_that_it_is_wrong(many: Workplace) -> None:
    study = watched(many)
    careful, careless = (many.repository.raters.add(code) for code in ("A1", "B2"))
    answer(many, careful, items_of(many, study, careful), 2)
    answer(many, careless, items_of(many, study, careless), 4)
    assert [(one.gold, one.gold_right) for one in rater_table(many, study).rows] == [(4, 4), (4, 0)]
    (first, *_) = many.repository.gold.all(study.id)
    many.repository.gold.retire(study.id, first.item)
    assert [one.gold for one in rater_table(many, study).rows] == [3, 3]


def test_what_was_put_in_counts_in_no_result_and_exports_say_what_it_is(many: Workplace) -> None:
    study, rater = watched(many, practice=2), many.repository.raters.add("A1")
    before = many.repository.studies.get(study.id)
    answer(many, rater, items_of(many, study, rater))
    assert many.repository.studies.get(study.id) == before
    records = list(many.repository.studies.records(study.id))
    by_role = {role: [one for one in records if one.role == role] for role in ROLES}
    assert all(by_role.values())
    assert {one.left_out for one in by_role["item"]} == {""}
    assert all(one.left_out == role for role in ROLES[1:] for one in by_role[role])
    assert len(by_role["item"]) == 90
    assert all(one.item in range(1, 31) for one in by_role["item"])
    assert all(one.item < 0 for role in ("gold", "practice") for one in by_role[role])
    points = many.repository.analysis.mean_points("birds", "factuality", np.arange(1, 41))
    rated = {one.sample for one in by_role["item"]}
    assert sum(point == point for point in points) == len(rated)


def test_a_turned_score_is_shown_turned_and_exported_as_it_was_shown(many: Workplace) -> None:
    study, rater = watched(many, gold=0), many.repository.raters.add("A1")
    services.approve(many, study, services.proposed(many, study, "turned", 1, 1), "ada")
    (control,) = many.repository.gold.all(study.id)
    items = items_of(many, study, rater)
    answer(many, rater, items)
    ratings = many.repository.studies.ratings(study.id)
    (place,) = set(ratings.loc[ratings["role"] == "gold", "place"])
    first = items[place - 1]
    (plain,), (shown,) = (many.repository.gold.shown(control.scores, turned) for turned in (False, True))
    assert first.panels[0].value == shown.value == pytest.approx(1 - plain.value)
    (record, *_) = [one for one in many.repository.studies.records(study.id) if one.role == "gold"]
    assert record.score == pytest.approx(shown.value)


def test_the_first_items_are_practice_for_every_rater_and_the_others_count(many: Workplace) -> None:
    study, found = watched(many, gold=0, practice=2), []
    for code in ("A1", "B2"):
        rater = many.repository.raters.add(code)
        items = items_of(many, study, rater)
        assert [item.practice for item in items[:3]] == [True, True, False] and len(items) == 32
        found.append([item.caption for item in items[:2]])
    assert found[0] == found[1] and many.repository.studies.get(study.id).items == 30
    with pytest.raises(NotEnoughSamples, match="it cannot have 30 for practice"):
        make_study(many, "all practice", size=30, practice=30)


def test_where_raters_share_items_each_still_reaches_its_number_and_gold_is_everybodys(many: Workplace) -> None:
    study = make_study(many, "shared", size=20, raters_per_item=2)
    services.approve(many, study, services.proposed(many, study, "swapped", 3, 1), "ada")
    many.repository.studies.settle(study.id, gold_every=3)
    for code in ("A1", "B2", "C3", "D4"):
        rater = many.repository.raters.add(code)
        answer(many, rater, items_of(many, study, rater, 13))
    records = [one for one in many.repository.studies.records(study.id) if one.criterion == "factuality"]
    own = [one.item for one in records if one.role == "item"]
    assert sorted(own) == sorted(list(range(1, 21)) * 2)
    assert {one.rater for one in records if one.role == "gold"} >= {"A1", "B2", "C3"}


def quota(
    many: Workplace,
    own: int = 12,
    size: int = 36,
    every: int = 5,
) -> Study:
    """Return a study whose raters each get so many items that count, and two for practice."""
    design = {"raters_per_item": 20, "items_per_rater": own, "practice": 2, "gold_every": every}
    study = make_study(many, f"quota {own} {size}", size=size, **design)
    services.approve(many, study, services.proposed(many, study, "swapped", 6, 1), "ada")
    return study


def met(many: Workplace, study: Study, rater: Rater) -> Workload:
    """Rate everything that a rater gets, and return what that was."""
    answer(many, rater, items_of(many, study, rater))
    mine = [one for one in many.repository.studies.records(study.id) if one.rater == rater.code]
    by_role = [len({one.item for one in mine if one.role == role}) for role in ("item", "practice", "gold")]
    return Workload(*by_role)


def test_a_returning_rater_does_the_practice_that_is_open(many: Workplace) -> None:
    study, rater = quota(many), many.repository.raters.add("A1")
    items = items_of(many, study, rater)
    assert [item.practice for item in items[:3]] == [True, True, False]
    assert many.repository.managing.release(study.id, "A1") == len(items)
    queue = many.repository.desk.queue(study.id, rater, 1, 20)
    assert queue.practice == (1, 2)
    assert [item.practice for item in queue.items] == [item.practice for item in items]
    assert {item.id for item in queue.items} == {item.id for item in items}
    answer(many, rater, [item for item in queue.items if item.place != 2][:4])  # one practice item stays open
    many.repository.managing.release(study.id, "A1")
    queue = many.repository.desk.queue(study.id, rater, None, 20)
    assert queue.resume == 5 and queue.practice == (1, 5)
    assert queue.items[0].practice and queue.items[0].id == items[1].id
    assert met(many, study, rater) == study.workload(many.repository.studies.controls(study.id))


def test_no_picture_is_shown_by_two_gold_items(many: Workplace) -> None:
    study = make_study(many, size=10)
    services.approve(many, study, services.proposed(many, study, "swapped", 40, 1), "ada")
    gold = many.repository.gold.all(study.id)
    assert len({many.repository.samples.get(one.sample).image_id for one in gold}) == len(gold) == 40
    with pytest.raises(NotEnoughSamples):
        services.proposed(many, study, "turned", 1, 1)


def test_only_what_the_study_can_show_is_approved_and_only_gold_is_retired(many: Workplace) -> None:
    study, gold = watched(many, gold=1), many.repository.gold
    for bad in (Proposal("swapped", 999, (1,)), Proposal("swapped", 1, (999,)), Proposal("swapped", 1, ())):
        with pytest.raises(NotFound):
            gold.approve(study.id, [(bad, 2)], "ada")
    with pytest.raises(NotFound):
        gold.retire(study.id, 1)  # one of the study's own items
    assert len(gold.all(study.id)) == 1
