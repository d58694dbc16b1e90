"""Sentences on which raters differ: who counts, and what a decision is."""

import pytest

from core.errors import InvalidRating, NotFound
from core.studies.results.disputes import LONGEST_WORDS
from core.studies.results.evidence import Judgement
from storage.study_types import Save, Study
from tests.making import make_study, note
from ui.services.workplace import Workplace

WRONG = Judgement("wrong", kind="object", severity="minor")


def judge(birds: Workplace, study: Study, code: str, verdict: str) -> None:
    """Let a rater judge the first sentence of the first item."""
    rater = birds.repository.raters.add(code)
    (item,) = birds.repository.desk.queue(study.id, rater, 1, 20).items
    said = {"verdict": verdict} | ({"kind": "object", "severity": "minor"} if verdict == "wrong" else {})
    save = Save(key=note(item, "").key, assignment=item.id, age_ms=0, kind="sentence", panel=1, sentence=1, said=said)
    assert birds.repository.save(rater, [save]) == (None,)


@pytest.fixture
def study(birds: Workplace) -> Study:
    return make_study(birds, form="evidence", metrics=("ZorkScore",), size=1)


def test_only_differing_verdicts_of_raters_who_count_are_disputed(birds: Workplace, study: Study) -> None:
    disputed = birds.repository.sentence_adjudications.disputes
    for code, verdict, found in (
        ("K1", "wrong", []),
        ("K2", "wrong", []),
        ("K3", "unclear", [["wrong", "wrong", "unclear"]]),
        ("K4", "right", [["right", "wrong", "wrong", "unclear"]]),
    ):
        judge(birds, study, code, verdict)
        assert [[said.verdict for said in one.said] for one in disputed(study.id)] == found
    for code in ("K3", "K4"):
        birds.repository.life.exclude(study.id, code, "hasty")
    assert disputed(study.id) == ()
    other = make_study(birds, "other", form="evidence", metrics=("ZorkScore",), size=1)
    assert disputed(other.id) == ()


def test_the_newest_decision_counts_and_none_is_about_another_study(birds: Workplace, study: Study) -> None:
    for code, verdict in (("K1", "wrong"), ("K2", "right")):
        judge(birds, study, code, verdict)
    verbs = birds.repository.sentence_adjudications
    (one,) = verbs.disputes(study.id)
    sentence = (one.item, one.score, one.number)
    for said in (Judgement("right"), WRONG):
        verbs.decide(study.id, sentence, said, "careless", "", "ada")
    (one,) = verbs.disputes(study.id)
    assert one.decision is not None and (one.decision.verdict, one.decision.kind) == ("wrong", "object")
    assert {record.decided for record in birds.repository.studies.evidence(study.id)} == {"wrong"}
    other = make_study(birds, "other", form="evidence", metrics=("ZorkScore",), size=1)
    for study_id, wanted in ((other.id, sentence), (study.id, (one.item, one.score, 99)), (99, sentence)):
        with pytest.raises(NotFound, match="No rater has judged this sentence"):
            verbs.decide(study_id, wanted, WRONG, "careless", "", "ada")
    with pytest.raises(InvalidRating, match="kind of error"):
        verbs.decide(study.id, sentence, Judgement("wrong"), "careless", "", "ada")
    with pytest.raises(InvalidRating, match="at most"):
        verbs.decide(study.id, sentence, WRONG, "careless", "x" * (LONGEST_WORDS + 1), "ada")
    birds.repository.erasures.delete_study(study.id, study.name)
