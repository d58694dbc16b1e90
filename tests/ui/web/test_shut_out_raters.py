"""A rater who was excluded, erased or sent to another study is refused by every route of the rating page alike."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.ui.conftest import Site, save
from ui.web.access.cookies import LINK_HEADER

FREE = {  # routes that say nothing of a study's items, or that let raters in and out
    *(("GET", f"/api/rate/{one}") for one in ("session", "studies", "epoch")),
    *(("POST", f"/api/rate/{one}") for one in ("session", "arrival")),
    ("DELETE", "/api/rate/session"),
}
STUDY = "/api/rate/studies/{study_id}"
BODIES: dict[tuple[str, str], Any] = {
    ("GET", f"{STUDY}/items"): None,
    ("GET", f"{STUDY}/standing"): None,
    ("GET", f"{STUDY}/visit"): None,
    ("POST", f"{STUDY}/visit/consent"): {"yes": True, "consent": "We keep it."},
    ("POST", f"{STUDY}/visit/answers"): {"answers": [], "stamp": "x"},
    ("POST", f"{STUDY}/visit/leaving"): {"yes": True},
    ("POST", "/api/rate/saves"): {"saves": []},
    ("POST", "/api/rate/kept"): {"keys": ["some-key-of-mine"]},
    ("GET", "/api/rate/items/{assignment}/image"): None,
}
TOLD = (("GET", f"{STUDY}/items"), ("GET", f"{STUDY}/standing"), ("GET", f"{STUDY}/visit"))  # why there are no items


def test_every_route_of_raters_is_tried_here(site: Site) -> None:
    routes = {
        (method.upper(), path)
        for path, methods in site.app.openapi()["paths"].items()
        for method in methods
        if path.startswith("/api/rate/")
    }
    assert routes == FREE | BODIES.keys()


@pytest.fixture
def tried(site: Site, newcomer: Callable[[], TestClient]) -> Callable[..., dict[tuple[str, str], Any]]:
    """Let a rater get an item and answer it, shut the rater out, and return what each route then answers."""

    def tried(shut_out: Callable[[Any, str], object]) -> dict[tuple[str, str], Any]:
        study, rater = site.study(size=2, veil=False), newcomer()
        (item, *_) = rater.get(f"/api/rate/studies/{study.id}/items").json()["items"]
        rater.post("/api/rate/saves", json={"saves": [save(item)]}).raise_for_status()
        before = list(site.workplace.repository.studies.records(study.id))
        shut_out(study, rater.code)  # type: ignore[attr-defined]
        answers = {}
        for (method, path), body in BODIES.items():
            content = {"saves": [save(item, point=1)]} if path.endswith("/saves") else body
            address = path.format(study_id=study.id, assignment=item["id"])
            answers[method, path] = rater.request(method, address, json=content)
        after = [one.rating for one in site.workplace.repository.studies.records(study.id)]
        assert after == [one.rating for one in before]
        return answers

    return tried


def test_an_excluded_rater_is_told_so_and_gets_and_gives_nothing(site: Site, tried: Callable[..., Any]) -> None:
    answers = tried(lambda study, code: site.workplace.repository.managing.exclude(study.id, code, "hasty"))
    told = [answers[route].json() for route in TOLD]
    assert [one["stopped"] for one in told[:2]] == ["excluded", "excluded"] and told[0]["items"] == []
    refused = {route: answer.status_code for route, answer in answers.items() if route not in TOLD}
    assert refused.pop(("POST", "/api/rate/kept")) == 200  # which of one's own answers are stored
    assert set(refused.values()) == {404}, refused
    saved = answers["POST", "/api/rate/saves"].json()["detail"]
    assert saved == "Your part in this study has ended, so nothing more is stored."


@pytest.mark.parametrize("keep_ratings", [True, False])
def test_an_erased_rater_is_nobody(site: Site, newcomer: Callable[[], TestClient], keep_ratings: bool) -> None:
    study, rater = site.study(size=2, veil=False), newcomer()
    (item, *_) = rater.get(f"/api/rate/studies/{study.id}/items").json()["items"]
    site.workplace.repository.managing.erase_rater(rater.code, keep_ratings)  # type: ignore[attr-defined]
    for (method, path), body in BODIES.items():
        content = {"saves": [save(item)]} if path.endswith("/saves") else body
        address = path.format(study_id=study.id, assignment=item["id"])
        assert rater.request(method, address, json=content).status_code == 401, path


def test_a_rater_of_a_link_is_refused_by_the_routes_of_other_studies(site: Site, client: TestClient) -> None:
    study, other = site.study(size=2), site.study(size=2)
    client.headers[LINK_HEADER] = site.workplace.repository.links.make(study.id)[1]
    client.post("/api/rate/session", json={"code": f"L{study.id}"}).raise_for_status()
    for (method, path), body in BODIES.items():
        if "study_id" in path:
            assert client.request(method, path.format(study_id=other.id), json=body).status_code == 404, path
