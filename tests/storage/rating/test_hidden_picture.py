"""Pictures are given, and answers about them taken, only once everything judged without them is stored."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from core.errors import Veiled
from core.studies.asking.criteria import NO_PICTURE
from core.studies.asking.form_file import form_named
from storage.engine.database import utc_now
from storage.study_types import AssignedItem, Rater, Save, Study
from storage.tables import EventRow
from tests.making import answer_all, import_rows, make_study, rating, reveal, rows
from ui.services.studies import study_actions as services
from ui.services.studies.study_results import study_results
from ui.services.workplace import Workplace


def first_item(workplace: Workplace, study: Study, rater: Rater) -> AssignedItem:
    (item,) = workplace.repository.desk.queue(study.id, rater, 1, 1).items
    return item


def test_the_picture_is_refused_until_every_explanations_consistency_is_stored(birds: Workplace) -> None:
    repository = birds.repository
    study, rater = make_study(birds, form="expert-side-by-side", size=1), repository.raters.add("K7")
    item = first_item(birds, study, rater)
    for place in (1, 2, 3):
        assert not first_item(birds, study, rater).open
        with pytest.raises(Veiled):
            repository.desk.image(item.id, rater)
        assert refusals(birds, rater, rating(item, "factuality", panel=1)) == ["Veiled"]
        repository.save(rater, [rating(item, panel=place), rating(item, "consistency", panel=place)])
    assert first_item(birds, study, rater).open
    assert repository.desk.image(item.id, rater).sha256 is not None


def test_saying_that_the_veil_is_off_does_not_lift_it(birds: Workplace) -> None:
    study, rater = make_study(birds, size=1), birds.repository.raters.add("K7")
    item = first_item(birds, study, rater)
    birds.repository.save(rater, [reveal(item)])
    with pytest.raises(Veiled):
        birds.repository.desk.image(item.id, rater)


def refusals(workplace: Workplace, rater: Rater, *saves: Save) -> list[str | None]:
    return [problem and type(problem).__name__ for problem in workplace.repository.save(rater, saves)]


def events(workplace: Workplace) -> int:
    with workplace.repository.database.read() as connection:
        return connection.scalar(select(func.count()).select_from(EventRow)) or 0


def test_a_question_that_needs_the_picture_is_refused_under_the_veil_and_nothing_is_stored(birds: Workplace) -> None:
    study, rater = make_study(birds, size=1), birds.repository.raters.add("K7")
    item = first_item(birds, study, rater)
    saves = [rating(item, "factuality", 3), rating(item, "informativeness", 0)]
    (factuality, informativeness) = birds.repository.save(rater, saves)
    assert isinstance(factuality, Veiled) and isinstance(informativeness, Veiled)
    assert str(factuality) == (
        "Factuality needs the picture, which is shown once Consistency is answered. Answer Consistency first."
    )
    assert (events(birds), dict(first_item(birds, study, rater).panels[0].answers)) == (0, {})
    assert refusals(birds, rater, rating(item, "consistency"), *saves) == [None, None, None]  # the same keys again


def test_a_form_may_say_that_a_question_does_not_need_the_picture(birds: Workplace) -> None:
    text = form_named("expert-single").text.replace(
        'key = "informativeness"', 'key = "informativeness"\nneeds_picture = false'
    )
    study, rater = make_study(birds, size=1, form_text=text), birds.repository.raters.add("K7")
    item = first_item(birds, study, rater)
    saves = [rating(item, "informativeness", 2), rating(item, "factuality", 2)]
    assert refusals(birds, rater, *saves) == [None, "Veiled"]
    assert not first_item(birds, study, rater).open


def missing_pictures(workplace: Workplace, folder: Path, count: int, missing: int) -> None:
    samples = [row | ({"image": f"missing-{n}.png"} if n < missing else {}) for n, row in enumerate(rows(count, ["M"]))]
    import_rows(workplace, folder, samples)


def test_where_the_picture_is_missing_no_picture_is_an_answer_of_its_own(workplace: Workplace, tmp_path: Path) -> None:
    missing_pictures(workplace, tmp_path, 1, 1)
    study, rater = make_study(workplace), workplace.repository.raters.add("K7")
    item = first_item(workplace, study, rater)
    given = {"factuality": NO_PICTURE, "informativeness": 0, "consistency": 4}
    saves = [rating(item, key, point) for key, point in given.items()]
    assert refusals(workplace, rater, *saves, rating(item, "consistency", NO_PICTURE)) == [None] * 3 + ["InvalidRating"]
    assert first_item(workplace, study, rater).finished
    records = list(workplace.repository.studies.records(study.id))
    assert {record.criterion: record.rating for record in records} == given
    assert {(record.picture_missing, record.picture_shown) for record in records} == {(True, False)}
    rows_of = {row.criterion: row for row in services.study_report(workplace, study).rows}
    assert (rows_of["factuality"].mean, rows_of["factuality"].abstain_rate, rows_of["factuality"].no_picture_rate) == (
        None,
        0,
        1,
    )
    assert (rows_of["informativeness"].abstain_rate, rows_of["informativeness"].no_picture_rate) == (1, 0)


@pytest.mark.parametrize(("missing", "told"), [(3, "No picture was shown"), (1, "; 1 of 3 items had no picture")])
def test_methods_speak_of_the_pictures_that_a_study_has(
    workplace: Workplace, tmp_path: Path, missing: int, told: str
) -> None:
    missing_pictures(workplace, tmp_path, 3, missing)
    study = make_study(workplace)
    answer_all(workplace.repository, study, workplace.repository.raters.add("K7"))
    found = study_results(workplace, study)
    assert told in found.paragraph
    assert ("picture was shown after the questions that need only the text were answered" in found.paragraph) == (
        missing < 3
    )


def test_answers_from_before_the_picture_are_marked_in_export_and_methods(birds: Workplace) -> None:
    study, rater = make_study(birds, size=1, metrics=("ZorkScore",)), birds.repository.raters.add("K7")
    item = first_item(birds, study, rater)
    birds.repository.save(rater, [rating(item, "consistency", age_ms=9_000)])
    birds.repository.save(rater, [rating(item, "factuality", age_ms=8_000, picture_shown=False), reveal(item)])
    birds.repository.save(rater, [rating(item, "informativeness", picture_shown=True)])
    shown = {record.criterion: record.picture_shown for record in birds.repository.studies.records(study.id)}
    assert shown == {"consistency": False, "factuality": False, "informativeness": True}
    found = study_results(birds, study)
    told = "Raters gave 1 answer to Factuality before the picture was shown"
    assert f" {told}. " in found.paragraph


@pytest.mark.parametrize("closing", ["closed", "deadline", "paused"])
def test_answers_that_arrive_after_closing_are_stored_and_marked(birds: Workplace, closing: str) -> None:
    study, rater = make_study(birds, size=2, metrics=("ZorkScore",), veil=False), birds.repository.raters.add("K7")
    item = first_item(birds, study, rater)
    assert refusals(birds, rater, rating(item, "consistency")) == [None]
    if closing == "deadline":
        birds.repository.studies.settle(study.id, deadline=utc_now() - timedelta(minutes=1))
    else:
        birds.repository.studies.step(study.id, closing)  # type: ignore[arg-type]
    assert refusals(birds, rater, rating(item, "factuality", age_ms=60_000)) == [None]
    late = {record.criterion: record.late for record in birds.repository.studies.records(study.id)}
    assert late == {"consistency": False, "factuality": closing != "paused"}
    told = "1 answer by K7 arrived after the study had closed" in study_results(birds, study).paragraph
    assert told == (closing != "paused")
