"""The demo: made once, mended when it was left half made, out of the way of a researcher's own data."""

from pathlib import Path

import numpy as np
import pytest

from core.regions import masks
from core.types import Score
from storage.types import Search, StoredSample
from tests.making import import_rows, rows
from tests.nearly import nearly
from ui.services import demo
from ui.services.analysis import found_in
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked
from ui.services.demo import DATASET, NOTICE, ensure_demo
from ui.services.demo_outcomes import made_outcomes, read_outcomes
from ui.services.workplace import Workplace

pytestmark = pytest.mark.skipif(
    len(demo.pictures()) < len(demo.LICENCES), reason="a package with the demo's photographs is absent"
)


def samples_of(workplace: Workplace) -> list[StoredSample]:
    samples = workplace.repository.samples
    return [samples.get(found.id) for found in samples.search(Search(DATASET), 0, 100).samples]


def assert_whole(workplace: Workplace) -> None:
    (dataset,) = workplace.repository.samples.datasets()
    assert (dataset.name, dataset.notice, dataset.samples, dataset.annotated) == (DATASET, NOTICE, 18, 8)
    (study,) = workplace.repository.studies.all()
    assert (study.name, study.items) == ("Demo", sum(dataset.explained.values()))


def test_the_demo_comes_with_its_regions(workplace: Workplace) -> None:
    ensure_demo(workplace)
    assert_whole(workplace)
    for sample in samples_of(workplace):
        assert 4 <= len(sample.sample.image.regions) <= 11
        for region in sample.sample.image.regions:
            assert region.label and region.label.strip() == region.label
            assert masks.area(region.rle, region.size) >= 200
        assert len({region.label for region in sample.sample.image.regions}) == len(sample.sample.image.regions)


def test_a_demo_shows_only_photographs_that_are_installed(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_base = [path for path in demo.pictures() if path.parts[-4] == "gradio"]
    monkeypatch.setattr(demo, "pictures", lambda: of_base)
    ensure_demo(workplace)
    found = samples_of(workplace)
    assert len(found) == 8 and all(sample.sample.image.path for sample in found)
    assert all(any(outcome.metric == "HICE-S" for outcome in sample.outcomes) for sample in found)
    monkeypatch.undo()
    ensure_demo(workplace)  # the other photographs' packages came later: ratings stay beside the items that raters saw
    assert samples_of(workplace) == found


def test_a_second_start_changes_nothing(workplace: Workplace) -> None:
    ensure_demo(workplace)
    before = samples_of(workplace)
    ensure_demo(workplace)
    assert_whole(workplace)
    assert samples_of(workplace) == before


def test_the_overlay_is_there_before_any_model_and_is_what_the_code_says_today(workplace: Workplace) -> None:
    ensure_demo(workplace)
    known, today = read_outcomes(), made_outcomes(demo.demo_samples(workplace))
    assert known.keys() == today.keys()
    for key, made in today.items():  # `make demo` writes the file anew
        assert known[key] == nearly(made, 1e-5), key  # cosines of float32 sums; processors differ below 1e-6
    for sample in samples_of(workplace):
        (outcome,) = (one for one in sample.outcomes if one.metric == "HICE-S")
        assert isinstance(outcome, Score)
        drawn = sample.sample.image.regions
        assert [(r.rle, r.label) for r in outcome.explanation.regions[:-1]] == [(r.rle, r.label) for r in drawn]
        assert outcome.explanation.regions[-1].is_full


def test_metrics_of_words_score_the_demo_by_its_references(workplace: Workplace) -> None:
    ensure_demo(workplace)
    for stored in samples_of(workplace):
        scores = {one.metric: one for one in stored.outcomes if isinstance(one, Score)}
        assert {metric.name for metric in demo.COMPUTED} <= scores.keys()
        assert len(stored.sample.references) == len(set(stored.sample.references)) == 3
        assert "|corpus:demo, 18 pairs, " in scores["CIDEr"].signature
        assert scores["BLEU-1"].value > 0.1 and scores["BLEU-1"].explanation.matches


@pytest.mark.parametrize("dataset", ["birds", DATASET])
def test_a_researchers_own_data_are_left_alone(workplace: Workplace, tmp_path: Path, dataset: str) -> None:
    import_rows(workplace, tmp_path, rows(2), dataset)
    ensure_demo(workplace)
    (found,) = workplace.repository.samples.datasets()
    assert (found.name, found.samples, found.notice) == (dataset, 2, "")
    assert workplace.repository.studies.all() == ()


def test_every_part_of_analyse_has_something_to_show_of_the_demo(workplace: Workplace) -> None:
    ensure_demo(workplace)
    table = Analyst(workplace).table(DATASET)
    assert np.isfinite(table["human"]).all() and len(set(table["human"].tolist())) > 5
    found = found_in(Analyst(workplace), "agreement", Asked((DATASET,)))
    assert all(row["tau_c"] is not None for row in found.tables[0].rows)
