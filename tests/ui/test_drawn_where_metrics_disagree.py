"""A study drawn where metrics disagree: weighted report, chances in export and copies."""

import csv
from pathlib import Path

import numpy as np
import pytest

from core.studies.results.methods import methods
from tests.command_line import command_line
from tests.making import CRITERIA, import_rows, make_study, rating, rows
from ui.services.studies import study_actions
from ui.services.studies.study_results import design
from ui.services.workplace import Workplace


def test_the_report_weights_means_and_differences_and_the_export_has_the_chances(
    workplace: Workplace, tmp_path: Path
) -> None:
    import_rows(workplace, tmp_path / "files", rows(40))
    study = make_study(
        workplace, form="side_by_side", metrics=("ZorkScore", "BlimpCap"), strata="disagreement", size=12, seed=4
    )
    rater = workplace.repository.raters.add("ANNA")
    items = workplace.repository.desk.queue(study.id, rater, 1, 20).items
    saves = [
        rating(item, key, 1 + (item.place + panel) % 4, panel=panel)
        for item in items
        for key in CRITERIA
        for panel in (1, 2)
    ]
    assert set(workplace.repository.save(rater, saves)) == {None}
    path = tmp_path / "ratings.csv"
    study_actions.export_study(workplace, study, path)
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert len({line["chance"] for line in lines}) > 1 and all(0 < float(line["chance"]) <= 1 for line in lines)
    report = study_actions.study_report(workplace, study)
    for row in report.rows:
        mine = [line for line in lines if (line["metric"], line["criterion"]) == (row.metric, row.criterion)]
        points, weights = [float(one["rating"]) for one in mine], [1 / float(one["chance"]) for one in mine]
        assert row.mean == pytest.approx(np.average(points, weights=weights))
    means = {(row.metric, row.criterion): row.mean for row in report.rows}
    for test in report.tests:
        a, b = means[test.metric_a, test.criterion], means[test.metric_b, test.criterion]
        assert a is not None and b is not None and test.mean_difference == pytest.approx(a - b)
    told = " ".join(fact.value for fact in methods(design(workplace, study), ()))
    assert "a higher probability where the metrics disagree" in told
    copy = workplace.repository.life.duplicate(study.id, "again")
    assert workplace.repository.studies.get(copy).strata == study.strata


def test_the_command_draws_where_metrics_disagree(
    workplace: Workplace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import_rows(workplace, tmp_path / "files", rows(40))
    (dataset,) = (one.name for one in workplace.repository.samples.datasets())
    run = command_line(workplace.data_dir, capsys)
    made = ("study", "create", "chosen", "--dataset", dataset, "--strata", "disagreement", "--size", "12")
    assert run(*made, "--form", "expert-side-by-side").code == 0
    alone = run(*made[:2], "one", *made[3:], "--metrics", "ZorkScore")
    assert alone.code == 2 and "two or more metrics" in alone.err
