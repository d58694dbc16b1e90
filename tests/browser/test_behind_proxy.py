"""Behind Debian's nginx, with the configuration of docs/how-to/deploy.md, at a host's root and below a path."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from storage.study_types import Study
from tests.browser.conftest import (
    Server,
    make_study,
    rate_by_keys,
    ratings,
    saved,
    with_workplace,
    write_samples,
)
from tests.browser.nginx import NGINX, free_port, proxy
from ui.services.importing.importing import import_files


@dataclass(frozen=True, slots=True)
class Site:
    """A server behind nginx."""

    url: str  # as people know it
    server: Server
    port: int  # nginx's


@pytest.fixture(scope="module", params=["", "/tools/capscope"], ids=["root", "path"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Capscope at https://127.0.0.1:PORT, or below a path of it."""
    if not Path(NGINX).exists():
        pytest.skip("needs nginx: install Debian's package nginx-light or nginx")
    folder = tmp_path_factory.mktemp("proxied")
    with free_port() as port:
        url = f"https://127.0.0.1:{port}{request.param}"
        server = Server(folder / "data", CAPSCOPE_PUBLIC_URL=url, CAPSCOPE_TRUSTED_PROXIES="127.0.0.1")
        server.data_dir.mkdir()
        with_workplace(server, lambda w: import_files(w, "jsonl", [write_samples(folder / "files")], "squares"))
        server.start()
        with proxy(folder, port, server.port, request.param):
            yield Site(url, server, port)
        server.stop()


@pytest.fixture
def visitor(site: Site, profile: Callable[..., BrowserContext]) -> Iterator[Page]:
    """A page that asks for nothing outside of the site, fails at nothing, and logs no error."""
    problems = list[str]()
    page = profile(ignore_https_errors=True).new_page()
    watch(page, site, problems)
    yield page
    assert not problems, problems


def watch(page: Page, site: Site, problems: list[str]) -> None:
    page.on("pageerror", lambda error: problems.append(f"thrown: {error}"))
    page.on("request", lambda r: r.url.startswith((f"{site.url}/", "data:", "blob:")) or problems.append(r.url))
    # 401: what a page was still asking for when its reader signed out
    page.on("response", lambda r: r.status < 400 or r.status == 401 or problems.append(f"{r.status}: {r.url}"))


def link_to(site: Site, study: Study) -> str:
    token = with_workplace(site.server, lambda w: w.repository.links.make(study.id, uses=1))
    return f"{site.url}/r/{token[1]}"


def test_the_whole_way_of_a_rater(site: Site, visitor: Page) -> None:
    study = make_study(site.server, "proxied", size=2)
    visitor.goto(link_to(site, study))
    visitor.get_by_label("Your code").fill("proxied1")
    visitor.get_by_role("button", name="Start").click()
    for _ in range(2):
        expect(visitor.get_by_role("button", name="Next")).to_be_visible()
        rate_by_keys(visitor, "123")
        picture = visitor.locator("img").first
        expect(picture).to_be_visible()
        visitor.wait_for_function("image => image.naturalWidth > 0", arg=picture.element_handle())
        rate_by_keys(visitor, "\n")
    saved(visitor)
    assert sorted(r.rating for r in ratings(site.server, study)) == [1, 1, 2, 2, 3, 3]
    visitor.reload()
    expect(visitor.get_by_text("PROXIED1 with this return key")).to_be_visible()


def test_the_pages_of_who_signs_in(site: Site, visitor: Page) -> None:
    def account(workplace):  # type: ignore[no-untyped-def]
        workplace.repository.accounts.add("ann", "admin")
        return workplace.repository.accounts.new_link("ann", timedelta(hours=1))

    token = with_workplace(site.server, account)
    visitor.goto(f"{site.url}/password/{token}")
    for label in ("Password", "Repeat the password"):
        visitor.get_by_label(label, exact=True).fill("a few words of my own")
    visitor.get_by_role("button", name="Set password and sign in").click()
    expect(visitor.get_by_role("navigation").get_by_text("ann", exact=True)).to_be_visible()
    for path, name in (("/", "Inspect"), ("/rate", "Rate"), ("/analyse", "Analyse"), ("/studies", "Studies")):
        visitor.goto(f"{site.url}{path}")
        expect(visitor.locator(".capscope[data-page]").get_by_text("Loading …")).to_have_count(0)
        expect(visitor.get_by_role("link", name=name, exact=True)).to_have_attribute("aria-current", "page")
    visitor.get_by_role("link", name="Inspect", exact=True).click()
    expect(visitor.locator("img").first).to_be_visible()
    assert visitor.url.startswith(f"{site.url}/")
    visitor.get_by_role("button", name="Sign out").click()
    expect(visitor).to_have_url(f"{site.url}/sign-in")


@pytest.fixture
def client(site: Site) -> Iterator[httpx.Client]:
    with httpx.Client(verify=False, trust_env=False, headers={"X-Capscope": "1"}) as opened:
        yield opened


def test_what_a_stranger_says_of_the_way_counts_for_nothing(site: Site, client: httpx.Client) -> None:
    lies = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http", "X-Forwarded-For": "1.2.3.4"}
    page = client.get(f"{site.url}/sign-in", headers=lies)
    assert page.status_code == 200 and "evil.example" not in page.text
    assert client.get(f"{site.url}/sign-in", headers={"Host": "evil.example"}).status_code == 400
    assert client.get(f"{site.url}/healthz").json()["is_well"]


def test_who_asks_too_often_is_refused(site: Site, tmp_path: Path) -> None:
    few = (("rate=100r/s", "rate=1r/m"), ("burst=1500", "burst=5"))
    with (
        free_port() as port,
        proxy(tmp_path, port, site.server.port, "", *few),
        httpx.Client(verify=False, trust_env=False) as client,
    ):
        answers = [client.get(f"https://127.0.0.1:{port}/sign-in").status_code for _ in range(8)]
    assert [status == 429 for status in answers] == [False] * 6 + [True] * 2
