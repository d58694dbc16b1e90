"""/healthz tells whether answers can be stored, to whoever looks after the server."""

import json
import os
import shutil

import pytest
from fastapi.testclient import TestClient

from tests.making import make_study
from tests.ui.conftest import client_of, save
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace
from ui.setting_values import PublicUrl
from ui.settings import Settings

PUBLIC = Settings(public_url=PublicUrl("https", "lab.example", "/capscope"), warm=False)


@pytest.fixture
def client(workplace: Workplace) -> TestClient:
    from ui.web.server import build_api  # imports Gradio

    return client_of(build_api(workplace, Judge(workplace), PUBLIC))


def test_all_is_well_and_nothing_else_is_told(client: TestClient) -> None:
    answer = client.get("/healthz", headers={"host": "127.0.0.1:7860"})  # past the proxy, without signing in
    assert answer.status_code == 200
    assert answer.json() == {"is_well": True, "database": "ok", "disk": "ok", "judging": 0}


def test_a_database_that_is_gone_is_told(client: TestClient, workplace: Workplace) -> None:
    for file in workplace.data_dir.glob("capscope.db*"):
        file.unlink()
    answer = client.get("/healthz", headers={"host": "lab.example"})
    assert answer.status_code == 503 and "deleted" in answer.json()["database"]


def test_a_disk_that_is_nearly_full_is_told_before_it_is(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage("/")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage._replace(free=99_000_000))
    answer = client.get("/healthz", headers={"host": "localhost"})
    assert answer.status_code == 503 and "delete files" in json.dumps(answer.json())


def test_a_database_that_was_cut_short_is_told_and_takes_no_answers(birds: Workplace) -> None:
    from ui.web.server import build_api

    study = make_study(birds, "cut short")
    browser = client_of(build_api(birds, Judge(birds)), raise_server_exceptions=False)
    assert browser.post("/api/rate/session", json={"code": "K7"}).status_code == 200
    (item,) = browser.get(f"/api/rate/studies/{study.id}/items?count=1").json()["items"]
    file = birds.data_dir / "capscope.db"
    os.truncate(file, file.stat().st_size // 2)
    saved = browser.post("/api/rate/saves", json={"saves": [save(item)]})
    assert (saved.status_code, saved.json()["kind"]) == (503, "no_storage")
    answer = browser.get("/healthz")
    assert answer.status_code == 503 and "cut short" in answer.json()["database"]
