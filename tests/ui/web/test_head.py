"""What every page's head names, so that a browser can fetch it while Gradio draws."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from tests.loops import run_async
from ui.web.head import STATIC, Frame, modules_of
from ui.web.pages import PAGES, Page


def imported(name: str) -> set[str]:
    """Return what a module imports, read word by word."""
    words = (STATIC / name).read_text().replace(";", " ").split()
    return {
        words[at + 1].strip('"').removeprefix("./")
        for at, word in enumerate(words[:-1])
        if word == "from" and words[at + 1].startswith('"./')
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.script)
def test_the_modules_of_a_page_are_all_that_it_imports_and_nothing_else(page: Page) -> None:
    named = modules_of(f"{page.script}.js")
    assert set(named) == {f"{page.script}.js"}.union(*(imported(name) for name in named))
    assert len(named) == len(set(named))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.script)
def test_every_page_names_its_script_and_what_that_needs(client: TestClient, page: Page) -> None:
    for address in {f"/{page.route}", f"/{page.route}/" if page.route else "/"}:
        answer = client.get(address)
        assert answer.status_code == 200
        head = answer.text.split("</head>")[0]
        assert f'<meta name="capscope-page" content="{page.script}">' in head
        named = re.findall(r'rel="modulepreload" href="/capscope/([\w.]+)"', head)
        assert set(named) == set(modules_of("capscope.js", f"{page.script}.js")) and len(named) == len(set(named))
        assert head.count('src="/capscope/capscope.js"') == head.count("/capscope/capscope.css") == 1
        assert int(answer.headers["content-length"]) == len(answer.content)


def test_only_a_page_that_draws_plots_fetches_plotly_ahead(client: TestClient) -> None:
    assert [page.script for page in PAGES if "plotly.min.js" in client.get(f"/{page.route}").text] == ["analyse"]


def test_all_that_is_fetched_ahead_is_there(client: TestClient) -> None:
    for page in PAGES:
        for address in re.findall(r'href="(/capscope/[\w.]+)"', client.get(f"/{page.route}").text):
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

    run_async(Frame(app)({"type": "http", "path": path, "headers": []}, receive, send))  # type: ignore[arg-type]
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


def test_modules_are_looked_for_where_they_are_served_from(client: TestClient) -> None:
    assert STATIC == Path(__file__).parents[2] / "ui/static"
    assert client.get("/capscope/capscope.js").text == (STATIC / "capscope.js").read_text()
