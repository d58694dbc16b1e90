"""A full disk: nothing can be stored, and everything can be read and taken out."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Connection

from core.errors import StorageFull
from tests.making import answer_all, make_study
from tests.ui.conftest import client_of
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace


@pytest.fixture
def client(birds: Workplace, api_of: Callable[[Workplace, Judge], FastAPI]) -> TestClient:
    return client_of(api_of(birds, Judge(birds)))


@contextmanager
def full(*_: object) -> Iterator[Connection]:
    raise StorageFull
    yield


def test_exports_and_reports_can_be_taken_from_a_full_disk_and_are_in_the_servers_log(
    client: TestClient, birds: Workplace, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    study = make_study(birds)
    answer_all(birds.repository, study, birds.repository.raters.add("K1"))
    with monkeypatch.context() as patch:
        patch.setattr(birds.repository.database, "write", full)
        for file in ("export.csv", "report.html"):
            answer = client.get(f"/api/studies/{study.id}/{file}")
            assert answer.status_code == 200 and answer.content, file
        assert client.get("/api/samples.jsonl?dataset=birds").status_code == 200
        refused = client.post("/api/rate/session", json={"code": "K2"})
        assert (refused.status_code, refused.json()["kind"]) == (507, "disk_full")
    assert "ratings exported" in caplog.text and "samples exported" in caplog.text
    assert client.get(f"/api/studies/{study.id}/archive").status_code == 200
    assert [entry.deed for entry in birds.repository.audit.all()] == ["archive exported"]
