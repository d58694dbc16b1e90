"""A rater reports an item by a key and skips it; the manager answers; the rater reads the answer at the next visit."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.conftest import Server, enter, make_study, rate_by_keys, saved, with_workplace


def test_a_rater_skips_an_item_and_reads_the_managers_answer(page: Page, other: Page, server: Server) -> None:
    study = make_study(server, "speaking", size=2)
    with_workplace(server, lambda w: w.repository.life.settle(study.id, contact="lab@example.org"))
    page.goto(f"{server.url}/rate?study={study.id}")
    expect(page.get_by_text("£9.00 for an hour of work")).to_be_visible()
    expect(page.get_by_text("Contact: lab@example.org")).to_be_visible()
    enter(page, server, study, "speaks1")
    page.keyboard.press("x")
    page.get_by_label("What is wrong?").select_option("other")
    page.get_by_role("button", name="Skip this item").click()
    expect(page.get_by_text("Say in your own words what is wrong.")).to_be_visible()
    page.get_by_label("In your own words").fill("The caption is cut off.")
    assert findings(page) == []
    page.get_by_role("button", name="Skip this item").click()
    expect(page.get_by_role("region", name="Item 2")).to_be_visible()
    saved(page)

    other.goto(f"{server.url}/studies")
    card = other.locator(".study-card", has_text="speaking").first
    card.get_by_role("button", name="Problems and messages").click()
    expect(other.get_by_text("“The caption is cut off.”")).to_be_visible()
    assert findings(other, within="dialog") == []
    other.get_by_role("button", name="Answer").click()
    expect(other.get_by_text("About: Item 1, “")).to_be_visible()
    other.get_by_role("textbox", name="Message").fill("Thank you: it was meant to be short.")
    other.get_by_role("button", name="Send", exact=True).click()
    expect(other.get_by_text("read by 0")).to_be_visible()
    expect(other.locator(".reported")).to_contain_text("Answered.")
    expect(other.get_by_role("heading", name="Item 1", exact=True)).to_be_visible()
    expect(other.get_by_text("Sent.", exact=True)).to_be_in_viewport()

    page.reload()
    expect(page.get_by_role("dialog")).to_contain_text("it was meant to be short")
    page.get_by_role("button", name="Go to the item").click()
    expect(page.get_by_text("You skipped this item.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("region", name="Item 2")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("Backspace")
    expect(page.get_by_role("region", name="Item 1")).to_be_visible()
    rate_by_keys(page, "333")
    expect(page.get_by_text("You reported this item.")).to_be_visible()
    saved(page)
    counted = with_workplace(server, lambda w: len(w.repository.studies.columns(study.id).counted()))
    assert counted == pytest.approx(3)
