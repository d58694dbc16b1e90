"""What a study's duration is estimated from."""

import pytest

from core.studies.planning.study_request import StudyRequest
from storage.study_types import AssignedItem, Save
from tests.making import make_study, note, rating
from ui.services.studies import study_actions as services
from ui.services.workplace import Workplace


def judged(item: AssignedItem, sentence: int, ms: int) -> Save:
    said = {"verdict": "right"}
    key = note(item, "").key
    return Save(
        key=key, assignment=item.id, age_ms=0, kind="sentence", panel=1, sentence=sentence, said=said, in_sight_ms=ms
    )


def test_words_and_sentences_are_those_of_the_items(birds: Workplace) -> None:
    study = make_study(birds, form="evidence")
    reading = birds.repository.studies.reading([study.id])[study.id]
    # a caption of 5 words; explanations of 4 words in 1 sentence, or of 3 × 4 words in 3
    assert reading.words == pytest.approx(5 + (4 + 12 + 12) / 3)
    assert reading.sentences == pytest.approx((1 + 3 + 3) / 3)
    assert reading.references == pytest.approx(5)
    assert (reading.panels, reading.divided, reading.learnt) == (1, pytest.approx(2 / 3), None)


@pytest.mark.parametrize("form", ["evidence", "single", "side_by_side", "thumb", "pairwise-explanations"])
def test_a_plan_says_what_its_study_will(birds: Workplace, form: str) -> None:
    plan = services.plan(birds, StudyRequest("planned", "birds", seed=7, form=form))
    planned = birds.repository.studies.plan_reading(plan)
    study = make_study(birds, form=form)
    stored = birds.repository.studies.reading([study.id])[study.id]
    for name in ("words", "references", "sentences", "panels"):
        assert getattr(planned, name) == pytest.approx(getattr(stored, name)), name


def test_a_compared_caption_is_read_once_each(birds: Workplace) -> None:
    study = make_study(birds, form="thumb")
    reading = birds.repository.studies.reading([study.id])[study.id]
    assert (reading.words, reading.panels, reading.divided) == (5, 1, 0)


def test_the_time_is_learnt_from_ten_raters_who_finished(birds: Workplace) -> None:
    repository = birds.repository
    study = make_study(birds, form="evidence", size=4)
    for number in range(11):
        assert repository.studies.reading([study.id])[study.id].learnt is None
        rater = repository.raters.add(f"K{number}")
        for place, item in enumerate(repository.desk.queue(study.id, rater, 1, 20).items):
            if number == 0 and place == 3:
                break  # the first rater does not finish
            sentences = [sentence.number for sentence in item.panels[0].sentences]
            ms = 1000 * (20 + number)  # the last sentence of an item says how long the item was in sight
            repository.save(rater, [judged(item, one, ms - (len(sentences) - one)) for one in sentences])
    assert repository.studies.reading([study.id])[study.id].learnt == pytest.approx(25.5)
    repository.life.exclude(study.id, "K10", "too fast")
    assert repository.studies.reading([study.id])[study.id].learnt is None


def test_ratings_teach_the_time_as_well(birds: Workplace) -> None:
    repository = birds.repository
    study = make_study(birds, form="thumb", metrics=(), size=3)
    for number in range(10):
        rater = repository.raters.add(f"K{number}")
        for item in repository.desk.queue(study.id, rater, 1, 20).items:
            repository.save(rater, [rating(item, key, 2, in_sight_ms=30_000) for key in ("precision", "recall")])
    assert repository.studies.reading([study.id])[study.id].learnt == pytest.approx(30)
