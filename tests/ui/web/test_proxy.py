"""Behind a proxy: paths with and without what is before ours, redirects, and what strangers claim."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse
from fastapi.testclient import TestClient

from ui.services.scoring.judging import Judge
from ui.services.workplace import open_workplace
from ui.setting_values import PublicUrl
from ui.settings import Settings
from ui.web.access.proxy import BehindProxy
from ui.web.files.bundles import app_files

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


@pytest.mark.parametrize("path", ["/capscope", "/tools"])
def test_scripts_are_found_below_a_path_of_any_name(path: str, api_of: Callable[..., FastAPI], workplace: Any) -> None:
    settings = Settings(public_url=PublicUrl("https", LAB.host, path), warm=False)
    browser = TestClient(api_of(workplace, Judge(workplace), settings), base_url=f"https://{LAB.host}")
    script = app_files().address("capscope.js")
    assert [browser.get(address).status_code for address in (path + script, script)] == [200, 200]


def test_only_our_own_path_is_taken_off_and_it_leads_to_the_front_page() -> None:
    assert client(LAB).get("/capscopes/seen/a").status_code == 404
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


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    """The whole app as it is at a public address."""
    from ui.web.server import build_app  # imports Gradio

    settings = Settings(tmp_path_factory.mktemp("lab"), public_url=LAB, warm=False)
    workplace = open_workplace(settings)
    yield build_app(workplace, settings=settings)
    workplace.repository.close()


def at_lab(lab: FastAPI, host: str = LAB.host) -> TestClient:
    return TestClient(lab, base_url=f"https://{host}", headers={"X-Capscope": "1"}, follow_redirects=False)


def test_a_public_server_answers_under_its_public_name_alone(lab: FastAPI) -> None:
    assert at_lab(lab).get("/capscope/sign-in").status_code == 200
    for host in ("127.0.0.1", "localhost:7860", "lab.example:444", "lab.example.evil.example"):
        assert at_lab(lab, host).get("/capscope/sign-in").status_code == 400


def test_only_its_own_origin_may_write(lab: FastAPI) -> None:
    form = {"name": "ann", "password": "wrong horse"}

    def status(origin: str) -> int:
        return at_lab(lab).post("/capscope/sign-in", data=form, headers={"origin": origin}).status_code

    assert status("https://lab.example") == 401  # read, and then there is nobody with that password
    for origin in ("http://lab.example", "chrome-extension://lab.example", "http://evil.example://lab.example", "null"):
        assert status(origin) == 403


def test_who_must_sign_in_is_led_there_and_back_below_our_path(lab: FastAPI) -> None:
    led = at_lab(lab).get("/capscope/studies")
    assert (led.status_code, led.headers["location"]) == (303, "/capscope/sign-in?next=/studies")
    page = at_lab(lab).get(led.headers["location"]).text
    addresses = re.findall(r'(?:href|src|action)="([^"]+)"', page)
    assert addresses and all(address.startswith("/capscope/") for address in addresses)
