"""Places of the Inspect page's parts: nothing is cut off, covered, or moved while somebody points."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Server
from tests.browser.test_inspect import open_sample
from tests.browser.test_inspect_at_a_glance import demo as demo

RED_BUS = "A red bus waits behind a horse."


def box(part: Locator) -> dict[str, float]:
    """The place of a part in the window."""
    found: Any = part.bounding_box()
    assert found
    return {**found, "right": found["x"] + found["width"], "bottom": found["y"] + found["height"]}


def test_an_edited_caption_survives_a_reload_and_is_in_the_link(page: Page, demo: Server) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_sample(page, demo, RED_BUS)
    field, edited = page.get_by_label("Caption to score"), "A <b>blue</b> bus & “men”."
    field.fill(edited)
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Link copied", exact=True)).to_be_visible()
    page.goto("about:blank")
    page.goto(demo.url)
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto(link)
    expect(field).to_have_value(edited)
    expect(page.locator(".change-score")).to_contain_text("HICE-S")
    expect(page.locator(".sample-view b", has_text="blue")).to_have_count(0)
    page.reload()
    expect(field).to_have_value(edited)
    page.get_by_role("button", name="Undo").click()
    expect(page).not_to_have_url(re.compile("caption="))
    field.fill("A bus. " * 800)
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Link copied without the edited caption")).to_be_visible()


def test_on_a_phone_a_tapped_phrase_shows_the_picture_with_its_region(phone: Page, demo: Server) -> None:
    page = phone
    page.set_viewport_size({"width": 390, "height": 700})
    open_sample(page, demo, RED_BUS)
    phrase = page.locator(".phrase", has_text="red bus")
    phrase.evaluate("(chip) => chip.scrollIntoView({block: 'start'})")
    phrase.tap()
    expect(page.locator(".region-stage")).to_be_in_viewport(ratio=0.9)
    expect(page.locator(".sample-seen .readout")).to_be_in_viewport(ratio=0.9)
