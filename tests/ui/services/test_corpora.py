"""Metrics that weigh words by the references of a data set."""

from pathlib import Path

import pytest

from core.metrics.cider import CIDEr
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.types import Outcome, Score
from storage.types import Search, StoredSample
from tests.loops import run_async
from tests.making import import_rows, rows, values_of
from ui.services.scoring.corpora import Corpora
from ui.services.scoring.judging import Judge
from ui.services.scoring.score_runs import run_scoring
from ui.services.scoring.scoring_plan import plan_scoring
from ui.services.workplace import Workplace


@pytest.fixture
def sample(birds: Workplace) -> StoredSample:
    """The first of six samples; each has the reference "A reference with number N."."""
    return birds.repository.samples.search(Search("birds"), 0, 1).samples[0]


def scored(workplace: Workplace) -> dict[int, float]:
    evaluator = Evaluator((CIDEr,))
    plan = plan_scoring(workplace, evaluator, "CIDEr", "birds", ModelSettings())
    run_scoring(workplace, evaluator, plan)
    return values_of(workplace.repository, "birds", plan.signature)


def live(judge: Judge, sample: StoredSample, caption: str | None) -> Outcome:
    return run_async(judge.judge(sample.id, "cider", caption))


def test_a_run_over_a_data_set_signs_the_data_set_and_its_references(birds: Workplace) -> None:
    plan = plan_scoring(birds, Evaluator((CIDEr,)), "CIDEr", "birds", ModelSettings())
    assert "|corpus:birds, 6 pairs, " in plan.signature
    assert len(scored(birds)) == 6
    again = plan_scoring(birds, Evaluator((CIDEr,)), "CIDEr", "birds", ModelSettings())
    assert (again.signature, again.known, len(again.wanted)) == (plan.signature, 6, 0)


def test_a_caption_that_is_edited_on_the_page_is_scored_with_the_words_of_its_data_set(
    birds: Workplace, sample: StoredSample
) -> None:
    judge = Judge(birds, (CIDEr,))
    try:
        assert judge.readiness(sample.id)[0].ready
        own, edited = live(judge, sample, None), live(judge, sample, "A reference with number 0")
        assert isinstance(own, Score) and isinstance(edited, Score)
        assert own.value < edited.value and own.signature == edited.signature
        assert scored(birds)[sample.id] == pytest.approx(own.value)
    finally:
        judge.close()


def test_a_corpus_is_counted_again_only_if_references_changed(
    birds: Workplace, sample: StoredSample, tmp_path: Path
) -> None:
    corpora = Corpora(birds.repository)
    first = corpora.settings(CIDEr, "birds", ModelSettings()).corpus
    birds.repository.scores.save(sample.id, Score("Other", 0.5, "Other|x"))
    assert corpora.settings(CIDEr, "birds", ModelSettings()).corpus is first
    import_rows(birds, tmp_path / "more", rows(8)[6:])
    assert corpora.settings(CIDEr, "birds", ModelSettings()).corpus != first
