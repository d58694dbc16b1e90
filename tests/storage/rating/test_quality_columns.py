import numpy as np

from core.studies.rater_quality.flags import Thresholds
from core.studies.rater_quality.measures import study_quality
from core.studies.rater_quality.types import ROLES
from storage.rating.rater_quality.quality_settings import RaterQualitySettings
from storage.study_types import Rater
from tests.making import CRITERIA, answer_all, make_study, rating
from ui.services.workplace import Workplace


def rate(birds: Workplace, study: int, rater: Rater, points: list[int], seconds: float = 20.0) -> None:
    """Answer one item after another, every question alike, each in so many seconds."""
    for place, point in enumerate(points, 1):
        (item,) = birds.repository.desk.queue(study, rater, place, 1).items
        for panel in item.panels:
            for criterion in CRITERIA:
                save = rating(item, criterion, point, panel=panel.place, in_sight_ms=int(1000 * seconds))
                assert birds.repository.save(rater, [save]) == (None,)


def test_answers_are_read_as_columns_in_the_order_of_their_raters_items(birds: Workplace) -> None:
    study = make_study(birds, metrics=("ZorkScore",))
    first, second = (birds.repository.raters.add(code) for code in ("A1", "B2"))
    rate(birds, study.id, second, [4, 4])
    rate(birds, study.id, first, [1, 2, 3])
    found = birds.repository.quality.columns(study.id)
    assert (found.codes, found.criteria) == (("B2", "A1"), CRITERIA)
    given, answers = found.given, found.answers
    rater = given.rater[answers.given]
    assert answers.point[rater == 1].tolist() == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert answers.criterion[rater == 0].tolist() == [0, 1, 2] * 2
    assert set(given.role.tolist()) == {ROLES.index("item")}
    assert set(given.words.tolist()) == {4}  # One paragraph about 0.25.
    assert set(given.seconds.tolist()) == {20.0}
    assert len(np.unique(answers.unit)) >= 3
    assert not answers.highest.any()


def test_an_explanation_that_two_raters_judge_is_one_unit(birds: Workplace) -> None:
    study = make_study(birds, form="side_by_side")
    for code in ("A1", "B2"):
        answer_all(birds.repository, study, birds.repository.raters.add(code), 3)
    found = birds.repository.quality.columns(study.id)
    assert len(np.unique(found.answers.unit)) == study.items * 3
    quality = study_quality(found.given, found.answers, [4, 4, 4], 2)
    assert [one.shared for one in quality.raters] == [study.items * 9] * 2
    assert set(found.given.words.tolist()) == {28}  # 4, and three aspects of 4 words twice


def test_a_study_that_nobody_has_begun_has_empty_columns(birds: Workplace) -> None:
    study = make_study(birds)
    found = birds.repository.quality.columns(study.id)
    assert (found.codes, len(found.answers.point), len(found.given.rater)) == ((), 0, 0)
    birds.repository.desk.queue(study.id, birds.repository.raters.add("A1"))
    found = birds.repository.quality.columns(study.id)
    assert study_quality(found.given, found.answers, [4, 4, 4], 1).raters[0].items == 0


def test_a_study_is_watched_as_somebody_has_said(birds: Workplace) -> None:
    study, quality = make_study(birds), birds.repository.quality
    assert quality.watch(study.id) == RaterQualitySettings()
    wanted = RaterQualitySettings(Thresholds(item_seconds=9.0), gold_every=None, repeat_every=12)
    quality.set_watch(study.id, wanted)
    assert quality.watch(study.id) == wanted
    quality.set_watch(study.id, RaterQualitySettings())
    assert quality.watch(study.id) == RaterQualitySettings()
