import re

import pytest

from core.errors import BadSetting, InvalidRating, NotEnoughSamples
from core.studies.asking.form_file import form_named
from storage.study_types import AssignedItem, Rater, Study
from tests.making import PAIRED_EXPLANATIONS, make_study, rating
from ui.services.studies import study_actions as services
from ui.services.workplace import Workplace

OWN = re.sub(r'key = "thumb"', 'key = "mine"', form_named("thumb").text)


def items_of(birds: Workplace, study: Study, rater: Rater) -> tuple[AssignedItem, ...]:
    return birds.repository.desk.queue(study.id, rater, 1, 20).items


def test_a_study_keeps_the_text_of_its_form_when_the_file_changes(birds: Workplace) -> None:
    first = make_study(birds, "first", form_text=OWN)
    changed = make_study(birds, "changed", form_text=OWN.replace("How exact", "How very exact"))
    assert first.asks.key == changed.asks.key == "mine"
    stored = {study.name: study for study in birds.repository.studies.all()}
    assert stored["first"].asks.text == OWN and stored["first"].asks.sha256 == first.asks.sha256
    assert stored["changed"].asks.criteria[0].question.startswith("How very exact")
    assert stored["first"].asks.criteria[0].question.startswith("How exact")


def test_a_forms_consent_and_questions_are_those_of_its_studies(birds: Workplace) -> None:
    study = make_study(birds, form_text=OWN + '\n[entry]\nconsent = "I agree."\nbefore = ["How old? = 18..99"]\n')
    entry = study.design.entry
    assert (entry.consent, [one.text for one in entry.before], entry.after) == ("I agree.", ["How old?"], ())


def test_a_study_may_ask_some_of_its_forms_criteria_in_another_order(birds: Workplace) -> None:
    study = make_study(birds, form="expert-single", criteria=("informativeness", "consistency"))
    assert study.design.criteria == ("informativeness", "consistency")
    assert tuple(one.key for one in study.asks.criteria) == study.design.criteria
    assert study.asks.sha256 == form_named("expert-single").sha256


def test_a_caption_is_rated_once_without_any_score_in_sight(birds: Workplace) -> None:
    study, rater = make_study(birds, form="hice-human-evaluation"), birds.repository.raters.add("K7")
    items = items_of(birds, study, rater)
    assert len(items) == study.items == len({item.caption for item in items}) and not study.design.veil
    (panel,) = items[0].panels
    assert (panel.value, panel.rationales, panel.caption) == (None, {}, None) and items[0].open
    saves = [rating(items[0], "correctness", 4), rating(items[0], "completeness", 2)]
    assert birds.repository.save(rater, saves) == (None, None)
    assert items_of(birds, study, rater)[0].finished
    found = list(birds.repository.studies.records(study.id))
    assert [(one.criterion, one.rating, one.metric, one.score, one.signature) for one in found] == [
        ("completeness", 2, "caption", None, ""),
        ("correctness", 4, "caption", None, ""),
    ]
    assert {one.caption for one in found} == {items[0].caption}
    (refused,) = birds.repository.save(rater, [rating(items[0], "correctness", 5)])
    assert isinstance(refused, InvalidRating)


@pytest.mark.parametrize("hidden", ["score", "explanation", "references"])
def test_what_a_form_hides_is_not_sent_to_its_raters(birds: Workplace, hidden: str) -> None:
    shown = "[shows]\nreferences = true\n"
    text = form_named("expert-single").text.replace("[shows]\n", "[shows]\n" if hidden == "references" else shown)
    study = make_study(birds, form_text=text.replace(f"{hidden} = true", f"{hidden} = false"))
    items = items_of(birds, study, birds.repository.raters.add("K7"))
    sent = {(bool(one.references), one.panels[0].value is not None, bool(one.panels[0].rationales)) for one in items}
    assert sent == {(hidden != "references", hidden != "score", hidden != "explanation")}


def test_of_two_explanations_that_are_compared_each_gets_a_point_and_both_orders_occur(birds: Workplace) -> None:
    study, rater = make_study(birds, form_text=PAIRED_EXPLANATIONS), birds.repository.raters.add("K7")
    items = items_of(birds, study, rater)
    assert {len(item.panels) for item in items} == {2}
    for item, point in zip(items, (1, 2, 3), strict=False):
        assert birds.repository.save(rater, [rating(item, "preference", point, panel=2)]) == (None,)
    after = items_of(birds, study, rater)
    answers = [tuple(panel.answers["preference"] for panel in item.panels) for item in after[:3]]
    assert answers == [(3, 1), (2, 2), (1, 3)] and [item.finished for item in after[:4]] == [True, True, True, False]
    birds.repository.save(rater, [rating(items[0], "preference", 3, panel=2)])
    assert [panel.answers["preference"] for panel in items_of(birds, study, rater)[0].panels] == [1, 3]
    (refused,) = birds.repository.save(rater, [rating(items[1], "preference", 3, panel=1)])
    assert "compares panel 2 with panel 1, so the answer must belong to panel 2 of 2" in str(refused)
    assert len(list(birds.repository.studies.records(study.id))) == 6
    assert {item.panels[0].rationales.keys() == {"overall"} for item in items} == {True, False}


def test_the_report_of_a_comparison_counts_who_was_better(birds: Workplace) -> None:
    study = make_study(birds, form_text=PAIRED_EXPLANATIONS, metrics=("BlimpCap", "ZorkScore"))
    for code in ("K7", "M3"):
        rater = birds.repository.raters.add(code)
        for item in items_of(birds, study, rater):
            is_zork = "overall" in item.panels[1].rationales
            birds.repository.save(rater, [rating(item, "preference", 3 if is_zork else 1, panel=2)])
    found = services.study_report(birds, study)
    assert {row.metric: row.mean for row in found.rows} == {"BlimpCap": 1.0, "ZorkScore": 3.0}
    (test,) = found.tests
    assert test.mean_difference in (2.0, -2.0) and test.n_items == study.items


def test_a_metric_that_meets_several_others_on_one_sample_is_reported_pair_by_pair(birds: Workplace) -> None:
    study = make_study(birds, form_text=PAIRED_EXPLANATIONS)
    for code in ("K7", "M3"):
        rater = birds.repository.raters.add(code)
        saves = [rating(item, "preference", 2, panel=2) for item in items_of(birds, study, rater)]
        assert set(birds.repository.save(rater, saves)) == {None}
    rows = services.counted_ratings(birds, study)
    assert len(rows) > 0 and not rows.duplicated(["unit", "label", "rater"]).any()
    assert {row.mean for row in services.study_report(birds, study).rows} == {2.0}


def test_two_captions_of_one_picture_stand_apart_from_it(birds: Workplace) -> None:
    with pytest.raises(NotEnoughSamples, match="two captions of one picture, but birds has none"):
        make_study(birds, form="pairwise-captions")
    for changes, words in (
        ({"metrics": ("BlimpCap",)}, "Remove the metrics"),
        ({"strata": "score"}, "strata by human score"),
    ):
        with pytest.raises(BadSetting, match=words):
            make_study(birds, form="thumb", **changes)
