"""Regions on the rating page: off unless a study asks for them, after the veil, and out of the keyboard's way."""

import re

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser.conftest import Server, enter, make_study, rate_by_keys, ratings, saved, with_workplace
from tests.making_regions import SIGNATURE, VALUE, score_all


@pytest.fixture(scope="module")
def scored(server: Server) -> Server:
    """Every sample of the server has a score with regions."""
    with_workplace(server, lambda workplace: score_all(workplace.repository, "squares"))
    return server


def test_regions_appear_only_after_the_veil_is_lifted_and_only_where_a_study_asks_for_them(
    page: Page, scored: Server
) -> None:
    enter(page, scored, make_study(scored, "no overlay", size=1), "plain1")
    rate_by_keys(page, "222")
    expect(page.locator("figure img")).to_be_visible()
    expect(page.locator("figure svg")).to_have_count(0)
    page.context.clear_cookies()
    sent: list[str] = []

    def keep(response: Response) -> None:
        if "/api/rate/" in response.url and "image" not in response.url:
            sent.append(response.text())

    page.on("response", keep)
    study = make_study(scored, "overlay", size=3, overlay=True)
    page.evaluate("localStorage.clear()")
    enter(page, scored, study, "shown1")
    expect(page.get_by_text("The picture is shown after you answer Consistency.")).to_be_visible()
    assert sent and "left square" not in " ".join(sent)
    page.keyboard.press("2")
    regions = page.locator("figure path.region")
    expect(regions).to_have_count(2)
    expect(page.locator("figure .region-counts")).to_have_text("1 of 2 regions mentioned")
    expect(page.locator("figure .phrase.correct")).to_have_attribute(
        "aria-label", re.compile("supported by the picture")
    )
    expect(page.locator("figure .phrase.incorrect")).to_have_count(1)
    regions.first.focus()  # a region can be lit by key without leaving the item
    page.keyboard.press("Enter")
    expect(regions.first).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("z")
    enlarged = page.get_by_role("dialog", name="Enlarged picture")
    expect(enlarged.locator("path.region")).to_have_count(2)
    before = enlarged.locator("path.region").first.bounding_box()
    page.keyboard.press("+")
    expect(enlarged.locator("output")).to_have_text("150 %")
    after = enlarged.locator("path.region").first.bounding_box()
    assert before and after and after["width"] > 1.4 * before["width"]
    page.keyboard.press("z")
    expect(enlarged).to_have_count(0)
    page.reload()
    expect(regions).to_have_count(2)
    rate_by_keys(page, "34\n")
    for _ in range(2):
        rate_by_keys(page, "4")
        expect(regions).to_have_count(2)
        rate_by_keys(page, "32\n")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    saved(page)
    records = ratings(scored, study)
    assert sorted(r.rating for r in records) == [2, 2, 2, 3, 3, 3, 4, 4, 4]
    assert {(r.criterion, r.regions_shown) for r in records} == {
        ("consistency", False),  # given before the veil was lifted
        ("factuality", True),
        ("informativeness", True),
    }
    everything = " ".join(sent).lower()
    assert "left square" in everything
    for secret in ("hice", "quokkafinder", str(VALUE), SIGNATURE.lower(), "fleur", "expert", "clair"):
        assert secret not in everything
