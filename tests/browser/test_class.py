"""A class of raters behind the documented nginx: all at the same moment, and what they see when it is too much."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from storage.study_types import Study
from tests.browser.conftest import Server, make_study, rate_by_keys, ratings, saved, with_workplace, write_samples
from tests.browser.nginx import NGINX, free_port, proxy
from ui.services.importing.importing import import_files

BURSTS_ALONE = (("rate=100r/s", "rate=1r/m"), ("rate=300r/s", "rate=1r/m"))  # a slow machine helps nobody through


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server at https://127.0.0.1:PORT, where PORT is for nginx; one data set."""
    if not Path(NGINX).exists():
        pytest.skip("needs nginx: install Debian's package nginx-light or nginx")
    folder = tmp_path_factory.mktemp("class")
    with free_port() as port:
        url = f"https://127.0.0.1:{port}"
        server = Server(folder / "data", CAPSCOPE_PUBLIC_URL=url, CAPSCOPE_TRUSTED_PROXIES="127.0.0.1")
        server.data_dir.mkdir()
        with_workplace(server, lambda w: import_files(w, "jsonl", [write_samples(folder / "files")], "squares"))
        server.start()
        yield server
        server.stop()


def port_of(room: Server) -> int:
    return int(room.environ["CAPSCOPE_PUBLIC_URL"].rpartition(":")[2])


def open_link(room: Server, study: Study, uses: int | None = None) -> str:
    token: str = with_workplace(room, lambda w: w.repository.links.make(study.id, uses=uses)[1])
    return token


def client(room: Server, token: str = "") -> httpx.Client:
    headers = {"X-Capscope": "1", "X-Capscope-Link": token} if token else {}
    url = room.environ["CAPSCOPE_PUBLIC_URL"]
    return httpx.Client(base_url=url, verify=False, trust_env=False, headers=headers, timeout=60)


def test_the_access_log_has_no_secret_of_a_link_and_no_panels_id(room: Server, tmp_path: Path) -> None:
    study = make_study(room, "logged", veil=False)
    token, secret = open_link(room, study), "password-link-secret"
    with proxy(tmp_path, port_of(room), room.port, ""), client(room, token) as browser:
        browser.get(f"/r/{token}?PROLIFIC_PID=5f3a", headers={"Referer": f"https://127.0.0.1/r/{token}"})
        browser.post("/api/rate/session", json={"code": "LOGGED"})
        (image,) = {
            item["image"] for item in browser.get(f"/api/rate/studies/{study.id}/items?count=1").json()["items"]
        }
        assert browser.get(image).status_code == 200
        browser.get(f"/password/{secret}")
        browser.get("/sign-in?next=/r/whispered")
    log = (tmp_path / "access.log").read_text()
    assert [line for line in log.splitlines() if " GET /r/* 200 " in line] and " GET /password/* 410 " in log
    assert not [told for told in (token, "5f3a", secret, "whispered", image.split("/")[4]) if told in log]
    told = (tmp_path / "nginx.log").read_text()
    assert token not in told and secret not in told


def test_nginx_says_busy_to_people_and_to_scripts_and_when_to_try_again(room: Server, tmp_path: Path) -> None:
    few = (*BURSTS_ALONE, (" burst=1500 nodelay", ""), (" burst=3000 nodelay", ""))
    with proxy(tmp_path, port_of(room), room.port, "", *few), client(room) as browser:
        for path in ("/sign-in", "/capscope/none"):
            browser.get(path)
        page, sent = browser.get("/sign-in"), browser.post("/sign-in", data={"name": "a", "password": "b"})
        program, script = browser.get("/api/rate/session"), browser.get("/capscope/none")
    for answer in (page, sent, program, script):
        assert answer.status_code == 429 and 3 <= int(answer.headers["retry-after"]) <= 8
        assert "max-age" in answer.headers["strict-transport-security"]
        assert answer.headers["cache-control"] == "no-store"
    wait = re.findall(r'http-equiv="refresh" content="(\d)"', page.text)
    assert wait == [page.headers["retry-after"]] and f'class="of{wait[0]}"' in page.text
    assert f".of{wait[0]} {{" in page.text and page.headers["content-type"].startswith("text/html")
    assert "refresh" not in sent.text and "Nothing was sent" in sent.text
    assert program.json()["kind"] == script.json()["kind"] == "busy"


def refuse_each_once(page: Page, asked: list[Callable[[Request], bool]]) -> None:
    """Answer the first request of each kind as a busy server does."""

    def answer(route: Route) -> None:
        kind = next((kind for kind in asked if kind(route.request)), None)
        if kind is None:
            return route.fallback()
        asked.remove(kind)
        busy = {"kind": "busy", "detail": "Capscope is busy."}
        return route.fulfill(status=429 if len(asked) % 2 else 503, headers={"Retry-After": "4"}, json=busy)

    page.route("**/*", answer)


def test_a_rater_sees_a_countdown_wherever_the_server_is_busy_and_gets_through(
    room: Server, tmp_path: Path, profile: Callable[..., BrowserContext]
) -> None:
    study = make_study(room, "patient", veil=False, size=1)
    token = open_link(room, study)
    asked: list[Callable[[Request], bool]] = [
        lambda asked: asked.method == "POST" and asked.url.endswith("/api/rate/session"),
        lambda asked: asked.url.endswith("/visit"),
        lambda asked: "/items?" in asked.url,
        lambda asked: asked.url.endswith("/image"),
        lambda asked: asked.url.endswith("/saves"),
    ]
    with proxy(tmp_path, port_of(room), room.port, ""), closing(profile(ignore_https_errors=True).new_page()) as page:
        page.clock.install()
        refuse_each_once(page, asked)
        page.route(re.compile(r"\.js$"), lambda route: route.fulfill(status=429, body="busy"))
        page.goto(f"{room.environ['CAPSCOPE_PUBLIC_URL']}/r/{token}")
        expect(page.get_by_text("a part of this page did not load")).to_be_visible()
        page.unroute(re.compile(r"\.js$"))
        expect(page.get_by_text(re.compile(r"tries again in \d seconds?\."))).to_be_visible()
        page.clock.fast_forward(8000)
        page.get_by_label("Your code").fill("PATIENT")
        page.get_by_role("button", name="Start").click()
        for words in (*["Capscope is busy"] * 3, "The picture did not load"):
            expect(page.get_by_text(words)).to_be_visible()
            expect(page.get_by_text(re.compile(r"We try again in \d seconds?\."))).to_be_visible()
            page.clock.fast_forward(8000)
        picture = page.locator("figure.picture img")
        page.wait_for_function("image => image.naturalWidth > 0", arg=picture.element_handle())
        rate_by_keys(page, "123")
        expect(page.get_by_role("status").filter(has_text="kept in this browser")).to_be_visible()
        page.clock.fast_forward(8000)
        saved(page)
    assert asked == [] and sorted(r.rating for r in ratings(room, study)) == [1, 2, 3]
