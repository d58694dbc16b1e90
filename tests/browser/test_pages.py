"""All pages: accessible, usable on a phone, quiet on the network; studies made and watched in the browser."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.axe import findings_in_both_colours
from tests.browser.conftest import (
    Server,
    enter,
    framed,
    make_study,
    rate_by_keys,
    ratings,
    saved,
    wait_until,
)


def test_axe_finds_nothing_on_the_pages_of_a_rater_light_or_dark(page: Page, server: Server) -> None:
    studies = [
        make_study(server, f"axe {form}", form=form, size=1) for form in ("expert-single", "expert-side-by-side")
    ]
    found: dict[str, list[str]] = {}
    page.goto(f"{server.url}/rate?study={studies[0].id}")
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    found["welcome"] = findings_in_both_colours(page)
    enter(page, server, studies[0], "axe1")
    found["item"] = findings_in_both_colours(page)
    rate_by_keys(page, "333")
    expect(page.locator("figure img")).to_be_visible()
    found["item with picture"] = findings_in_both_colours(page)
    page.keyboard.press("g")
    found["guidelines"] = findings_in_both_colours(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    found["done"] = findings_in_both_colours(page)
    page.goto(f"{server.url}/rate?study={studies[1].id}")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", name="Evaluator 1")).to_be_visible()
    found["side by side"] = findings_in_both_colours(page)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


class HeldFrame:
    """Gradio's scripts, which are kept from a page until its frame may be drawn."""

    def __init__(self, page: Page) -> None:
        self.held: list[Route] = []
        self._holds = True
        page.route("**/assets/*.js", lambda route: self.held.append(route) if self._holds else route.continue_())

    def release(self) -> None:
        self._holds = False
        for route in self.held:
            route.continue_()


@pytest.mark.parametrize("form", ["expert-single", "expert-side-by-side"])
def test_an_item_is_rated_on_a_phone_without_scrolling_sideways(phone: Page, server: Server, form: Any) -> None:
    study, page = make_study(server, f"phone {form}", form=form, size=1), phone
    enter(page, server, study, f"phone{form[-4:]}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    for group in page.get_by_role("group").all():
        if group.evaluate("node => node.tagName") == "FIELDSET":
            group.locator("input[value='2']").tap()
    saved(page)
    page.get_by_role("button", name="Next").tap()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    for route in ("inspect", "studies"):
        page.goto(f"{server.url}/{route}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert len(ratings(server, study)) == study.panels * 3


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Server]:
    """A server as people start it for the first time."""
    running = Server(tmp_path / "fresh")
    running.data_dir.mkdir()
    running.start(cold=True)
    yield running
    running.stop()


def test_a_fresh_data_folder_leads_to_a_first_saved_rating(page: Page, fresh: Server) -> None:
    page.goto(f"{fresh.url}/rate")
    expect(page.get_by_text("illustrations written by hand")).to_be_visible()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("status").filter(has_text="1 of 18")).to_be_visible()
    page.keyboard.press("3")
    saved(page)
    expect(page.locator("figure img")).to_be_visible()
    expect(page.get_by_text("illustrations written by hand")).to_be_visible()


def test_a_page_is_used_before_gradio_has_drawn_its_frame_and_keeps_its_focus_there(page: Page, server: Server) -> None:
    frame = HeldFrame(page)
    page.goto(f"{server.url}/inspect?sample=1", wait_until="commit")
    opener = page.get_by_role("button", name="Find samples")
    opener.click()
    expect(page.get_by_role("heading", name="FLEUR")).to_be_visible()
    where = opener.bounding_box()
    field = page.get_by_role("searchbox").first
    field.fill("number")
    assert frame.held and page.locator("gradio-app nav").count() == 0
    frame.release()
    framed(page)
    expect(page.get_by_role("navigation", name="Pages")).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_value("number")
    assert where is not None
    wait_until(lambda: opener.bounding_box() == pytest.approx(where, abs=2), "everything to stand where it stood")


def test_a_style_sheet_of_gradios_that_fails_once_does_not_keep_the_frame_away(page: Page, server: Server) -> None:
    page.route(re.compile(r"/assets/HTML-\w+\.css$"), lambda route: route.abort(), times=1)
    with page.expect_event("requestfailed"):
        page.goto(server.url)
    framed(page)
