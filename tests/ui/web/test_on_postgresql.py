"""Rating and studies over HTTP on PostgreSQL, which is put back to an earlier time while the server runs."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from storage.study_types import Study
from tests.conftest import copied
from tests.making import CRITERIA, make_study
from tests.postgresql import Postgres
from tests.ui.conftest import client_of, save
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace

AT = 1_790_000_000_000


@dataclass(frozen=True)
class House:
    """A server over a database of its own, whose rows can be kept and put back."""

    workplace: Workplace
    study: Study
    app: FastAPI
    postgres: Postgres
    database: str

    def put_back(self) -> None:
        """Put the kept rows back, and let the server look at the database again, as it does each second."""
        self.postgres.put_back(self.database)
        self.workplace.repository.epochs._looked = None

    def rater(self, code: str) -> TestClient:
        browser = client_of(self.app)
        browser.post("/api/rate/session", json={"code": code}).raise_for_status()
        return browser

    def queue(self, browser: TestClient) -> dict[str, Any]:
        answer = browser.get(f"/api/rate/studies/{self.study.id}/items", params={"count": 3})
        return dict(answer.raise_for_status().json())

    def stored(self) -> list[tuple[str, str, int]]:
        records = self.workplace.repository.studies.records(self.study.id)
        return sorted((record.rater, record.criterion, record.rating) for record in records)


@pytest.fixture
def house(
    postgres_birds: Postgres, birds_folder: Path, tmp_path: Path, api_of: Callable[[Workplace, Judge], FastAPI]
) -> Iterator[House]:
    with postgres_birds.copy("birds") as address, copied(birds_folder, tmp_path / "data", address) as workplace:
        database = address.split("?")[0].rsplit("/", 1)[1]
        postgres_birds.do("DROP SCHEMA kept CASCADE", database=database)
        study = make_study(workplace, size=6, veil=False)
        yield House(workplace, study, api_of(workplace, Judge(workplace)), postgres_birds, database)


def answered(item: dict[str, Any], point: int) -> list[dict[str, Any]]:
    return [save(item, criterion, point) for criterion in CRITERIA]


def test_after_a_restore_beneath_a_running_server_nothing_that_a_browser_holds_is_lost(house: House) -> None:
    known, manager = house.rater("K7"), client_of(house.app)
    queue = house.queue(known)
    before, after = answered(queue["items"][0], 1), answered(queue["items"][1], 2)
    sent = {"saves": before, "epoch": queue["epoch"]}
    assert known.post("/api/rate/saves", json=sent).status_code == 200
    house.postgres.keep(house.database)

    assert known.post("/api/rate/saves", json=sent | {"saves": after}).status_code == 200
    late = house.rater("NEW1")
    lost = answered(house.queue(late)["items"][0], 3)
    assert late.post("/api/rate/saves", json={"saves": lost}).status_code == 200
    entry = f"/api/studies/{house.study.id}/entry"
    texts = {"consent": "First", "before": "", "after": ""}
    stamp = manager.put(entry, json=texts | {"stamp": "never"}).raise_for_status().json()["stamp"]
    everything = house.stored()
    assert len(everything) == 9

    house.put_back()
    assert len(house.stored()) == 3
    refused = known.post("/api/rate/saves", json=sent | {"saves": after})
    assert (refused.status_code, refused.json()["kind"]) == (409, "went_back")
    keys = [one["key"] for one in (*before, *after)]
    lacking = known.post("/api/rate/kept", json={"keys": keys}).json()["missing"]
    assert lacking == [one["key"] for one in after]
    results = known.post("/api/rate/saves", json={"saves": after}).json()["results"]
    assert [one["saved"] for one in results] == [True] * 3
    assert late.post("/api/rate/saves", json={"saves": lost}).json()["kind"] == "signed_out"
    conflict = manager.put(entry, json=texts | {"stamp": stamp})
    assert (conflict.status_code, conflict.json()["kind"]) == (409, "changed_meanwhile")

    late.post("/api/rate/session", json={"code": "NEW1"}).raise_for_status()
    assert late.post("/api/rate/saves", json={"saves": lost}).status_code == 200
    assert house.stored() == everything


HOSTILE = ("a\0bcdefgh", "\ud800abcdefg", "a\u202eb\u2028cdefg", "\N{DOG}" * 30, "%00'; DROP TABLE raters; --")


def test_no_text_makes_the_server_fail(house: House) -> None:
    """PostgreSQL takes no NUL and no half character; SQLite takes both."""
    browser = client_of(house.app, raise_server_exceptions=False)
    browser.post("/api/rate/session", json={"code": "K7"}).raise_for_status()
    (item, *_) = house.queue(browser)["items"]
    study = f"/api/studies/{house.study.id}"
    failed = []
    for method, path, body in (one for text in HOSTILE for one in _sends(study, save(item), text)):
        content = json.dumps(body).encode()
        answer = browser.request(method, path, content=content, headers={"content-type": "application/json"})
        failed += [(path, body, answer.status_code)] if answer.status_code >= 500 else []
    assert failed == []
    assert browser.get(f"{study}/export.csv").status_code == 200


def _sends(study: str, one: dict[str, Any], text: str) -> list[tuple[str, str, Any]]:
    """Return requests that hold a text wherever one is expected."""
    return [
        ("POST", "/api/rate/session", {"code": text}),
        ("POST", "/api/rate/session", {"code": "K7", "return_key": text}),
        ("POST", "/api/rate/arrival", {"query": f"PROLIFIC_PID={text}"}),
        ("POST", "/api/rate/kept", {"keys": [text]}),
        *(("POST", "/api/rate/saves", {"saves": [one | {name: text}]}) for name in (*one, "text", "said")),
        ("POST", "/api/rate/saves", {"saves": [one | {"kind": "note", "text": text}], "epoch": text}),
        ("PUT", f"{study}/entry", {"stamp": text, "consent": text, "before": "", "after": ""}),
        ("PUT", f"{study}/entry", {"stamp": "never", "consent": text, "before": "", "after": text}),
        ("POST", f"{study}/entry/lines", {"lines": text}),
        ("POST", f"{study}/copies", {"name": text}),
        ("POST", f"{study}/delete", {"name": text}),
        ("POST", f"{study}/keys", {"code": text}),
        *(("POST", f"{study}/raters/{deed}", {"code": text, "reason": text}) for deed in ("exclude", "include")),
        ("POST", f"{study}/raters/exclude", {"code": "K7", "reason": text}),
        ("POST", f"{study}/raters/release", {"codes": [text]}),
        ("POST", f"{study}/raters/platform", {"code": text}),
        ("POST", f"{study}/links", {"codes": [text], "uses": 1, "days": 1, "same_people": False}),
        ("POST", f"{study}/answers/preview", {"name": text, "text": text}),
        ("POST", f"{study}/answers", {"name": text, "text": text, "new_rater": True}),
        ("POST", "/api/studies", {"name": text, "dataset": text}),
    ]
