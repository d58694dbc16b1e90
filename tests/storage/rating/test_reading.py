"""What a study's duration is estimated from."""

import pytest

from core.studies.design import StudyDesign
from tests.making import make_study, rating
from ui.services.studies import study_actions as services
from ui.services.workplace import Workplace


def test_words_and_sentences_are_those_of_the_items(birds: Workplace) -> None:
    study = make_study(birds, form="expert-single")
    reading = birds.repository.studies.reading([study.id])[study.id]
    # a caption of 5 words; explanations of 4 words, or of 3 × 4 words
    assert reading.words == pytest.approx(5 + (4 + 12 + 12) / 3)
    assert reading.references == pytest.approx(5)
    assert (reading.panels, reading.divided, reading.learnt) == (1, pytest.approx(2 / 3), None)


@pytest.mark.parametrize("form", ["expert-single", "expert-side-by-side", "thumb"])
def test_a_plan_says_what_its_study_will(birds: Workplace, form: str) -> None:
    plan = services.plan(birds, StudyDesign("planned", "birds", seed=7, form=form))
    planned = birds.repository.studies.plan_reading(plan)
    study = make_study(birds, form=form)
    stored = birds.repository.studies.reading([study.id])[study.id]
    for name in ("words", "references", "panels"):
        assert getattr(planned, name) == pytest.approx(getattr(stored, name)), name


def test_the_time_is_learnt_from_thirty_rated_items(birds: Workplace) -> None:
    repository = birds.repository
    study = make_study(birds, form="thumb", metrics=(), size=4)
    for number in range(8):
        assert repository.studies.reading([study.id])[study.id].learnt is None
        rater = repository.raters.add(f"K{number}")
        for item in repository.desk.queue(study.id, rater, 1, 20).items:
            times = {"precision": 5_000, "recall": 1000 * (20 + number)}  # the last answer says how long an item took
            repository.save(rater, [rating(item, key, 2, in_sight_ms=ms) for key, ms in times.items()])
    assert repository.studies.reading([study.id])[study.id].learnt == pytest.approx(23.5)
    repository.managing.exclude(study.id, "K7", "too fast")
    assert repository.studies.reading([study.id])[study.id].learnt is None
