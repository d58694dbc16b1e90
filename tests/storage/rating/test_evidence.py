import json

import pytest
from sqlalchemy import text

from core.errors import InvalidRating, NotYours
from core.studies.evidence import Judgement, Place
from storage.types import AssignedItem, Rater, Save, Study
from tests.making import make_study, note
from ui.services.workplace import Workplace

WRONG = {"verdict": "wrong", "start": 4, "end": 9, "kind": "object", "severity": "minor", "place": {"region": 2}}


def said(item: AssignedItem, sentence: int | None, what: object, **more: object) -> Save:
    kind = "whole" if sentence is None else "sentence"
    values = {"kind": kind, "panel": 1, "sentence": sentence, "said": what}
    return Save(**{"key": note(item, "").key, "assignment": item.id, "age_ms": 0} | values | more)


@pytest.fixture
def study(birds: Workplace) -> Study:
    return make_study(birds, form="evidence")


@pytest.fixture
def rater(birds: Workplace) -> Rater:
    return birds.repository.raters.add("K7")


def items_of(birds: Workplace, study: Study, rater: Rater) -> tuple[AssignedItem, ...]:
    return birds.repository.desk.queue(study.id, rater, 1, 20).items


def three_sentences(birds: Workplace, study: Study, rater: Rater) -> AssignedItem:
    return next(item for item in items_of(birds, study, rater) if len(item.panels[0].sentences) == 3)


def test_an_item_comes_with_its_sentences_cut_when_the_study_was_made(
    birds: Workplace, study: Study, rater: Rater
) -> None:
    item = three_sentences(birds, study, rater)
    (panel,) = item.panels
    assert [one.number for one in panel.sentences] == [1, 2, 3]
    assert [(one.aspect, one.text) for one in panel.sentences] == list(panel.rationales.items())
    assert {one.judgement for one in panel.sentences} == {None} and panel.remark is None
    with birds.repository.database.read() as connection:
        rows = connection.execute(text('SELECT start, "end", text, splitter FROM item_sentences')).all()
    assert all(row.end - row.start == len(row.text) and row.splitter == "marks-1" for row in rows)
    assert len(rows) == 3 * 2 * study.items // 3 + study.items // 3


def test_an_item_is_finished_once_all_is_said_of_every_sentence(birds: Workplace, study: Study, rater: Rater) -> None:
    item = three_sentences(birds, study, rater)

    def after(*saves: Save) -> AssignedItem:
        assert birds.repository.save(rater, list(saves)) == (None,) * len(saves)
        return next(one for one in items_of(birds, study, rater) if one.id == item.id)

    started = after(said(item, 1, {"verdict": "right"}), said(item, 2, {"verdict": "wrong"}))
    assert not after(said(item, 3, {"verdict": "beside"})).finished  # of the wrong one nothing more was said
    whole = after(said(item, 2, WRONG))
    assert whole.finished and not started.finished
    assert whole.panels[0].sentences[1].judgement == Judgement("wrong", 4, 9, "object", "minor", Place(region=2))
    changed = after(
        said(item, 2, {"verdict": "right", "hint_shown": True}),
        said(item, None, {"overlooked": [{"box": [0, 0, 0.5, 1]}], "no_fault": True}),
    )
    assert changed.panels[0].sentences[1].judgement == Judgement("right", hint_shown=True)
    assert changed.panels[0].remark is not None and changed.panels[0].remark.no_fault
    assert changed.panels[0].remark.overlooked[0].box == (0, 0, 0.5, 1)
    (progress,) = birds.repository.studies.progress(study.id)
    assert (progress.done, progress.last_seen is not None) == (1, True)


BAD = {
    "a verdict that there is none of": {"verdict": "maybe"},
    "words beyond the sentence": WRONG | {"end": 10_000},
    "words without an end": WRONG | {"end": None},
    "a kind of what is right": {"verdict": "right", "kind": "object"},
    "a box inside out": WRONG | {"place": {"box": [0.5, 0, 0.1, 1]}},
    "a box that is no number": WRONG | {"place": {"box": [float("nan"), 0, 0.1, 1]}},
    "a region and a box": WRONG | {"place": {"region": 1, "box": [0, 0, 1, 1]}},
    "a number as text": WRONG | {"start": "4"},
    "a name that means nothing": {"verdict": "right", "metric": "x"},
    "nothing": None,
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_said_of_a_sentence_is_refused_and_stores_nothing(
    birds: Workplace, study: Study, rater: Rater, case: str
) -> None:
    item = three_sentences(birds, study, rater)
    (refused,) = birds.repository.save(rater, [said(item, 1, BAD[case])])
    assert isinstance(refused, InvalidRating)
    assert three_sentences(birds, study, rater).panels[0].sentences[0].judgement is None


def test_a_sentence_that_is_none_and_another_raters_item_are_refused(
    birds: Workplace, study: Study, rater: Rater
) -> None:
    item = three_sentences(birds, study, rater)
    for number in (0, 4, None):
        (refused,) = birds.repository.save(rater, [said(item, number, {"verdict": "right"}, kind="sentence")])
        assert isinstance(refused, InvalidRating)
    with pytest.raises(NotYours):
        birds.repository.save(birds.repository.raters.add("M3"), [said(item, 1, {"verdict": "right"})])


def test_the_log_holds_everything_that_was_said_and_a_repeated_key_does_nothing(
    birds: Workplace, study: Study, rater: Rater
) -> None:
    item = three_sentences(birds, study, rater)
    first = said(item, 1, WRONG)
    birds.repository.save(rater, [first, said(item, 1, {"verdict": "right"}), first])
    with birds.repository.database.read() as connection:
        texts = connection.scalars(text("SELECT text FROM events WHERE kind = 'sentence' ORDER BY id")).all()
    assert [json.loads(one)["verdict"] for one in texts] == ["wrong", "right"]
    assert json.loads(texts[0])["place"]["region"] == 2 and json.loads(texts[0])["sentence"] == 1
    assert three_sentences(birds, study, rater).panels[0].sentences[0].judgement == Judgement("right")
