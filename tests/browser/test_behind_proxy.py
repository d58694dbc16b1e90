"""Behind Debian's nginx, with the configuration of docs/how-to/deploy.md: at a host's root and below a path, for one
rater and for a class, and what people see when it is too much."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from storage.study_types import Study
from tests.browser.conftest import (
    Server,
    make_study,
    rate_by_keys,
    ratings,
    saved,
    serving,
    with_workplace,
)
from tests.browser.nginx import NGINX, free_port, proxy

BURSTS_ALONE = (("rate=100r/s", "rate=1r/m"), ("rate=300r/s", "rate=1r/m"))  # a slow machine helps nobody through


@dataclass(frozen=True, slots=True)
class Site:
    """A server that is reached through nginx."""

    url: str  # as people know it
    path: str  # below the host; empty: at its root
    port: int  # nginx's
    server: Server

    def link(self, study: Study, uses: int | None = None) -> str:
        """Return a new link for raters of a study."""
        token = with_workplace(self.server, lambda w: w.repository.links.make(study.id, uses=uses)[1])
        return f"{self.url}/r/{token}"

    def client(self, link: str = "") -> httpx.Client:
        """Return a client, who may come by a link."""
        headers = {"X-Capscope": "1"} | ({"X-Capscope-Link": link.rpartition("/")[2]} if link else {})
        return httpx.Client(base_url=self.url, verify=False, trust_env=False, headers=headers, timeout=60)


@pytest.fixture(scope="module", params=["", "/tools/capscope"], ids=["root", "path"])
def site(request: pytest.FixtureRequest, squares: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Capscope at https://127.0.0.1:PORT, or below a path of it. Each test runs an nginx of its own."""
    if not Path(NGINX).exists():
        pytest.skip("needs nginx: install Debian's package nginx-light or nginx")
    with free_port() as port:
        url = f"https://127.0.0.1:{port}{request.param}"
        environ = {"CAPSCOPE_PUBLIC_URL": url, "CAPSCOPE_TRUSTED_PROXIES": "127.0.0.1"}
        with serving(tmp_path_factory.mktemp("proxied") / "data", squares, **environ) as server:
            yield Site(url, request.param, port, server)


@pytest.fixture
def nginx(site: Site, tmp_path: Path) -> Iterator[Callable[..., None]]:
    """A function that runs nginx in front of the site; arguments: changes of its configuration."""
    with ExitStack() as running:

        def run(*changes: tuple[str, str]) -> None:
            running.enter_context(proxy(tmp_path, site.port, site.server.port, site.path, *changes))

        yield run


@pytest.fixture
def visit(profile: Callable[..., BrowserContext]) -> Callable[[], Page]:
    """A function that opens a page of another person, which takes the site's own certificate."""
    return lambda: profile(ignore_https_errors=True).new_page()


def watched(page: Page, site: Site) -> list[str]:
    """Return what a page asks for outside of the site, fails at and logs as an error, as it comes."""
    problems = list[str]()
    page.on("pageerror", lambda error: problems.append(f"thrown: {error}"))
    page.on("request", lambda r: r.url.startswith((f"{site.url}/", "data:", "blob:")) or problems.append(r.url))
    # 401: what a page was still asking for when its reader signed out
    page.on("response", lambda r: r.status < 400 or r.status == 401 or problems.append(f"{r.status}: {r.url}"))
    return problems


def test_a_rater_and_a_colleague_get_all_pages_through_the_proxy(
    site: Site, nginx: Callable[..., None], visit: Callable[[], Page]
) -> None:
    nginx()
    visitor, colleague = visit(), visit()
    problems = watched(visitor, site), watched(colleague, site)
    study = make_study(site.server, "proxied", size=2)
    visitor.goto(site.link(study, uses=1))
    visitor.get_by_label("Your code").fill("proxied1")
    visitor.get_by_role("button", name="Start").click()
    for _ in range(2):
        expect(visitor.get_by_role("button", name="Next")).to_be_visible()
        rate_by_keys(visitor, "123")
        picture = visitor.locator("img").first
        visitor.wait_for_function("image => image.naturalWidth > 0", arg=picture.element_handle())
        rate_by_keys(visitor, "\n")
    saved(visitor)
    assert sorted(r.rating for r in ratings(site.server, study)) == [1, 1, 2, 2, 3, 3]
    visitor.reload()
    expect(visitor.get_by_text("PROXIED1 with this return key")).to_be_visible()

    def account(workplace):  # type: ignore[no-untyped-def]
        workplace.repository.accounts.add("ann", "admin")
        return workplace.repository.accounts.new_link("ann", timedelta(hours=1))

    colleague.goto(f"{site.url}/password/{with_workplace(site.server, account)}")
    for label in ("Password", "Repeat the password"):
        colleague.get_by_label(label, exact=True).fill("a few words of my own")
    colleague.get_by_role("button", name="Set password and sign in").click()
    expect(colleague.get_by_text("ann", exact=True)).to_be_visible()
    for path, name in (("/", "Inspect"), ("/rate", "Rate"), ("/analyse", "Analyse"), ("/studies", "Studies")):
        colleague.goto(f"{site.url}{path}")
        expect(colleague.locator(".capscope[data-page]").get_by_text("Loading …")).to_have_count(0)
        expect(colleague.get_by_role("link", name=name, exact=True)).to_have_attribute("aria-current", "page")
    colleague.get_by_role("link", name="Inspect", exact=True).click()
    expect(colleague.locator("img").first).to_be_visible()
    assert colleague.url.startswith(f"{site.url}/")
    colleague.get_by_role("button", name="Sign out").click()
    expect(colleague).to_have_url(f"{site.url}/sign-in")
    assert problems == ([], [])


def test_strangers_words_count_for_nothing_and_the_log_has_no_secret_of_a_link(
    site: Site, nginx: Callable[..., None], tmp_path: Path
) -> None:
    nginx()
    study = make_study(site.server, "logged", veil=False)
    link, secret = site.link(study), "password-link-secret"
    lies = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http", "X-Forwarded-For": "1.2.3.4"}
    with site.client(link) as client:
        page = client.get("/sign-in?next=/r/whispered", headers=lies)
        assert page.status_code == 200 and "evil.example" not in page.text
        assert client.get("/sign-in", headers={"Host": "evil.example"}).status_code == 400
        assert client.get("/healthz").json()["is_well"]
        client.get(f"{link}?PROLIFIC_PID=5f3a", headers={"Referer": link})
        client.post("/api/rate/session", json={"code": "LOGGED"})
        items = client.get(f"/api/rate/studies/{study.id}/items?count=1").json()["items"]
        image = items[0]["image"].rpartition("/api/")[2]
        assert client.get(f"/api/{image}").status_code == 200
        client.get(f"/password/{secret}")
    log, told = (tmp_path / "access.log").read_text(), (tmp_path / "nginx.log").read_text()
    if not site.path:  # the pattern of the log is for a host's root
        assert re.search(r" GET /r/\* 200 ", log) and " GET /password/* 410 " in log
        token = link.rpartition("/")[2]
        assert not [one for one in (token, "5f3a", secret, "whispered", image.split("/")[3]) if one in log]
        assert token not in told and secret not in told


def test_who_asks_too_often_is_told_so_and_when_to_try_again(site: Site, nginx: Callable[..., None]) -> None:
    nginx(*BURSTS_ALONE, (" burst=1500 nodelay", ""), (" burst=3000 nodelay", ""))
    with site.client() as client:
        assert [client.get(path).status_code for path in ("/sign-in", "/capscope/none")] == [200, 404]
        page, sent = client.get("/sign-in"), client.post("/sign-in", data={"name": "a", "password": "b"})
        program, script = client.get("/api/rate/session"), client.get("/capscope/none")
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
    site: Site, nginx: Callable[..., None], visit: Callable[[], Page]
) -> None:
    nginx()
    page, study = visit(), make_study(site.server, "patient", veil=False, size=1)
    asked: list[Callable[[Request], bool]] = [
        lambda asked: asked.method == "POST" and asked.url.endswith("/api/rate/session"),
        lambda asked: asked.url.endswith("/visit"),
        lambda asked: "/items?" in asked.url,
        lambda asked: asked.url.endswith("/image"),
        lambda asked: asked.url.endswith("/saves"),
    ]
    page.clock.install()
    refuse_each_once(page, asked)
    page.route(re.compile(r"\.js$"), lambda route: route.fulfill(status=429, body="busy"))
    page.goto(site.link(study))
    expect(page.get_by_text("a part of this page did not load")).to_be_visible()
    page.unroute(re.compile(r"\.js$"))
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
    assert asked == [] and sorted(r.rating for r in ratings(site.server, study)) == [1, 2, 3]
