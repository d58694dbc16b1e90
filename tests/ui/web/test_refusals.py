"""Every answer that is none says why: {"kind", "detail"}, with the same kind whatever the words."""

import base64
import errno
import hashlib
import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from core import errors
from core.errors import Busy, CapscopeError, StorageFull, StorageUnavailable
from tests.ui.conftest import Site, client_of, save
from ui.web.access.plain_pages import PlainPages
from ui.web.access.refusals import Kind, add_refusals, refusal_of
from ui.web.files.bundles import app_files
from ui.web.files.head_elements import RETRYING, inline_script

EVERY = {
    "no such sample": ("GET", "/api/samples/999999", None, 404, "not_found"),
    "no such address": ("GET", "/api/nothing", None, 404, "not_found"),
    "another verb": ("PUT", "/api/samples/1", None, 404, "not_found"),
    "another shape": ("GET", "/api/samples?page=x", None, 422, "malformed"),
    "a body of another shape": ("POST", "/api/rate/saves", {"saves": 1}, 422, "malformed"),
    "a code of another shape": ("POST", "/api/rate/session", {"code": "?"}, 400, "bad_request"),
    "a name that is taken": ("POST", "/api/rate/session", {"code": "TAKEN"}, 409, "taken"),
    "a wrong return key": ("POST", "/api/rate/session", {"code": "TAKEN", "return_key": "no"}, 409, "taken"),
    "another rater's picture": ("GET", "/api/rate/items/never/image", None, 404, "not_yours"),
}


@pytest.fixture
def visitor(site: Site) -> TestClient:
    """A rater who has said who they are; the code TAKEN is another one's."""
    client_of(site.app).post("/api/rate/session", json={"code": "TAKEN"})
    client = client_of(site.app)
    client.post("/api/rate/session", json={"code": "refused"})
    client.post("/api/rate/session", json={"code": "refused", "return_key": _key(site, "REFUSED")})
    return client


def _key(site: Site, code: str) -> str:
    from ui.services.key_file import Secret

    return Secret(site.workplace.data_dir / "secret.key").return_key(site.workplace.repository.raters.named(code).id)


def told(answer: Any) -> dict[str, str]:
    assert answer.headers["content-type"] == "application/json", answer.text
    body: dict[str, str] = answer.json()
    assert set(body) == {"kind", "detail"} and body["kind"] in get_args(Kind) and body["detail"].strip()
    return body


@pytest.mark.parametrize(("method", "path", "body", "status", "kind"), EVERY.values(), ids=EVERY)
def test_every_refusal_bears_its_kind(
    visitor: TestClient, method: str, path: str, body: Any, status: int, kind: str
) -> None:
    answer = visitor.request(method, path, json=body)
    assert (answer.status_code, told(answer)["kind"]) == (status, kind)


def test_what_is_foreign_or_too_large_says_so(site: Site, visitor: TestClient) -> None:
    plain = TestClient(site.app, base_url="http://127.0.0.1")
    assert told(plain.post("/api/rate/session", json={"code": "A"}))["kind"] == "foreign"
    answer = visitor.post("/api/judge", content=b"x", headers={"content-length": str(10**12)})
    assert (answer.status_code, told(answer)["kind"]) == (413, "too_large")


def test_a_save_about_anothers_item_is_told_by_kind_alone_or_among_others(site: Site, visitor: TestClient) -> None:
    study = site.study(size=1)
    (own,) = visitor.get(f"/api/rate/studies/{study.id}/items").json()["items"]
    foreign = save(own) | {"assignment": "somebody-elses", "key": "foreign-1"}
    alone = visitor.post("/api/rate/saves", json={"saves": [foreign]})
    assert (alone.status_code, told(alone)["kind"]) == (404, "not_yours")
    beside = [foreign, save(own, "beauty"), save(own, point=9), save(own) | {"age_ms": "x"}, save(own)]
    results = visitor.post("/api/rate/saves", json={"saves": beside}).json()["results"]
    kinds = [result["refusal"] and result["refusal"]["kind"] for result in results]
    assert kinds == ["not_yours", "not_found", "bad_rating", "malformed", None]
    assert [result["saved"] for result in results] == [False, False, False, False, True]


def app_of(error: Exception) -> TestClient:
    """Return a browser of an app whose routes raise an error."""
    app = FastAPI()
    add_refusals(app, PlainPages(app_files()).waiting)

    @app.get("/api/x")
    @app.get("/x")
    @app.post("/x")
    def x() -> None:
        raise error

    return TestClient(app, raise_server_exceptions=False)


def test_a_fault_of_ours_is_told_without_its_words() -> None:
    answer = app_of(RuntimeError("a path: /home/somebody")).get("/api/x")
    assert (answer.status_code, told(answer)["kind"]) == (500, "failed")
    assert "somebody" not in answer.text
    assert answer.headers["connection"] == "close"  # uvicorn closes it after a fault: the next request would fail


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [
        (StorageFull(), 507, "disk_full"),
        (OSError(errno.ENOSPC, "No space left on device"), 507, "disk_full"),
        (StorageUnavailable("It is gone."), 503, "no_storage"),
    ],
    ids=["database", "file", "gone"],
)
def test_what_cannot_be_stored_is_told_and_logged_without_a_traceback(
    error: Exception, status: int, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    answer = app_of(error).post("/x")
    assert (answer.status_code, told(answer)["kind"]) == (status, kind)
    assert [(record.levelname, record.exc_info) for record in caplog.records] == [("ERROR", None)]


def every_error(kind: type[Exception] = CapscopeError) -> Iterator[type[Exception]]:
    yield kind
    for below in kind.__subclasses__():
        yield from every_error(below)


def test_every_error_class_has_a_kind() -> None:
    for kind in (one for one in every_error() if one.__module__ == errors.__name__):
        error = kind.__new__(kind)
        Exception.__init__(error, "In words.")
        assert refusal_of(error).kind in get_args(Kind) and refusal_of(error).detail == "In words.", kind


@pytest.mark.parametrize(
    ("error", "status", "seconds"),
    [(Busy("Many come in.", 90), 429, "90"), (StorageUnavailable("It is gone."), 503, "5"), (StorageFull(), 507, "30")],
    ids=["busy", "gone", "full"],
)
def test_who_may_ask_again_is_told_when_and_people_get_a_page_that_does(
    error: CapscopeError, status: int, seconds: str
) -> None:
    client = app_of(error)
    accept = {"accept": "text/html,*/*"}
    for answer in (client.get("/api/x", headers=accept), client.post("/x", headers=accept), client.get("/x")):
        assert (answer.status_code, told(answer)["detail"]) == (status, str(error))
        assert answer.headers["retry-after"] == seconds
    page = client.get("/x", headers=accept)
    assert (page.status_code, page.headers["retry-after"]) == (status, seconds)
    assert f'http-equiv="refresh" content="{seconds}"' in page.text
    assert str(error).split(",")[0] in page.text.replace("&#39;", "'")


def test_an_inline_script_is_allowed_by_its_hash_and_by_nothing_unsafe() -> None:
    page = PlainPages(app_files()).waiting("Wait.", 5)
    (script,) = re.findall(r"<script>(.*?)</script>", inline_script(app_files(), RETRYING), re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = page.headers["content-security-policy"]
    assert f"script-src 'self' 'sha256-{digest}'" in policy and "unsafe" not in policy
