"""What every page's head names, so that a browser can fetch it while Gradio draws."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import PurePosixPath

import pytest
from fastapi.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from tests.loops import run_async
from ui.web.static_files import STATIC, StaticFiles


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global Frame, modules_of, sheets_of, PAGES, Page
    from ui.web.head import Frame
    from ui.web.modules import modules_of, sheets_of
    from ui.web.pages import PAGES, Page


FILES = StaticFiles.read()
every_page = pytest.mark.parametrize("script", sorted(file.parent.name for file in STATIC.glob("*/page.js")))


def page_of(script: str) -> Page:
    return next(page for page in PAGES if page.script == script)


def imported(name: str) -> set[str]:
    """Return what a module imports, read word by word."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", FILES.text(name), flags=re.DOTALL)  # types are imported in comments
    words = code.replace(";", " ").split()
    folder = PurePosixPath("/", name).parent
    named = [words[at + 1].strip('"') for at, word in enumerate(words[:-1]) if word == "from"]
    return {os.path.normpath(folder / path).lstrip("/") for path in named if path.startswith(".")}


@every_page
def test_the_modules_of_a_page_are_all_that_it_imports_and_nothing_else(script: str) -> None:
    page = page_of(script)
    named = modules_of(FILES, page.module)
    assert set(named) == {page.module}.union(*(imported(name) for name in named))
    assert len(named) == len(set(named))


@every_page
def test_every_page_names_its_script_and_what_that_needs(client: TestClient, script: str) -> None:
    page = page_of(script)
    for address in {f"/{page.route}", f"/{page.route}/" if page.route else "/"}:
        answer = client.get(address)
        assert answer.status_code == 200
        head = answer.text.split("</head>")[0]
        assert f'<meta name="capscope-page" content="{page.script}">' in head
        assert head.count("<title>") == 1
        now = re.findall(r'rel="modulepreload" href="/capscope/[0-9a-f]{12}/([\w./]+)"', head)
        later = re.findall(r'rel="modulepreload" fetchpriority="low" href="/capscope/[0-9a-f]{12}/([\w./]+)"', head)
        assert set(now) == set(modules_of(FILES, "capscope.js", page.module))
        assert {*now, *later} == set(modules_of(FILES, "capscope.js", page.module, *page.later))
        assert len(now + later) == len({*now, *later})
        assert head.count(f'src="{FILES.address("capscope.js")}"') == 1
        assert int(answer.headers["content-length"]) == len(answer.content)


def test_the_front_door_and_its_other_address_open_inspect(client: TestClient) -> None:
    for address in ("/", "/inspect", "/inspect/?sample=3"):
        assert '<meta name="capscope-page" content="inspect">' in client.get(address).text


def test_links_to_studies_from_before_lead_to_the_rating_page_with_all_they_say(client: TestClient) -> None:
    answer = client.get("/?study=7&code=a%20b", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (307, "/rate?study=7&code=a%20b")
    assert '<meta name="capscope-page" content="rate">' in client.get("/?study=7").text


def test_every_page_has_the_name_mark_for_the_browsers_tab(client: TestClient) -> None:
    for page in PAGES:
        (icon,) = re.findall(
            r'<link rel="icon" type="image/svg\+xml" href="([^"]+)">', client.get(f"/{page.route}").text
        )
        assert client.get(icon).headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize(
    ("script", "rooms"),
    [
        ("rate", ["shared", "shared", "regions", "rate"]),
        ("inspect", ["shared", "shared", "regions", "inspect"]),
        ("analyse", ["shared", "shared", "regions", "inspect", "analyse"]),
        ("studies", ["shared", "shared", "studies"]),
    ],
)
def test_a_page_loads_the_sheets_of_its_rooms_its_own_last(client: TestClient, script: str, rooms: list[str]) -> None:
    head = client.get(f"/{script}").text.split("</head>")[0]
    sheets = re.findall(r'rel="stylesheet" href="/capscope/[0-9a-f]{12}/([\w./]+)"', head)
    assert [sheet.split("/")[0] for sheet in sheets] == rooms and sheets[0] == "shared/gradio.css"


def test_every_sheet_is_loaded_by_some_page() -> None:
    loaded = {sheet for page in PAGES for sheet in sheets_of(*modules_of(FILES, page.module, *page.later))}
    loaded |= {"door/style.css", "recorded/style.css"}  # of the plain pages, of the demo's static copy
    assert loaded == {name for name in FILES.contents if name.endswith(".css")}


def test_only_a_page_that_draws_plots_fetches_plotly_ahead(client: TestClient) -> None:
    assert [page.script for page in PAGES if "plotly.min.js" in client.get(f"/{page.route}").text] == ["analyse"]


def test_all_that_is_fetched_ahead_is_there(client: TestClient) -> None:
    for page in PAGES:
        for address in re.findall(r'href="(/[\w./]+\.(?:js|css))"', client.get(f"/{page.route}").text):
            assert client.get(address).status_code == 200, address


def page_in_parts(
    parts: list[bytes], kind: bytes = b"text/html; charset=utf-8", status: int = 200
) -> Callable[..., object]:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        length = str(sum(map(len, parts))).encode()
        headers = [(b"content-type", kind), (b"content-length", length)]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        for number, part in enumerate(parts):
            more = number + 1 < len(parts)
            await send({"type": "http.response.body", "body": part, "more_body": more})

    return app


def sent(app: object, path: str = "/") -> tuple[dict[bytes, bytes], bytes]:
    messages: list[Message] = []

    async def send(message: Message) -> None:
        messages.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    run_async(Frame(app, FILES)({"type": "http", "path": path, "headers": []}, receive, send))  # type: ignore[arg-type]
    start, *bodies = messages
    return dict(start["headers"]), b"".join(message["body"] for message in bodies)


def test_a_page_that_comes_in_parts_is_put_together() -> None:
    headers, body = sent(page_in_parts([b"<html><he", b"ad></he", b"ad><body></head></body>"]))
    assert body.count(b"capscope-page") == 1
    assert body.startswith(b"<html><head><link")
    assert headers[b"content-length"] == str(len(body)).encode()


@pytest.mark.parametrize(
    "changes", [{"kind": b"application/json"}, {"status": 404}], ids=["what is no page", "what was not found"]
)
def test_what_is_not_a_page_is_left_as_it_is(changes: dict[str, object]) -> None:
    parts = [b"<head></head>"]
    assert sent(page_in_parts(parts, **changes))[1] == b"<head></head>"  # type: ignore[arg-type]


def test_other_addresses_are_left_alone() -> None:
    assert sent(page_in_parts([b"<head></head>"]), "/elsewhere")[1] == b"<head></head>"


def test_an_answer_without_a_body_stays_without_one() -> None:
    assert sent(page_in_parts([b""])) == ({b"content-type": b"text/html; charset=utf-8", b"content-length": b"0"}, b"")


@pytest.mark.parametrize("address", ["/?page=2", "/inspect?dataset=birds&page=227", "/rate?page=x", "/?page=../etc"])
def test_what_our_scripts_read_from_an_address_is_kept_from_gradio(client: TestClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200 and "capscope-page" in answer.text
