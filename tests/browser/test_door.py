"""Where sign-in is demanded: a study behind a link, from the letter to the last answer; colleagues at their pages."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.studies.asking.questionnaire import questions_of
from core.studies.planning.platforms import End, Platform
from storage.study_types import Study
from tests.browser.axe import findings, findings_in_both_colours
from tests.browser.conftest import Server, make_study, rate_by_keys, saved, serving, with_workplace
from tests.transfers import Transfers

PASSWORD = "correct horse battery staple"
MOST_REQUESTS, MOST_BYTES = 15, 150 * 1024  # of a first visit, before the first picture


@pytest.fixture(scope="module")
def guarded(squares: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that demands sign-in, with a small data set."""
    with serving(tmp_path_factory.mktemp("guarded") / "data", squares, CAPSCOPE_PUBLIC_URL="URL") as running:
        yield running


def link_into(server: Server, study: Study, code: str | None = None, uses: int | None = None) -> str:
    token = with_workplace(server, lambda w: w.repository.links.make(study.id, code, uses)[1])
    return f"{server.url}/r/{token}"


def violations(page: Page) -> list[str]:
    """Return what the content policy forbade and what scripts threw, as they come."""
    seen: list[str] = []
    page.on("console", lambda message: seen.append(message.text) if "Content Security" in message.text else None)
    page.on("pageerror", lambda error: seen.append(str(error)))
    return seen


def test_a_rater_comes_by_a_link_rates_everything_and_sees_nothing_else(page: Page, guarded: Server) -> None:
    study = make_study(guarded, "behind a link", size=2)
    make_study(guarded, "nobody may hear of this", size=2)
    forbidden, asked = violations(page), []
    page.on("request", lambda request: asked.append(request.url.removeprefix(guarded.url)))
    page.goto(link_into(guarded, study, "K7", uses=1))
    expect(page.get_by_text("You rate as K7.")).to_be_visible()
    assert page.get_by_role("navigation").count() == page.get_by_role("link").count() == 0
    assert "nobody may hear" not in page.content() and page.get_by_role("combobox").count() == 0
    assert findings(page) == []
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    rate_by_keys(page, "444\n333")
    expect(page.locator("[role=status]").filter(has_text="item 2 of 2")).to_contain_text("Saved")
    assert findings(page) == []
    page.reload()  # the link is used up; whoever is in goes on, here to the end
    expect(page.get_by_role("heading", name=re.compile("Thank you|done", re.IGNORECASE))).to_be_visible()
    paths = {re.sub(r"\?.*|[0-9a-zA-Z_-]{16,}|\d+", "", path) for path in asked}
    assert all(path.startswith(("/r/", "/api/rate/", "/capscope/")) for path in paths), paths
    assert forbidden == []


def test_a_first_visit_by_a_link_costs_few_requests_and_bytes(page: Page, guarded: Server) -> None:
    study = make_study(guarded, "on a slow phone", size=2, veil=False)
    session = page.context.new_cdp_session(page)
    transfers = Transfers(session)
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.goto(link_into(guarded, study))
    page.get_by_label("Your code").fill("THRIFTY")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("button", name="Enlarge the picture")).to_be_visible()
    before = transfers.before("/image")
    seen = [(one.url.removeprefix(guarded.url), one.bytes) for one in before]
    assert len(before) <= MOST_REQUESTS, seen
    assert 0 < sum(one.bytes for one in before) <= MOST_BYTES, seen
    assert not any(path == "/api/rate/studies" for path, _ in seen), "it comes with the page"
    ours = [one.url.rpartition("/")[2] for one in before if "/capscope/" in one.url]
    assert sorted(name for name in ours if not name.endswith(".svg")) == ["study.css", "study.js"]


def test_a_used_up_link_turns_others_away_and_lets_its_raters_come_back(
    page: Page, other: Page, guarded: Server
) -> None:
    address = link_into(guarded, make_study(guarded, "for one only", size=2), uses=1)
    page.goto(address)
    page.get_by_label("Your code").fill("first1")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    rate_by_keys(page, "2")
    saved(page)
    page.get_by_role("button", name="FIRST1").click()
    key = page.get_by_role("dialog").locator(".return-key").inner_text()
    other.goto(address)
    other.get_by_label("Your code").fill("first1")
    other.get_by_role("button", name="Start").click()
    expect(other.get_by_role("alert")).to_have_text("This link has been used as often as allowed.")
    other.get_by_label("Return key").fill(key)
    other.get_by_role("button", name="Start").click()
    expect(other.get_by_role("button", name="FIRST1")).to_be_visible()


def test_who_comes_to_a_closed_study_is_told_before_anything_is_asked(page: Page, guarded: Server) -> None:
    study = make_study(guarded, "no more", size=2)
    address, later = link_into(guarded, study), link_into(guarded, study)
    with_workplace(guarded, lambda w: w.repository.studies.settle(study.id, consent="You agree to all of it."))
    page.goto(address)
    page.get_by_label("Your code").fill("EARLY1")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("You agree to all of it.")).to_be_visible()
    with_workplace(guarded, lambda w: w.repository.studies.step(study.id, "closed"))
    page.reload()  # who is known is asked nothing
    expect(page.get_by_role("heading", name="This study is closed")).to_be_visible()
    expect(page.get_by_text("You agree to all of it.")).to_have_count(0)
    page.goto(later)  # who is not known need not read what it was about
    expect(page.get_by_role("heading", name="This study is closed")).to_be_visible()
    expect(page.get_by_text("Hello and Welcome!")).to_have_count(0)
    page.get_by_label("Your code").fill("LATE1")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_label("Return key")).to_be_focused()
    assert findings(page) == []


def test_a_recruitment_platform_gets_its_raters_back_with_a_code(page: Page, other: Page, guarded: Server) -> None:
    study = make_study(guarded, "recruited", size=1, veil=False)
    platform = Platform(
        "Prolific",
        "PROLIFIC_PID",
        ends={"done": End("DONE-1", "https://app.prolific.example/done?cc={code}"), "full": End("FULL-2")},
    )
    asked = {"consent": "You agree.", "after": questions_of("How was it?")}
    with_workplace(guarded, lambda w: w.repository.studies.settle(study.id, **asked))
    token = with_workplace(guarded, lambda w: w.repository.links.make(study.id, panel=platform)[1])
    address = f"{guarded.url}/r/{token}"
    page.goto(address)
    expect(page.get_by_role("heading", name="Open this study from Prolific")).to_be_visible()
    page.goto(f"{address}?PROLIFIC_PID=5f3a")
    page.get_by_role("button", name="I agree and take part").click()
    assert "5f3a" not in page.url
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    rate_by_keys(page, "444\n")
    page.get_by_label("How was it?").fill("Fine")
    page.get_by_role("button", name="Finish").click()
    expect(page.locator(".return-key")).to_have_text("DONE-1")
    back = page.get_by_role("link", name="Go back to Prolific")
    expect(back).to_have_attribute("href", "https://app.prolific.example/done?cc=DONE-1")
    assert findings(page) == []
    other.goto(f"{address}?PROLIFIC_PID=77aa")
    other.get_by_role("button", name="I agree and take part").click()
    other.get_by_role("button", name="Start").click()
    expect(other.get_by_role("button", name="Next")).to_be_visible()
    other.get_by_title("Your code and return key").click()
    other.get_by_role("button", name="Leave this study").click()
    other.get_by_role("button", name="Leave the study").click()
    expect(other.get_by_role("heading", name="You have left this study")).to_be_visible()
    expect(other.get_by_text("Return the study at Prolific as well")).to_be_visible()


def signed_in(page: Page, server: Server) -> str:
    """Make an account, set its password by its link as people do; returns its name."""
    name = "admin@lab.example"
    with_workplace(server, lambda w: w.repository.accounts.add(name, "admin"))
    token = with_workplace(server, lambda w: w.repository.accounts.new_link(name, timedelta(hours=1)))
    page.goto(f"{server.url}/password/{token}")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat the password").fill(PASSWORD)
    page.get_by_role("button", name="Set password and sign in").click()
    expect(page.get_by_text(name, exact=True)).to_be_visible()
    return name


def test_axe_finds_nothing_on_the_pages_of_the_door_light_or_dark_and_a_phone_needs_no_sideways_scrolling(
    page: Page, guarded: Server
) -> None:
    forbidden = violations(page)
    page.goto(f"{guarded.url}/studies")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert findings_in_both_colours(page) == []
    name = signed_in(page, guarded)
    for path in ("/people", "/people/log"):
        page.goto(f"{guarded.url}{path}")
        assert findings_in_both_colours(page) == []
        page.set_viewport_size({"width": 320, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        page.set_viewport_size({"width": 1280, "height": 720})
    page.get_by_role("button", name="Sign out", exact=True).first.click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill("not the password")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("The name or the password is wrong.")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text(name, exact=True)).to_be_visible()
    assert forbidden == []
