"""A stranger's large request is refused before anything reads it, and no refusal repeats a request."""

import json
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from tests.making import make_study
from tests.ui.conftest import client_of, save
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace
from ui.web.access.access_checks import ACCOUNTS_BODY, STRANGERS_BODY


def wide(fields: int) -> dict[str, int]:
    """Return an object of many unknown fields."""
    return {f"unknown {number}": number for number in range(fields)}


@pytest.fixture
def stranger(birds: Workplace) -> TestClient:
    from ui.web.server import build_api

    return client_of(build_api(birds, Judge(birds)))


def test_a_stranger_is_refused_before_a_large_body_is_read(stranger: TestClient) -> None:
    def body() -> Iterator[bytes]:
        yield b'{"'
        yield from (b"a" * 1000 for _ in range(1000))

    for route in ("/api/rate/arrival", "/api/rate/session", "/api/rate/saves", "/sign-in"):
        answer = stranger.post(route, content=body(), headers={"content-type": "application/json"})
        assert answer.status_code in (401, 413) and len(answer.content) < 1000


def test_a_refusal_lists_ten_mistakes_and_counts_the_others(stranger: TestClient) -> None:
    answer = stranger.post("/api/rate/arrival", json=wide(90))
    assert answer.status_code == 422 and len(answer.content) < 2000
    detail = answer.json()["detail"]
    assert detail.count("Extra inputs are not permitted") == 9 and "and 81 more mistakes" in detail


def test_a_body_of_many_fields_is_refused_unread_and_an_uploaded_file_is_none(stranger: TestClient) -> None:
    stranger.post("/api/rate/session", json={"code": "K7"}).raise_for_status()
    for route in ("/api/rate/saves", "/api/rate/kept"):
        answer = stranger.post(route, json=wide(1_001))
        assert answer.status_code == 400 and answer.json()["detail"] == "The request has more than 1000 fields."
    json_ = {"content-type": "application/json"}
    assert stranger.post("/api/rate/kept", content=b'{"\\u0000', headers=json_).status_code == 422
    for odd in (b"\\u0000", b'{"a":' * 2_000):
        assert stranger.post("/people", content=odd, headers=json_).status_code == 422
    upload = stranger.post("/api/imports", content=b"\0", headers=json_).json()["id"]
    file = json.dumps(wide(2_000)) + "\0"
    stored = stranger.put(f"/api/imports/{upload}/files?name=a.json", content=file, headers=json_)
    assert stored.json() == {"name": "a.json"}


def test_accounts_may_send_more_than_strangers(stranger: TestClient) -> None:
    assert stranger.put("/api/analyse/slices", content=b" " * (ACCOUNTS_BODY + 1)).status_code == 413
    assert stranger.put("/api/analyse/slices", content=b" " * ACCOUNTS_BODY).status_code == 422
    assert stranger.post("/api/rate/arrival", content=b" " * (STRANGERS_BODY + 1)).status_code == 413


def test_a_rater_saves_many_answers_in_one_request(birds: Workplace, stranger: TestClient) -> None:
    study = make_study(birds, "many")
    assert stranger.post("/api/rate/session", json={"code": "K7"}).status_code == 200
    (item,) = stranger.get(f"/api/rate/studies/{study.id}/items?count=1").json()["items"]
    saves = [save(item, point=1 + number % 4) for number in range(400)]
    results = stranger.post("/api/rate/saves", json={"saves": saves}).json()["results"]
    assert len(results) == 400 and all(one["saved"] for one in results)
