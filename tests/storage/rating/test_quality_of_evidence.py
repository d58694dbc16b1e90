"""How raters of sentences are measured: a form without criteria, and one with both."""

from dataclasses import asdict, fields

import numpy as np
import pytest

from core.studies.rater_quality.verdict_quality import verdict_quality
from storage.rating.rater_quality.columns import StudyColumns
from storage.study_types import AssignedItem, Rater, Save, Study
from tests.making import make_study, note, rating
from ui.services.studies.rater_quality import Monitor, watched_table
from ui.services.tables import cells
from ui.services.workplace import Workplace

BOTH = """
key = "both"
title = "Both"
layout = "single"
[introduction]
paragraphs = ["Rate."]
[evidence]
[[criteria]]
key = "useful"
name = "Useful"
question = "Is it useful?"
points = [{ text = "no" }, { text = "yes" }]
"""


def judged(item: AssignedItem, sentence: int, verdict: str, ms: int = 30_000) -> Save:
    more = {"kind": "object", "severity": "minor"} if verdict == "wrong" else {}
    said = {"verdict": verdict} | more
    values = {"assignment": item.id, "age_ms": 0, "kind": "sentence", "panel": 1, "in_sight_ms": ms}
    return Save(key=note(item, "").key, sentence=sentence, said=said, **values)


def judge_all(birds: Workplace, study: Study, rater: Rater, verdicts: list[str]) -> None:
    """Judge the first items, one verdict for all sentences of each."""
    items = birds.repository.desk.queue(study.id, rater, 1, len(verdicts)).items
    for item, verdict in zip(items, verdicts, strict=True):
        saves = [judged(item, sentence.number, verdict) for sentence in item.panels[0].sentences]
        saves += [rating(item, criterion.key, 2) for criterion in study.asks.criteria]
        assert birds.repository.save(rater, saves) == (None,) * len(saves)


@pytest.mark.parametrize("form_text", [None, BOTH])
def test_raters_of_sentences_are_measured(birds: Workplace, form_text: str | None) -> None:
    study = make_study(birds, form="evidence", form_text=form_text, metrics=("BlimpCap",), size=3)
    first, second = (birds.repository.raters.add(code) for code in ("A1", "B2"))
    assert Monitor(birds).look(study.id).raters == ()
    judge_all(birds, study, first, ["right", "right", "right"])
    judge_all(birds, study, second, ["right", "wrong", "unclear"])
    found = Monitor(birds).look(study.id)
    assert [one.quality.items for one in found.raters] == [3, 3]
    assert [one.quality.minutes for one in found.raters] == pytest.approx([1.5, 1.5])
    verdicts = [one.verdicts for one in found.raters]
    assert [one and one.sentences for one in verdicts] == [9, 9]
    assert [one and one.wrong for one in verdicts] == pytest.approx([0, 1 / 3])
    heads, lines = cells(watched_table(found))
    assert {"sentences", "called wrong", "same verdict as other raters", "minutes"} <= set(heads)
    assert ("longest run" in heads) == bool(study.criteria)
    assert [line[heads.index("sentences")].text for line in lines] == ["9", "9"]
    assert "nominal α of verdicts" in watched_table(found).title


def test_a_study_without_evidence_shows_nothing_of_sentences(birds: Workplace) -> None:
    study = make_study(birds)
    birds.repository.desk.queue(study.id, birds.repository.raters.add("A1"))
    found = Monitor(birds).look(study.id)
    assert (found.raters[0].verdicts, found.verdict_alpha) == (None, None)
    heads, _ = cells(watched_table(found))
    assert "sentences" not in heads and "longest run" in heads


def test_verdicts_are_followed_as_they_change(birds: Workplace) -> None:
    study = make_study(birds, form="evidence", raters_per_item=2)
    quality, life = birds.repository.quality, birds.repository.life
    first, second = (birds.repository.raters.add(code) for code in ("A1", "B2"))
    known: StudyColumns | None = None

    def follow() -> StudyColumns:
        nonlocal known
        known = quality.columns(study.id, known)
        anew = quality.columns(study.id)
        for one, other in ((known.given, anew.given), (known.verdicts, anew.verdicts), (known.answers, anew.answers)):
            for field in fields(one):
                np.testing.assert_array_equal(getattr(one, field.name), getattr(other, field.name), field.name)
        measured = [asdict(verdict_quality(one.given, one.verdicts, len(one.codes))) for one in (known, anew)]
        assert measured[0] == measured[1]
        return known

    judge_all(birds, study, first, ["right", "wrong"])
    before = len(follow().verdicts.verdict)
    judge_all(birds, study, second, ["unclear", "beside", "right"])
    assert len(follow().verdicts.verdict) > before
    judge_all(birds, study, first, ["wrong", "wrong"])  # other verdicts on the same sentences
    assert set(follow().verdicts.verdict.tolist()) == {0, 1, 2, 3}
    life.release(study.id, "A1")
    life.exclude(study.id, "B2", "hasty")
    assert not follow().given.counts[follow().given.rater == 1].any()
    birds.repository.erasures.erase_rater("B2", False)
    assert follow().codes == ("A1",)
