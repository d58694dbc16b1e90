"""All pages: accessible, usable on a phone, quiet on the network; studies made and watched in the browser."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.axe import findings_in_both_colours
from tests.browser.conftest import (
    FOCUS_IS_THERE,
    Server,
    come_back,
    enter,
    framed,
    make_study,
    rate_by_keys,
    ratings,
    saved,
    wait_until,
)

COUNT_FRAMES = """
  const native = window.nativeFrame ??= requestAnimationFrame.bind(window);
  window.drawn = 0;
  window.requestAnimationFrame = (draw) => native((time) => { window.drawn += 1; draw(time); });
"""
DRAWN_IN_TWENTY_FRAMES = """async () => {
  const before = window.drawn;
  for (let frame = 0; frame < 20; frame++) await new Promise(nativeFrame);
  return window.drawn - before;
}"""


def test_axe_finds_nothing_on_any_page_light_or_dark(page: Page, server: Server) -> None:
    studies = [make_study(server, f"axe {form}", form=form, size=1) for form in ("single", "side_by_side")]
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
    page.goto(f"{server.url}/inspect")
    page.get_by_role("button", name="Find samples").click()
    page.locator(".sample-list").get_by_role("button", name="A scene with 1 coloured").click()
    expect(page.get_by_role("heading", name="FLEUR")).to_be_visible()
    found["inspect"] = findings_in_both_colours(page)
    page.goto(f"{server.url}/studies")
    expect(page.get_by_role("heading", name="axe single")).to_be_visible()
    found["studies"] = findings_in_both_colours(page)
    page.get_by_role("button", name="New study").click()
    found["new study"] = findings_in_both_colours(page)
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


@pytest.mark.parametrize("form", ["single", "side_by_side"])
def test_an_item_is_rated_on_a_phone_without_scrolling_sideways(phone: Page, server: Server, form: Any) -> None:
    study, page = make_study(server, f"phone {form}", form=form, size=1), phone
    enter(page, server, study, f"phone{form[:4]}")
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


def test_at_200_percent_zoom_everything_is_reachable(new_page: Page, context: BrowserContext, server: Server) -> None:
    study, page = make_study(server, "zoomed", size=1), new_page
    zoomed = {"width": 640, "height": 400, "deviceScaleFactor": 2, "mobile": False}
    context.new_cdp_session(page).send("Emulation.setDeviceMetricsOverride", zoomed)
    enter(page, server, study, "zoomed1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    rate_by_keys(page, "111\n")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()


def test_the_light_and_dark_switch_is_remembered(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/studies")
    page.get_by_role("button", name="Switch to dark colours").click()
    expect(page.locator("body")).to_have_class("dark")
    page.reload()
    expect(page.get_by_role("button", name="Switch to light colours")).to_be_visible()
    expect(page.locator("body")).to_have_class("dark")


def test_a_study_is_made_in_three_steps_with_a_preview(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/studies")
    page.get_by_role("button", name="New study").click()
    page.get_by_label("Name").fill("made in the browser")
    page.get_by_role("group", name="Data set").get_by_role("radio", name="squares").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Side by side").check()
    page.get_by_role("checkbox", name="EXPERT").check()
    page.get_by_role("checkbox", name="CLAIR").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Items", exact=True).fill("99")
    expect(page.get_by_role("alert")).to_contain_text("too few samples")
    page.get_by_label("Items", exact=True).fill("2")
    page.get_by_label("Seed").fill("8")
    expect(page.locator(".preview")).to_contain_text("2 items (all: 2), seed 8")
    expect(page.locator(".preview .gauge")).to_have_count(2)
    page.get_by_role("button", name="Create study").click()
    card = page.locator("article", has=page.get_by_role("heading", name="made in the browser"))
    expect(card).to_contain_text("side by side")
    expect(card).to_contain_text("2 items")
    made = next(s for s in httpx_json(server, "/api/studies") if s["name"] == "made in the browser")
    assert (made["metrics"], made["seed"], made["form"]) == (["CLAIR", "EXPERT"], 8, "side_by_side")


def test_progress_is_refreshed_while_people_rate(page: Page, other: Page, server: Server) -> None:
    study = make_study(server, "watched", size=2)
    page.goto(f"{server.url}/studies")
    card = page.locator("article", has=page.get_by_role("heading", name="watched"))
    expect(card).to_contain_text("No rater has started yet")
    enter(other, server, study, "watched1")
    rate_by_keys(other, "444\n")
    saved(other)
    expect(card).to_contain_text("1 of 2")
    card.get_by_role("button", name="Report").click()
    expect(page.get_by_role("dialog", name="Report: watched")).to_contain_text("4.000")
    page.keyboard.press("Escape")
    with page.expect_download() as download:
        card.get_by_role("link", name="Export .jsonl").click()
    lines = download.value.path().read_text().splitlines()
    assert [json.loads(line)["rating"] for line in lines] == [4, 4, 4]


def test_a_refresh_of_the_studies_takes_no_focus_and_closes_nothing(page: Page, other: Page, server: Server) -> None:
    study = make_study(server, "still", size=2)
    enter(other, server, study, "still1")
    rate_by_keys(other, "444\n")
    saved(other)
    page.goto(f"{server.url}/studies")
    card = page.locator("article", has=page.get_by_role("heading", name="still", exact=True))
    key = card.locator("tr", has_text="STILL1").get_by_role("button", name="show")
    key.click()
    key = card.locator("tr code")
    expect(key).to_be_focused()
    card.get_by_role("button", name="Report").focus()
    with page.expect_response(lambda answer: answer.url.endswith("/api/studies") and answer.status == 304):
        pass  # nothing is new: no body, and everything stays
    expect(card).to_contain_text("1 of 2")
    rate_by_keys(other, "333\n")
    saved(other)
    come_back(page)
    expect(card).to_contain_text("2 of 2")
    expect(card.get_by_role("button", name="Report")).to_be_focused()
    expect(card.locator("tr code")).to_be_visible()
    key.focus()
    make_study(server, "still another", size=1)
    come_back(page)
    expect(page.get_by_role("heading", name="still another")).to_be_visible()
    expect(key).to_be_focused()


def test_samples_are_found_and_opened_by_their_address(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/inspect")
    page.get_by_role("button", name="Find samples").click()
    page.get_by_label("Search").fill("3 coloured")
    expect(page.get_by_text("1 sample", exact=True)).to_be_visible()
    expect(page.get_by_text("The sample that was open is not in this list")).to_be_visible()
    expect(page.locator(".marked-caption")).to_have_text("A scene with 3 coloured squares.")
    expect(page.get_by_role("button", name="Next sample")).to_be_disabled()
    page.locator(".sample-list").get_by_role("button", name="A scene with 3 coloured").click()
    expect(page.get_by_role("heading", name="EXPERT")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="EXPERT")).to_be_visible()
    expect(page.get_by_label("Search")).to_have_value("3 coloured")


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


def httpx_json(server: Server, path: str) -> Any:
    import httpx

    return httpx.get(server.url + path).json()


def test_a_click_counts_although_gradio_draws_its_frame_in_the_middle_of_it(page: Page, server: Server) -> None:
    """The page moved into the frame between press and release: Start did nothing, and said nothing."""
    study = make_study(server, "pressed")
    frame = HeldFrame(page)
    page.goto(f"{server.url}/rate?study={study.id}", wait_until="commit")
    page.get_by_label("Your code").fill("pressed1")
    page.get_by_role("button", name="Start").hover()
    page.mouse.down()
    frame.release()
    expect(page.locator(".capscope-place")).to_have_count(1)
    page.mouse.up()
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    expect(page.locator(".capscope-place > .capscope")).to_have_count(1)


def test_on_a_phone_nothing_moves_under_the_finger_when_gradio_draws_its_frame(phone: Page, server: Server) -> None:
    """The page scrolled down to the focused item, so a tap met something else."""
    study, page = make_study(server, "unmoved", size=1), phone
    frame = HeldFrame(page)
    page.goto(f"{server.url}/rate?study={study.id}", wait_until="commit")
    page.get_by_label("Your code").fill("unmoved1")
    page.get_by_role("button", name="Start").tap()
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    page.wait_for_function(FOCUS_IS_THERE)
    before = page.locator("fieldset").first.bounding_box()
    page.evaluate("() => { window.told = []; document.addEventListener('focusin', () => told.push('focus')); }")
    frame.release()
    framed(page)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    after = page.locator("fieldset").first.bounding_box()
    assert before and after
    assert abs(before["y"] - after["y"]) < 1  # the frame's height is not a whole number of pixels
    assert page.evaluate(FOCUS_IS_THERE)
    assert page.evaluate("told") == []  # a focus event could replace a message, although the focus is the same


def test_a_page_is_used_before_gradio_has_drawn_its_frame_and_keeps_its_focus_there(page: Page, server: Server) -> None:
    frame = HeldFrame(page)
    page.goto(f"{server.url}/inspect?sample=1", wait_until="commit")
    opener = page.get_by_role("button", name="Find samples")
    opener.click()
    expect(page.get_by_role("heading", name="FLEUR")).to_be_visible()
    where = opener.bounding_box()
    field = page.get_by_role("searchbox").first
    field.fill("coloured")
    assert frame.held and page.locator("gradio-app nav").count() == 0
    frame.release()
    expect(page.locator("gradio-app .capscope-place > .capscope")).to_have_count(1)
    expect(page.get_by_role("navigation", name="Pages")).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_value("coloured")
    assert where is not None
    wait_until(lambda: opener.bounding_box() == pytest.approx(where, abs=2), "everything to stand where it stood")


@pytest.mark.parametrize("path", ["/", "/rate", "/analyse", "/studies"])
def test_an_open_page_draws_nothing_while_nothing_happens(page: Page, server: Server, path: str) -> None:
    """Gradio's loading notice counted seconds at every frame for as long as the page was open: 7 % of a core."""
    page.add_init_script(COUNT_FRAMES)
    page.goto(server.url + path)
    expect(page.locator(".capscope-place > .capscope")).to_have_count(1)
    wait_until(lambda: page.evaluate(DRAWN_IN_TWENTY_FRAMES) == 0, "the page to draw nothing")
