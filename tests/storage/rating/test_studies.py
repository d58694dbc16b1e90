import pytest

from core.errors import NotEnoughSamples, NotFound
from tests.making import CRITERIA, METRICS, make_study, note, rating
from ui.services.workplace import Workplace


def test_a_study_is_stored_as_it_was_asked_for(birds: Workplace) -> None:
    made = make_study(birds, form="expert-side-by-side", size=4, seed=11, raters_per_item=2, veil=False)
    assert birds.repository.studies.get(made.id) == birds.repository.studies.named("demo") == made
    assert (made.form, made.items, made.design.seed, made.design.raters_per_item, made.design.veil) == (
        "side_by_side",
        4,
        11,
        2,
        False,
    )
    assert (made.panels, made.metrics, made.design.criteria) == (3, tuple(sorted(METRICS)), CRITERIA)
    assert made.strata == (("all", 4),)


@pytest.mark.parametrize(
    ("request_", "error", "message"),
    [
        ({"dataset": "fish"}, NotFound, "no data set 'fish'. Data sets: birds"),
        (
            {"metrics": ("Nope",)},
            NotFound,
            "no explanations in words of Nope. Explanations: BlimpCap, QuuxEval, ZorkScore",
        ),
        ({"criteria": ("beauty",)}, NotFound, "no criterion 'beauty'"),
        ({"size": 19}, NotEnoughSamples, "all: 6 of 19"),
    ],
)
def test_a_study_that_cannot_be_made_leaves_nothing(birds: Workplace, request_, error, message) -> None:
    with pytest.raises(error, match=message):
        make_study(birds, **request_)
    assert birds.repository.studies.all() == ()


def test_records_say_everything_about_every_answer(birds: Workplace) -> None:
    study, rater = make_study(birds, form="expert-side-by-side", veil=False), birds.repository.raters.add("k7")
    (item,) = birds.repository.desk.queue(study.id, rater, None, 1).items
    birds.repository.save(rater, [rating(item, "informativeness", 0, panel=2), note(item, "dark")])
    (record,) = birds.repository.studies.records(study.id)
    number = int(record.sample.removeprefix("secretkey-"))
    assert (record.study, record.form, record.stratum, record.rater) == ("demo", "side_by_side", "all", "K7")
    assert (record.image, record.caption) == (f"secretpicture-{number}.png", item.caption)
    assert record.human == number / 5
    assert record.score == item.panels[1].value == (number + METRICS.index(record.metric) / 10) / 6
    assert record.signature.startswith(f"{record.metric}|source:imported|")
    assert (record.criterion, record.rating, record.panel_position) == ("informativeness", 0, 2)
    assert (record.image_shown_at, record.changed_after_image, record.note) == (None, False, "dark")
    assert 1 <= record.item <= 6
