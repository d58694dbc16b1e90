"""`study pay`: the table, and lists for raters who came without a platform."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import command_line
from tests.making import CRITERIA, METRICS, import_rows, make_study, rating, rows
from ui.services.workplace import Workplace


def test_raters_without_a_platform_are_named_and_can_be_listed_by_code(
    workplace: Workplace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import_rows(workplace, tmp_path / "files", rows(4))
    study = make_study(workplace, metrics=METRICS[:1], raters_per_item=None)
    rater = workplace.repository.raters.add("ANNA")
    items = workplace.repository.desk.queue(study.id, rater, 1, 20).items
    workplace.repository.save(rater, [rating(item, key, 3, in_sight_ms=9_000) for item in items for key in CRITERIA])
    run = command_line(workplace.data_dir, capsys)
    ask = ("study", "pay", study.name, "--rate", "9", "--currency", "GBP")
    shown = run(*ask)
    assert shown.code == 0 and "ANNA" in shown.out and "two minutes" in shown.out
    as_json: dict[str, Any] = json.loads(run(*ask, "--json").out)
    assert as_json["raters"][0]["decision"] == "approve"
    to = tmp_path / "bonus.csv"
    refused = run(*ask, "--list", "bonus", "--to", to)
    assert refused.code == 2 and "no platform id: ANNA" in refused.err and not to.exists()
    assert run(*ask, "--list", "bonus", "--codes", "--to", to).code == 0
    assert list(csv.reader(to.read_text("utf-8").splitlines())) == [["ANNA", f"{as_json['bonuses'] / 100:.2f}"]]
    assert to.stat().st_mode & 0o077 == 0
    for wrong in (("--list", "bonus"), ("--list", "everybody", "--to", to), ("--list", "ids", "--codes", "--to", to)):
        assert run(*ask, *wrong).code == 2
