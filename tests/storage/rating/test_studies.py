import pytest

from core.errors import AlreadyExists, NotEnoughSamples, NotFound
from tests.making import CRITERIA, METRICS, answer_all, make_study, note, rating
from ui.services.studies import study_actions as services
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


def test_strata_and_seed_are_recorded(birds: Workplace) -> None:
    made = make_study(birds, strata="score", size=6, seed=3, metrics=("ZorkScore",))
    assert birds.repository.studies.get(made.id).strata == (("[0, 0.33)", 2), ("[0.33, 0.66)", 2), ("[0.66, 1]", 2))
    assert made.design.seed == 3


def test_the_draw_repeats_with_its_seed(birds: Workplace) -> None:
    studies = [make_study(birds, f"s{n}", size=5, seed=seed) for n, seed in enumerate((1, 1, 2))]
    rater = birds.repository.raters.add("K7")
    for study in studies:
        answer_all(birds.repository, study, rater)
    drawn = [[(r.sample, r.metric) for r in birds.repository.studies.records(study.id)] for study in studies]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_name_can_be_used_once(birds: Workplace) -> None:
    make_study(birds)
    with pytest.raises(AlreadyExists, match="A study named 'demo' already exists. Choose another name"):
        make_study(birds)
    assert len(birds.repository.studies.all()) == 1


def test_studies_are_listed_newest_first(birds: Workplace) -> None:
    names = [make_study(birds, name).name for name in ("a", "b", "c")]
    assert [study.name for study in birds.repository.studies.all()] == names[::-1]


def test_an_unknown_study_names_those_there_are(birds: Workplace) -> None:
    with pytest.raises(NotFound, match="'x'. There is no study yet"):
        birds.repository.studies.named("x")
    make_study(birds)
    with pytest.raises(NotFound, match="'x'. Studies: demo"):
        birds.repository.studies.named("x")
    with pytest.raises(NotFound):
        birds.repository.studies.get(99)


@pytest.mark.parametrize(
    ("request_", "error", "message"),
    [
        ({"dataset": "fish"}, NotFound, "no data set 'fish'. Data sets: birds"),
        ({"metrics": ("Nope",)}, NotFound, "no explanations of Nope. Explanations: BlimpCap, QuuxEval, ZorkScore"),
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


def test_records_say_of_each_answer_whether_regions_were_shown(birds: Workplace) -> None:
    study, rater = make_study(birds, overlay=True, size=1, metrics=METRICS[:1]), birds.repository.raters.add("K7")
    (item,) = birds.repository.desk.queue(study.id, rater, None, 1).items
    shown = {criterion: criterion != "consistency" for criterion in CRITERIA}
    birds.repository.save(rater, [rating(item, c, regions_shown=regions) for c, regions in shown.items()])
    assert {r.criterion: r.regions_shown for r in birds.repository.studies.records(study.id)} == shown
    birds.repository.save(rater, [rating(item, "consistency", 1, regions_shown=True)])
    assert all(record.regions_shown for record in birds.repository.studies.records(study.id))


def test_records_of_one_study_hold_no_other(birds: Workplace) -> None:
    rater = birds.repository.raters.add("K7")
    studies = [make_study(birds, name, size=2) for name in ("a", "b")]
    for study in studies:
        answer_all(birds.repository, study, rater)
    records = list(birds.repository.studies.records(studies[0].id))
    assert len(records) == 6
    assert {record.study for record in records} == {"a"}


def test_an_item_rated_in_two_studies_keeps_both_answers_apart(birds: Workplace) -> None:
    rater = birds.repository.raters.add("K7")
    for name, point in (("a", 1), ("b", 4)):
        answer_all(birds.repository, make_study(birds, name), rater, point)
    for name, point in (("a", 1), ("b", 4)):
        study = birds.repository.studies.named(name)
        assert {r.rating for r in birds.repository.studies.records(study.id)} == {point}


def test_progress_tells_how_far_every_rater_has_come(birds: Workplace) -> None:
    study = make_study(birds, size=4)
    assert birds.repository.studies.progress(study.id) == ()
    first, second = (birds.repository.raters.add(code) for code in ("ZZ", "AA"))
    (item,) = birds.repository.desk.queue(study.id, first, None, 1).items
    answers = [rating(item, c, in_sight_ms=ms) for c, ms in zip(CRITERIA, (10_000, 20_000, 30_000), strict=True)]
    birds.repository.save(first, answers)
    birds.repository.desk.queue(study.id, second)
    one, two = birds.repository.studies.progress(study.id)
    assert (one.code, one.done, one.total, one.minutes) == ("ZZ", 1, 4, 0.5)
    assert one.last_seen is not None
    assert (two.code, two.done, two.total, two.minutes, two.last_seen) == ("AA", 0, 4, 0.0, None)


def test_a_report_counts_abstentions_and_leaves_them_out_of_the_mean(birds: Workplace) -> None:
    study, rater = make_study(birds, metrics=("ZorkScore",), veil=False), birds.repository.raters.add("K7")
    items = birds.repository.desk.queue(study.id, rater, None, 6).items
    for item, point in zip(items, (0, 0, 4, 3, 3, 2), strict=True):
        birds.repository.save(rater, [rating(item, "informativeness", point)])
    (row,) = services.study_report(birds, study).rows
    assert (row.metric, row.criterion, row.n, row.mean, row.abstain_rate) == (
        "ZorkScore",
        "informativeness",
        4,
        3.0,
        pytest.approx(1 / 3),
    )
    assert row.sd == pytest.approx((2 / 3) ** 0.5)


def test_a_study_that_nobody_has_rated_reports_nothing(birds: Workplace) -> None:
    found = services.study_report(birds, make_study(birds))
    assert (found.rows, found.tests) == ((), ())
