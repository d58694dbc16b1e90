"""Pay and contact of a study: stored, told to raters, used for what they are owed, copied, changed by its owner."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from core.studies.pay.terms import TermsText
from tests.command_line import command_line
from tests.making import CRITERIA, METRICS, import_rows, make_study, rating, rows
from tests.played_study import study_rows
from tests.ui.conftest import client_of
from ui.services.scoring.judging import Judge
from ui.services.studies import controls
from ui.services.workplace import Workplace

TERMS = TermsText(currency="GBP", hourly_rate="9.00", reward="2.00", contact="lab@example.org")


def test_a_study_made_with_terms_tells_them_to_raters_and_pays_by_them(
    workplace: Workplace, api_of: Callable[..., FastAPI], tmp_path: Path
) -> None:
    import_rows(workplace, tmp_path, rows(4))
    client = client_of(api_of(workplace, Judge(workplace)))
    typed = {"currency": "GBP", "hourly_rate": "9", "reward": "0.01", "contact": "lab@example.org"}
    (dataset,) = [one["name"] for one in client.get("/api/datasets").json()]
    body = {"name": "paid", "dataset": dataset, "metrics": METRICS[:1], "terms": typed}
    made = client.post("/api/studies", json=body).json()
    assert made["course"]["typed"] == typed | {"hourly_rate": "9.00"}
    (told,) = client.get("/api/rate/studies").json()
    assert (told["hourly_pay"], told["reward"], told["contact"]) == ("£9.00", "£0.01", "lab@example.org")
    rater = workplace.repository.raters.add("ANNA")
    items = workplace.repository.desk.queue(made["id"], rater, 1, 20).items
    workplace.repository.save(rater, [rating(item, key, 3, in_sight_ms=9_000) for item in items for key in CRITERIA])
    pay = client.get(f"/api/studies/{made['id']}/pay").json()
    (anna,) = pay["raters"]
    assert (pay["hourly_rate"], anna["code"], anna["decision"], anna["reward"]) == ("£9.00", "ANNA", "approve", "£0.01")
    assert pay["bonuses"] == anna["bonus"]
    codes = client.get(f"/api/studies/{made['id']}/pay/bonus.csv?codes=true")
    expected = "" if anna["bonus"] == "£0.00" else f"ANNA,{anna['bonus'][1:]}\n"
    assert codes.text == expected
    assert codes.headers["content-disposition"] == "attachment; filename*=utf-8''paid-bonus.csv"
    refused = client.get(f"/api/studies/{made['id']}/pay/approve.csv")
    assert refused.status_code == 400 and "no platform id: ANNA" in refused.text


def test_raters_read_which_tests_can_end_the_study_before_they_consent(
    workplace: Workplace, api_of: Callable[..., FastAPI], tmp_path: Path
) -> None:
    import_rows(workplace, tmp_path, study_rows(20))
    client = client_of(api_of(workplace, Judge(workplace)))

    def told() -> dict[int, list[str]]:
        return {one["id"]: one["gates"] for one in client.get("/api/rate/studies").json()}

    plain, guided = make_study(workplace, "plain"), make_study(workplace, "guided", form="guided-single")
    assert told() == {plain.id: [], guided.id: ["check"]}
    quality = workplace.repository.quality
    quality.set_watch(guided.id, replace(quality.watch(guided.id), stop_after_gold=2))
    assert told()[guided.id] == ["check"]  # without gold items, the stop can never happen
    controls.approve(workplace, guided, "gold", controls.proposed(workplace, guided, "swapped", 2, 1), "ada")
    assert told() == {plain.id: [], guided.id: ["check", "gold"]}


def test_terms_are_changed_with_the_stamp_of_the_settings(
    workplace: Workplace, api_of: Callable[..., FastAPI], tmp_path: Path
) -> None:
    import_rows(workplace, tmp_path, rows(2))
    study = make_study(workplace)
    client = client_of(api_of(workplace, Judge(workplace)))
    (before,) = client.get("/api/studies").json()
    assert client.get(f"/api/studies/{study.id}/pay").status_code == 400
    body: dict[str, Any] = {"stamp": before["course"]["stamp"], "terms": {"currency": "EUR", "hourly_rate": "14"}}
    assert client.put(f"/api/studies/{study.id}/terms", json=body).json()["hourly_rate"] == "14.00"
    assert client.put(f"/api/studies/{study.id}/terms", json=body).status_code == 409
    (after,) = client.get("/api/studies").json()
    assert after["course"]["typed"]["hourly_rate"] == "14.00"
    wrong = {"stamp": after["course"]["stamp"], "terms": {"currency": "EUR", "hourly_rate": "much"}}
    assert client.put(f"/api/studies/{study.id}/terms", json=wrong).status_code == 400


def test_a_copy_keeps_the_terms(workplace: Workplace, tmp_path: Path) -> None:
    import_rows(workplace, tmp_path, rows(2))
    study = make_study(workplace)
    workplace.repository.life.settle(study.id, terms=TERMS.terms())
    copy = workplace.repository.life.duplicate(study.id, "again")
    assert workplace.repository.studies.get(copy).course.terms == TERMS.terms()


def test_the_command_shows_changes_and_removes_terms(
    workplace: Workplace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import_rows(workplace, tmp_path / "files", rows(2))
    study = make_study(workplace)
    run = command_line(workplace.data_dir, capsys)
    assert "not stated" in run("study", "terms", study.name).out
    refused = run("study", "pay", study.name)
    assert refused.code == 2 and "hourly pay" in refused.err
    assert run("study", "terms", study.name, "--currency", "GBP", "--hourly-rate", "9.50").code == 0
    assert run("study", "terms", study.name, "--contact", "lab@example.org").code == 0
    shown = json.loads(run("study", "terms", study.name, "--json").out)
    assert (shown["hourly_rate"], shown["contact"], shown["reward"]) == ("9.50", "lab@example.org", "")
    assert run("study", "pay", study.name).code == 0
    assert run("study", "terms", study.name, "--hourly-rate", "").code == 0
    assert workplace.repository.studies.get(study.id).course.terms.currency is None
