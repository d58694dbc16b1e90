"""What a rater is told before they start is what they meet, to the last raters of a study that is nearly full."""

import random
from typing import Any

import pytest

from core.studies.planning.gold import Workload
from storage.study_types import Rater, Study
from tests.making import import_rows, make_study, rows
from tests.storage.rating.test_gold import answer, items_of, met
from tests.storage.rating.test_released_items import hours_pass
from ui.services.studies import gold as services
from ui.services.workplace import Workplace


@pytest.fixture
def many(workplace: Workplace, tmp_path: Any) -> Workplace:
    """Forty samples with a picture each."""
    import_rows(workplace, tmp_path / "files", rows(40, ("ZorkScore",)))
    return workplace


def nearly(many: Workplace, size: int, an_item: int | None, own: int | None, **settled: Any) -> Study:
    """Return a study with practice and gold."""
    design = {"raters_per_item": an_item, "items_per_rater": own, "practice": 2, "gold_every": 4, **settled}
    study = make_study(many, f"nearly {size} {an_item} {own}", size=size + 2, **design)
    services.approve(many, study, services.proposed(many, study, "swapped", 3, 1), "ada")
    return study


def raters(many: Workplace, number: int) -> list[Rater]:
    return [many.repository.raters.add(f"R{number}") for number in range(number)]


@pytest.mark.parametrize(
    ("size", "an_item", "own", "settled"),
    [
        (16, 2, 12, {}),  # the third rater finds 16 × 2 − 2 × 12 = 8 places, the fourth none
        (15, 1, 14, {}),  # the second finds one item
        (20, 3, None, {}),
        (20, None, None, {}),
        (20, None, 13, {}),
    ],
)
def test_every_rater_to_the_last_meets_exactly_what_the_server_told(
    many: Workplace, size: int, an_item: int | None, own: int | None, settled: dict[str, Any]
) -> None:
    study, told = nearly(many, size, an_item, own, **settled), []
    for rater in raters(many, 5):
        before = many.repository.desk.outlook(study.id)
        assert before == many.repository.desk.outlook(study.id, rater)  # a code alone changes nothing
        found = met(many, study, rater)
        assert found == before.left
        after = many.repository.desk.outlook(study.id, rater)
        assert (after.left, after.done) == (Workload(0), found.rated)
        told.append(before.left.items)
    if an_item is not None:
        assert settled or sum(told) == size * an_item


@pytest.mark.parametrize("seed", range(6))
def test_who_is_told_a_number_without_up_to_gets_it_though_another_rater_starts_in_between(
    many: Workplace, seed: int
) -> None:
    numbers = random.Random(seed)
    size, an_item, own = numbers.randint(8, 20), numbers.randint(1, 3), numbers.choice([None, 3, 6, 9])
    study, exact = nearly(many, size, an_item, own), 0
    for number in range(12):
        late, early = (many.repository.raters.add(f"{who}{number}") for who in "LE")
        told = many.repository.desk.outlook(study.id)
        items_of(many, study, early)
        found = met(many, study, late)
        assert found.items <= told.left.items
        exact += not told.is_most and found.items > 0
        if not told.is_most:
            assert found.items == told.left.items
    assert exact or own is None or size * an_item < 2 * own  # it is not always "up to"


def test_a_returning_rater_is_told_what_they_hold_and_what_is_free(many: Workplace) -> None:
    study = nearly(many, 12, 1, 12)
    first, second = raters(many, 2)
    items = items_of(many, study, first)
    full = many.repository.desk.outlook(study.id, first)
    assert (full.done, full.is_most, full.left.total) == (0, False, len(items))  # all are held, nobody takes them
    answer(many, first, items[:7])
    rest = many.repository.desk.outlook(study.id, first)
    assert (rest.done, rest.left.practice, rest.left.total) == (5, 0, len(items) - 7)
    assert many.repository.desk.outlook(study.id).left == Workload(0)
    many.repository.managing.release(study.id, "R0")
    again = many.repository.desk.outlook(study.id, first)
    assert (again.done, again.left, again.is_most) == (5, rest.left, True)  # the items are free: others may take them
    items_of(many, study, second)
    assert many.repository.desk.outlook(study.id, first).left.items == 0


def test_items_of_raters_who_gave_no_sign_of_life_are_free_for_the_next(many: Workplace) -> None:
    study = nearly(many, 6, 1, None)
    gone, late = raters(many, 2)
    items_of(many, study, gone)
    assert many.repository.desk.outlook(study.id).left.items == 0
    hours_pass(many, 1)
    told = many.repository.desk.outlook(study.id)
    assert (told.left.items, told.is_most) == (6, True)
    assert met(many, study, late) == told.left
