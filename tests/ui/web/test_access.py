"""Who may do what: the table against the app's real routes, and everybody against every route."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.routing import BaseRoute

from core.studies.planning.platforms import PRESETS
from storage.accounts.study_links import OPEN_USES
from storage.study_types import Study
from tests.making import METRICS, make_study
from tests.ui.conftest import WRITE, Site, save
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace
from ui.setting_values import PublicUrl
from ui.settings import NEW_RATERS, Settings
from ui.web.access.gates import Gate, Gates, gates_of

PUBLIC = Settings(public_url=PublicUrl("https", "127.0.0.1"), warm=False)
ADDRESS = "https://127.0.0.1"
ROLES = ("viewer", "researcher", "admin")
READ_BY_POST = {
    "/api/judge",
    "/api/things",
    "/api/samples/{sample_id}/sentences",
    "/studies/new/preview",
}  # they send much and store nothing
READ_BY_POST |= {"/api/imports", "/api/imports/{key}/files"}


# -- every route and its gate


def real_routes(routes: Iterable[BaseRoute]) -> Iterator[tuple[str, str]]:
    """Yield (method, path) of every route, those of included routers and of what is mounted too."""
    for route in routes:
        if hasattr(route, "effective_candidates"):  # FastAPI's place for an included router
            yield from real_routes(route.effective_candidates())
        elif getattr(route, "routes", None):
            yield from real_routes(route.routes)  # type: ignore[attr-defined]
        else:
            path = str(route.path).rstrip("/") or "/"  # type: ignore[attr-defined]
            for method in route.methods or ():  # type: ignore[attr-defined]
                yield ("GET" if method == "HEAD" else method), path


# What Gradio's pages need of Gradio. Everything else of it is closed: files by path, uploads, proxies, sign-in.
OF_GRADIO = {
    *(("GET", f"/{path}") for path in ("", "analyse", "rate", "config", "theme.css", "manifest.json", "pwa_icon")),
    *(("GET", f"/{path}") for path in ("favicon.ico", "robots.txt", "pwa_icon/{size}")),
    *(("GET", f"/{path}/{{path:path}}") for path in ("static", "assets", "svelte")),
    *(("GET", f"/gradio_api/{path}") for path in ("heartbeat/{session_hash}", "startup-events", "app_id", "info")),
}


def test_of_gradios_routes_only_those_of_its_pages_are_open(site: Site) -> None:
    there, own = set(real_routes(site.app.routes)), gates_of(site.app.routes)
    assert len(own) > 80 and ("POST", "/gradio_api/queue/join") in there and ("GET", "/studies") in own
    gates = Gates(site.app.routes)
    gradios = {(method, path) for method, path in there if (method, path) not in own}
    assert {route for route in gradios if gates.find(*route) is not None} == OF_GRADIO and len(gradios) > 50


def test_a_route_without_a_gate_stops_the_start_and_one_that_comes_later_is_closed(
    api_of: Callable, birds: Workplace
) -> None:
    app = api_of(birds, Judge(birds))
    app.add_api_route("/api/forgotten", lambda: "open", methods=["GET"])
    assert TestClient(app, base_url="http://127.0.0.1").get("/api/forgotten").status_code == 404
    with pytest.raises(ValueError, match="who may use these routes: GET /api/forgotten"):
        Gates(app.routes)


def own_gates(app: FastAPI, *whose: str) -> dict[tuple[str, str], Gate]:
    return {route: one for route, one in gates_of(app.routes).items() if one is not None and one.who in whose}


def test_what_people_with_accounts_change_or_take_away_is_written_down(house: House) -> None:
    silent = {
        path
        for (method, path), one in own_gates(house.app, *ROLES).items()
        if not one.deed and (method != "GET" or re.search(r"export|\.(csv|jsonl)|-set\.json", path))
    }
    assert silent == READ_BY_POST


# -- everybody and every route


@dataclass(frozen=True)
class House:
    """A server on the internet with two studies."""

    workplace: Workplace
    app: FastAPI
    studies: tuple[Study, Study]
    links: tuple[str, str]  # secrets of their links

    def browser(self, **headers: str) -> TestClient:
        return TestClient(self.app, base_url=ADDRESS, headers={**WRITE, **headers}, follow_redirects=False)

    def cookie(self, kind: str) -> str:
        from ui.services.key_file import Secret
        from ui.services.workplace import KEY
        from ui.web.access.cookies import Cookies

        return Cookies(Secret(self.workplace.data_dir / KEY).cookie_name, True).key(kind)  # type: ignore[arg-type]

    def account(self, role: str, name: str | None = None) -> TestClient:
        """A browser in which somebody with an account of that role has just signed in."""
        repository = self.workplace.repository
        name = name or f"{role}@lab.example"
        known = {account.name: account for account in repository.accounts.all()}
        account = known.get(name) or repository.accounts.add(name, role)
        browser = self.browser()
        browser.cookies.set(self.cookie("account"), repository.sessions.start_account(account))
        return browser

    def rater(self, study: int, code: str) -> TestClient:
        """A browser whose rater came by the link of the first or of the second study."""
        browser = self.browser(**{"X-Capscope-Link": self.links[study]})
        answer = browser.post("/api/rate/session", json={"code": code})
        assert answer.status_code == 200, answer.text
        return browser


@pytest.fixture
def house(birds: Workplace, api_of: Callable[..., FastAPI]) -> House:
    studies = make_study(birds, "first"), make_study(birds, "second")
    first, second = (birds.repository.links.make(study.id)[1] for study in studies)
    return House(birds, api_of(birds, Judge(birds), PUBLIC), studies, (first, second))


def path_of(path: str, house: House) -> str:
    """Return an address that a route answers, about things that are there."""
    account = house.workplace.repository.accounts.named("bystander")
    values = {"study_id": house.studies[0].id, "account_id": account.id, "nth": 0, "place": 0, "token": "x" * 32}
    values |= {"code": "K7", "kind": "csv", "suffix": ".csv", "name": "no data of this name"}
    return re.sub(r"{([\w:]+)}", lambda found: str(values.get(found[1], 1)), path)


def seen(browser: TestClient, method: str, path: str) -> str:
    """Return how a request fares: "in", or how it is turned away."""
    answer = browser.request(method, path)
    to = answer.headers.get("location", "")
    if answer.status_code == 303 and "/sign-in?next=" in to or answer.status_code == 401:
        return "sign in"
    return "not allowed" if answer.status_code == 403 else "in"


@pytest.mark.slow
def test_everybody_gets_exactly_what_is_theirs_of_every_route(house: House) -> None:
    house.workplace.repository.accounts.add("bystander", "admin")
    raters = {"nobody": house.browser(), "of the first": house.rater(0, "A1"), "of the second": house.rater(1, "B1")}
    wrong = []
    for (method, path), one in own_gates(house.app, *ROLES).items():
        for name in (*raters, *ROLES):
            browser = raters.get(name) or house.account(name)  # a session may end on the way
            found = seen(browser, method, path_of(path, house))
            ranks = ROLES.index(name) >= ROLES.index(one.who) if name in ROLES else None
            expected = {True: "in", False: "not allowed", None: "sign in"}[ranks]
            wrong += [(method, path, name, found)] if found != expected else []
    assert wrong == []


def test_what_is_nobodys_is_not_there_for_an_admin_either(house: House) -> None:
    admin = house.account("admin")
    for path in ("file=/etc/passwd", "proxy=x", "queue/data", "queue/join", "upload", "component_server"):
        assert admin.get(f"/gradio_api/{path}").status_code == admin.post(f"/gradio_api/{path}").status_code == 404, (
            path
        )
    assert [admin.get(path).status_code for path in ("/openapi.json", "/monitoring", "/login")] == [404] * 3
    for method in ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
        assert admin.request(method, "/api/datasets").status_code == 404


def test_a_page_leads_to_signing_in_and_back_and_everything_else_says_so(house: House) -> None:
    page = house.browser().get("/studies?of=birds&x=%2F")
    assert (page.status_code, page.headers["location"]) == (303, "/sign-in?next=/studies%3Fof%3Dbirds%26x%3D%252F")
    data = house.browser().get("/api/datasets")
    assert (data.status_code, data.json()) == (401, {"kind": "sign_in", "detail": "Sign in first."})
    viewer = house.account("viewer")
    told = viewer.put("/api/analyse/slices", json={})
    assert (told.status_code, told.json()["kind"]) == (403, "not_allowed")
    page = viewer.get("/people")
    assert (
        page.status_code == 403
        and "has the role of a viewer" in page.text
        and "script-src 'self' 'sha256-" in page.headers[POLICY]
    )


POLICY = "content-security-policy"


def test_without_sign_in_whoever_reaches_this_machine_is_its_owner(birds: Workplace, api_of: Callable) -> None:
    browser = TestClient(api_of(birds, Judge(birds)), base_url="http://127.0.0.1", headers=WRITE)
    make_study(birds)
    for path in ("/studies", "/people", "/people/log", "/api/rate/studies"):
        assert browser.get(path).status_code == 200
    assert browser.post("/api/rate/session", json={"code": "K7"}).json()["rater"]["code"] == "K7"


def test_a_rater_gets_their_own_study_and_hears_of_no_other(house: House) -> None:
    first, second = house.rater(0, "A1"), house.rater(1, "B1")
    assert [study["title"] for study in first.get("/api/rate/studies").json()] == ["first"]
    mine, theirs = house.studies
    (item,) = first.get(f"/api/rate/studies/{mine.id}/items?count=1").json()["items"]
    other = first.get(f"/api/rate/studies/{theirs.id}/items")
    assert other.status_code == 404 and other.json()["detail"] == f"There is no study number {theirs.id}."
    assert first.get(f"/api/rate/studies/{theirs.id + 99}/items").status_code == 404
    assert second.get(f"/api/rate/items/{item['id']}/image").status_code == 404
    assert second.post("/api/rate/saves", json={"saves": [save(item)]}).status_code == 404
    assert first.post("/api/rate/saves", json={"saves": [save(item)]}).json()["results"][0]["saved"]


def test_nobody_gets_the_code_or_the_key_of_another_studys_rater(house: House) -> None:
    first, second = house.studies
    researcher, rater = house.account("researcher"), house.rater(0, "V1")
    refused = researcher.post(f"/studies/{second.id}/links", data={"codes": "V1"})
    assert refused.status_code == 400 and "V1" in refused.text and first.name not in refused.text
    assert researcher.post(f"/studies/{second.id}/raters/V1/key").status_code == 404
    assert rater.get(f"/api/rate/studies/{first.id}/items").status_code == 200
    key = rater.get("/api/rate/session").json()["rater"]["return_key"]
    assert key in researcher.post(f"/studies/{first.id}/raters/V1/key").text
    assert key not in researcher.get(f"/studies/{first.id}").text
    token = house.workplace.repository.links.make(second.id)[1]
    stranger = house.browser(**{"X-Capscope-Link": token})
    assert stranger.post("/api/rate/session", json={"code": "V1", "return_key": key}).status_code == 410
    assert stranger.get("/api/rate/session").json()["rater"] is None


def test_one_browser_may_hold_two_links_without_mixing_them(house: House) -> None:
    repository = house.workplace.repository
    browser, items = house.browser(), []
    for study, code in zip(house.studies, ("K7", "M3"), strict=True):
        token = repository.links.make(study.id, code)[1]
        own = {"X-Capscope-Link": token}
        assert browser.get("/api/rate/session", headers=own).json() == {"rater": None, "given": code, "panel": None}
        assert browser.post("/api/rate/session", json={"code": "x"}, headers=own).json()["rater"]["code"] == code
        items.append((own, browser.get(f"/api/rate/studies/{study.id}/items?count=1", headers=own).json()["items"][0]))
    (one, here), (two, there) = items
    assert browser.get(f"/api/rate/studies/{house.studies[1].id}/items", headers=one).status_code == 404
    assert browser.post("/api/rate/saves", json={"saves": [save(there)]}, headers=one).status_code == 404
    assert browser.post("/api/rate/saves", json={"saves": [save(there)]}, headers=two).status_code == 200
    for item in (here, there):  # a picture is asked for without saying by which link
        assert browser.get(f"/api/rate/items/{item['id']}/image").status_code in (200, 403)
    assert len(browser.cookies) == 2


def test_without_a_link_nobody_registers_comes_back_or_goes_on(house: House) -> None:
    from ui.services.key_file import Secret
    from ui.services.workplace import KEY

    repository, browser = house.workplace.repository, house.browser()
    key = Secret(house.workplace.data_dir / KEY).return_key(repository.raters.add("OLD").id)
    for body in ({"code": "NEW"}, {"code": "OLD"}, {"code": "OLD", "return_key": key}):
        answer = browser.post("/api/rate/session", json=body)
        assert (answer.status_code, answer.json()["kind"]) == (401, "signed_out")
    assert browser.get("/api/rate/studies").json() == []
    browser.cookies.set(house.cookie("rater"), repository.sessions.start_rater(repository.raters.named("OLD")))
    assert browser.get("/api/rate/session").json()["rater"] is None  # from when no sign-in was demanded
    assert house.account("viewer").post("/api/rate/session", json={"code": "V"}).status_code == 401
    researcher = house.account("researcher")
    assert researcher.post("/api/rate/session", json={"code": "TRY"}).status_code == 200
    assert len(researcher.get("/api/rate/studies").json()) == 2


def test_an_invented_link_lets_nobody_in(house: House) -> None:
    for link in ("", "x", "x" * 32, "../../x"):
        browser = house.browser(**{"X-Capscope-Link": link})
        assert browser.post("/api/rate/session", json={"code": "A1"}).status_code in (401, 410)
        assert browser.get("/api/rate/studies").status_code == 410 or browser.get("/api/rate/studies").json() == []


def test_nobody_reads_out_by_a_link_who_rates_in_other_studies(house: House) -> None:
    house.rater(0, "VICTIM")
    browser = house.browser(**{"X-Capscope-Link": house.links[1]})
    guesses = [browser.post("/api/rate/session", json={"code": "VICTIM"}).status_code for _ in range(NEW_RATERS + 1)]
    assert guesses == [409] * NEW_RATERS + [429]
    assert browser.post("/api/rate/session", json={"code": "NEW"}).status_code == 429  # which tells as little


def test_a_closed_link_tells_nothing_of_its_study_but_to_those_who_rate_by_it(house: House) -> None:
    inside, links = house.rater(0, "A1"), house.workplace.repository.links
    links.close(house.studies[0].id, 1)
    assert [study["title"] for study in inside.get("/api/rate/studies").json()] == ["first"]
    late = house.browser(**{"X-Capscope-Link": house.links[0]}).get("/api/rate/studies")
    assert (late.status_code, late.json()["kind"]) == (410, "link_over") and "first" not in late.text


# -- return keys, links, and what the log says


def test_links_are_made_listed_and_closed_and_the_log_knows(house: House) -> None:
    researcher, study = house.account("researcher"), house.studies[0]
    path, links = f"/studies/{study.id}", house.workplace.repository.links
    made = researcher.post(f"{path}/links", data={"codes": "k7, M3 k7", "uses": "2"}).text
    tokens = re.findall(r'value="https://127\.0\.0\.1/r/([\w-]{32})"', made)
    assert len(tokens) == 2 and not any(token in researcher.get(path).text for token in tokens)
    found = {(one.rater, one.uses_allowed) for one in links.of_study(study.id)}
    assert found == {("K7", 2), ("M3", 2), (None, OPEN_USES)}
    link = links.find(tokens[0])
    assert link is not None and researcher.post(f"{path}/links/{link.id}/close").status_code == 303
    closed = links.find(tokens[0])
    assert closed is not None and closed.closed_at is not None
    told = [(one.deed, one.object) for one in house.workplace.repository.audit.all()]
    assert ("study link made", "study first, links: K7, M3") in told
    assert ("study link closed", f"study first: link {link.id}") in told
    for body in ({"uses": "0"}, {"codes": "two_words!"}):
        assert researcher.post(f"{path}/links", data=body).status_code == 400


def test_the_log_tells_what_each_colleague_wrote_or_took_and_nothing_that_failed(house: House) -> None:
    researcher, viewer, study = house.account("researcher"), house.account("viewer"), house.studies[0]
    draft = {"name": "third", "dataset": "birds", "form": "expert-single", "criteria": "factuality", "state": "draft"}
    assert [researcher.post("/studies/new", data=draft).status_code for _ in range(2)] == [303, 400]
    assert viewer.post("/studies/new", data=draft | {"name": "fourth"}).status_code == 403
    assert viewer.get(f"/api/studies/{study.id}/export.csv").status_code == 200
    assert viewer.get(f"/studies/{study.id}").status_code == 200
    entries = list(house.workplace.repository.audit.all())
    assert {one.address for one in entries} == {"testclient"}
    told = [(one.actor, one.deed, one.object) for one in entries]
    assert told == [
        ("researcher@lab.example", "study made", "study third"),
        ("viewer@lab.example", "ratings exported", "study first, .csv"),
    ]


def test_a_link_that_is_absent_or_closed_says_so_and_a_used_up_one_opens(house: House) -> None:
    links, study = house.workplace.repository.links, house.studies[0]
    closed, token = links.make(study.id)
    links.close(study.id, closed.id)
    once, used = links.make(study.id, uses=1)
    assert house.browser().get(f"/r/{used}").status_code == 200
    links.enter(once, "ONCE")
    told = {}
    for link in ("x" * 32, token, used):
        page = house.browser().get(f"/r/{link}")
        told[link] = (page.status_code, *re.findall(r"<h1>(.*)</h1>", page.text))
        assert "unsafe" not in page.headers[POLICY] and "<nav" not in page.text
    assert list(told.values()) == [
        (404, "This link does not exist"),
        (410, "This study no longer takes answers by this link"),
        (200,),  # known raters enter with their return keys
    ]


def answers_in(page: str) -> dict[str, Any] | None:
    """Return the answers that came with a page, by path."""
    found = re.findall(r'<meta name="capscope-answers" content="([^"]+)">', page)
    return json.loads(html.unescape(found[0])) if found else None


def test_the_page_of_a_new_rater_holds_the_answers_that_it_asks_for_first(house: House) -> None:
    for code in (None, "K7"):
        token = house.workplace.repository.links.make(house.studies[0].id, code)[1]
        page = house.browser().get(f"/r/{token}").text
        asked = house.browser(**{"X-Capscope-Link": token})
        paths = ("/api/rate/session", "/api/rate/studies")
        assert answers_in(page) == {path: asked.get(path).json() for path in paths}
        assert "second" not in json.dumps(answers_in(page))


def test_the_page_of_a_known_rater_or_of_a_panels_link_holds_no_answers(house: House) -> None:
    """A known rater's answers hold a return key, and somebody from a panel is let in before the study is asked for."""
    known = house.rater(0, "A1")
    key = known.get("/api/rate/session").json()["rater"]["return_key"]
    page = known.get(f"/r/{house.links[0]}").text
    assert answers_in(page) is None and key not in page
    _, panels = house.workplace.repository.links.make(house.studies[0].id, panel=PRESETS[0])
    assert answers_in(house.browser().get(f"/r/{panels}").text) is None


# -- whose codes they are


def test_the_account_is_the_coder_where_people_sign_in(house: House) -> None:
    ann, bob = (house.account("researcher", f"{name}@lab.example") for name in ("ann", "bob"))
    metric = METRICS[0]

    def code(by: TestClient, coder: str, key: str | None) -> int:
        body = {"sample": 1, "metric": metric, "codebook": "expert", "coder": coder, "code": key}
        return by.put("/api/coding/codes", json=body).status_code

    def stored() -> list[tuple[str, str]]:
        coded = house.workplace.repository.codings.coded("birds", metric, "expert")
        return [(one.coder, one.code) for one in coded.codings]

    assert code(ann, "ann@lab.example", "others") == 200
    for key in (None, "human-error"):
        assert code(bob, "ann@lab.example", key) == 403
    assert code(ann, "somebody", "others") == 403
    assert stored() == [("ann@lab.example", "others")]
    assert code(ann, "ann@lab.example", "human-error") == code(ann, "ann@lab.example", None) == 200
    told = [one.object for one in house.workplace.repository.audit.all() if one.deed == "sample coded"]
    rest = f"codebook expert, metric {metric}"
    assert told == [
        f"sample 1, coder ann@lab.example, changed from no code to others, {rest}",
        f"sample 1, coder ann@lab.example, changed from others to human-error, {rest}",
        f"sample 1, coder ann@lab.example, changed from human-error to no code, {rest}",
    ]
