import json
from pathlib import Path

import pytest
from sqlalchemy import text

from core.errors import BadSetting, InvalidRating, NotYours
from core.studies.results.evidence import Judgement, Place
from storage.study_types import AssignedItem, Rater, Save, Study
from tests.making import make_study, note
from ui.services.studies import study_actions as services
from ui.services.studies.evidence_results import evidence_results
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
    assert changed.panels[0].sentences[1].judgement == Judgement("right")  # whether hints were given, the server says
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


def test_evidence_is_exported_a_row_a_sentence_and_reported_with_agreement(
    birds: Workplace, study: Study, rater: Rater, tmp_path: Path
) -> None:
    item = three_sentences(birds, study, rater)
    other = birds.repository.raters.add("M3")
    theirs = next(
        one
        for one in items_of(birds, study, other)
        if one.caption == item.caption and one.panels[0].rationales == item.panels[0].rationales
    )
    birds.repository.save(
        rater,
        [
            said(item, 1, {"verdict": "right"}),
            said(item, 2, WRONG),
            said(item, None, {"overlooked": [{"nowhere": True}], "no_fault": True}),
        ],
    )
    birds.repository.save(
        other,
        [
            said(theirs, 1, {"verdict": "wrong", "kind": "text", "severity": "major"}),
            said(theirs, 2, WRONG | {"place": {"box": [0, 0, 0.5, 0.1], "area": 0.05}}),
        ],
    )
    for suffix in (".csv", ".jsonl", ".parquet"):
        assert services.export_evidence(birds, study, tmp_path / f"evidence{suffix}") == 4
    rows = [json.loads(line) for line in (tmp_path / "evidence.jsonl").read_text().splitlines()]
    assert [(row["rater"], row["sentence"], row["verdict"], row["place"]) for row in rows] == [
        *(("K7", 1, "right", None), ("K7", 2, "wrong", "region")),
        *(("M3", 1, "wrong", None), ("M3", 2, "wrong", "box")),
    ]
    assert rows[1]["text"][rows[1]["words_start"] : rows[1]["words_end"]] == "relev"
    assert [(row["no_fault"], row["overlooked"], row["sentences"]) for row in rows[::3]] == [
        (True, 1, 3),
        (False, 0, 3),
    ]
    found = evidence_results(birds, study)
    assert found is not None and (found.judgements, found.raters) == (4, 2)
    shares = {(row.by, row.group): (row.count, row.n) for row in found.shares.rows}
    assert shares["verdict", "wrong"] == (3, 4) and shares["kind of error", "object"] == (2, 3)
    assert shares["position on the picture", "5 to 20 %"] == (1, 3) and shares["how bad", "major"] == (1, 3)
    agreed = {row.name: row.value for row in found.agreement.rows}
    assert agreed["specific agreement on “wrong”"] == pytest.approx(2 / 3)
    assert agreed["same kind of error for overlapping marked words"] == 1.0
    with pytest.raises(BadSetting, match="does not ask about sentences"):
        services.export_evidence(birds, make_study(birds, "plain"), tmp_path / "none.csv")
