"""Behind a proxy: paths with and without what is before ours, redirects, and what strangers claim."""

from typing import Any

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse
from fastapi.testclient import TestClient

from ui.settings import PublicUrl
from ui.web.proxy import BehindProxy

LAB = PublicUrl("https", "lab.example", "/capscope")


def client(public_url: PublicUrl | None) -> TestClient:
    app = FastAPI()

    @app.get("/seen/{rest:path}")
    def seen(request: Request) -> dict[str, Any]:
        return {"path": request.scope["path"], "headers": sorted(request.headers)}

    @app.get("/away")
    def away(to: str) -> RedirectResponse:
        return RedirectResponse(to)

    app.add_middleware(BehindProxy, public_url=public_url)
    return TestClient(app, base_url=f"https://{LAB.host}", follow_redirects=False)


@pytest.mark.parametrize("path", ["/capscope/seen/a%2Fb", "/seen/a%2Fb"])
def test_a_proxy_may_pass_on_the_whole_path_or_ours_alone(path: str) -> None:
    assert client(LAB).get(path).json()["path"] == "/seen/a/b"


def test_without_a_path_of_its_own_nothing_is_taken_off() -> None:
    assert client(None).get("/capscope/seen/a").status_code == 404
    assert client(PublicUrl("https", "lab.example")).get("/seen/a").json()["path"] == "/seen/a"


def test_a_path_that_only_begins_like_ours_is_another_one() -> None:
    assert client(LAB).get("/capscopes/seen/a").status_code == 404


def test_the_path_itself_leads_to_the_front_page() -> None:
    assert client(LAB).get("/capscope").headers["location"] == "/capscope/"


@pytest.mark.parametrize(
    ("to", "location"),
    [
        ("/rate?study=1", "/capscope/rate?study=1"),
        ("/capscope/rate", "/capscope/rate"),
        ("https://lab.example/rate", "/capscope/rate"),  # as Starlette writes them
        ("https://login.example/authorize?x=1", "https://login.example/authorize?x=1"),
    ],
)
def test_redirects_lead_below_our_path(to: str, location: str) -> None:
    assert client(LAB).get("/away", params={"to": to}).headers["location"] == location


def test_what_a_request_claims_of_its_way_reaches_nothing_behind() -> None:
    claims = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http", "Forwarded": "for=1.2.3.4"}
    claims |= {"X-Gradio-Server": "https://evil.example", "X-Real-IP": "1.2.3.4", "X-Forwarded-Prefix": "/evil"}
    seen = client(LAB).get("/seen/a", headers=claims).json()["headers"]
    assert not {name.lower() for name in claims} & set(seen) and "host" in seen
