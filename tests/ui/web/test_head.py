"""What every page's head names, so that a browser can fetch it while Gradio draws."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient

from ui.web.files.bundles import app_files, gradio_bundle
from ui.web.files.static_files import STATIC


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global Frame, PAGES, Page
    from ui.web.frame.head import Frame
    from ui.web.frame.pages import PAGES, Page


FILES = app_files()
every_page = pytest.mark.parametrize("script", sorted(file.parent.name for file in STATIC.glob("*/page.js")))


def page_of(script: str) -> Page:
    return next(page for page in PAGES if page.script == script)


@every_page
def test_every_page_names_its_script_and_what_that_needs(client: TestClient, script: str) -> None:
    page = page_of(script)
    for address in {f"/{page.route}", f"/{page.route}/" if page.route else "/"}:
        answer = client.get(address, headers={"accept-encoding": "identity"})
        assert answer.status_code == 200
        head = answer.text.split("</head>")[0]
        assert f'<meta name="capscope-page" content="{page.script}">' in head
        assert head.count("<title>") == 1
        bundle = gradio_bundle(script)
        now = re.findall(r'rel="modulepreload" href="([^"]+)"', head)
        assert now == re.findall(r'<script type="module" async src="([^"]+)"', head) == [FILES.address(bundle.script)]
        assert re.findall(r'rel="stylesheet" href="([^"]+)"', head) == [FILES.address(bundle.sheet)]
        assert int(answer.headers["content-length"]) == len(answer.content)


def test_the_front_door_and_its_other_address_open_inspect(client: TestClient) -> None:
    for address in ("/", "/inspect", "/inspect/?sample=3", "/?page=2", "/inspect?dataset=birds&page=227"):
        assert '<meta name="capscope-page" content="inspect">' in client.get(address).text


def test_all_that_is_fetched_ahead_is_there(client: TestClient) -> None:
    for page in PAGES:
        for address in re.findall(r'href="(/[\w./]+\.(?:js|css))"', client.get(f"/{page.route}").text):
            assert client.get(address).status_code == 200, address
