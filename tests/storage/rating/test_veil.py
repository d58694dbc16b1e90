"""A picture is given only once everything is stored that is judged without it."""

from pathlib import Path

import pytest

from core.errors import Veiled
from storage.types import AssignedItem, Rater, Study
from tests.making import import_rows, make_study, rating, reveal, rows
from ui.services.workplace import Workplace


def first_item(workplace: Workplace, study: Study, rater: Rater) -> AssignedItem:
    (item,) = workplace.repository.desk.queue(study.id, rater, 1, 1).items
    return item


def test_the_picture_is_refused_until_every_explanations_consistency_is_stored(birds: Workplace) -> None:
    repository = birds.repository
    study, rater = make_study(birds, form="side_by_side", size=1), repository.raters.add("K7")
    item = first_item(birds, study, rater)
    for place in (1, 2, 3):
        assert not first_item(birds, study, rater).open
        with pytest.raises(Veiled):
            repository.desk.image(item.id, rater)
        repository.save(rater, [rating(item, panel=place), rating(item, "consistency", panel=place)])
    assert first_item(birds, study, rater).open
    assert repository.desk.image(item.id, rater).sha256 is not None


def test_saying_that_the_veil_is_off_does_not_lift_it(birds: Workplace) -> None:
    study, rater = make_study(birds, size=1), birds.repository.raters.add("K7")
    item = first_item(birds, study, rater)
    birds.repository.save(rater, [reveal(item)])
    with pytest.raises(Veiled):
        birds.repository.desk.image(item.id, rater)


@pytest.mark.parametrize("options", [{"veil": False}, {"criteria": ("factuality",)}])
def test_without_a_veil_or_what_would_need_one_pictures_are_open(birds: Workplace, options: dict) -> None:
    study, rater = make_study(birds, size=1, **options), birds.repository.raters.add("K7")
    item = first_item(birds, study, rater)
    assert item.open and birds.repository.desk.image(item.id, rater).sha256 is not None


def test_factuality_can_be_abstained_from_where_the_picture_is_missing(workplace: Workplace, tmp_path: Path) -> None:
    import_rows(workplace, tmp_path, [sample | {"image": "missing.png"} for sample in rows(1, ["M"])])
    study, rater = make_study(workplace), workplace.repository.raters.add("K7")
    item = first_item(workplace, study, rater)
    given = [rating(item, "factuality", 0), rating(item, "informativeness", 0), rating(item, "consistency", 0)]
    problems = workplace.repository.save(rater, given)
    assert [problem is None for problem in problems] == [True, True, False]
    workplace.repository.save(rater, [rating(item, "consistency", 4)])
    assert first_item(workplace, study, rater).finished
    assert {r.criterion: r.rating for r in workplace.repository.studies.records(study.id)}["factuality"] == 0
