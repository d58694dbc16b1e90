"""Analyse as somebody meets it who wants numbers and figures for a paper, with data as they come."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import SLOW_MS, Server, with_workplace
from tests.making import import_rows
from ui.services.workplace import Workplace

ERROR = {"kind": "no_score", "message": "The answer held no number."}
LIGHT, DARK = re.compile(r"#ffffff|rgb\(255, ?255, ?255\)"), re.compile(r"#14171b|rgb\(20, ?23, ?27\)")


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a judged data set, one that nobody judged, and one whose only metric has failed throughout."""
    folder = tmp_path_factory.mktemp("odd")
    running = Server(folder / "data")
    running.data_dir.mkdir()
    judged = [
        {
            "id": f"s{n}",
            "image": f"{n // 2}.jpg",
            "caption": f"Dog {n} runs.",
            "human": (n % 4) / 3,
            "judgements": [1 + n % 4, 1 + n % 4, 1 + (n + n % 3 // 2) % 4],
            "scores": [{"metric": "M", "value": (n * 7 % 30) / 30, "components": {"raw": round((n * 7 % 30) / 30, 1)}}],
        }
        for n in range(30)
    ]
    always = {"metric": "Always", "value": 0.5}  # orders nothing
    mixed = [row | {"scores": [*row["scores"], always]} for row in judged]
    failed = [row | {"scores": [{"metric": "M", "error": ERROR}]} for row in judged]

    unjudged = [row | {"id": f"{part}{row['id']}", "human": None, "judgements": []} for part in "ab" for row in judged]

    def fill(workplace: Workplace) -> None:
        import_rows(workplace, folder, unjudged, "a larger one")
        import_rows(workplace, folder, judged, "judged")
        import_rows(workplace, folder, mixed, "mixed")
        import_rows(workplace, folder, failed, "wholly failed")

    with_workplace(running, fill)
    running.start()
    yield running
    running.stop()


def test_the_page_opens_on_what_people_judged_and_a_link_to_data_that_are_not_here_says_whose_figures_are_shown(
    page: Page, odd: Server
) -> None:
    page.goto(f"{odd.url}/analyse?dataset=gone")
    said = page.get_by_text("There is no data set “gone” with scores here. This page shows judged instead.")
    expect(said).to_be_visible()
    expect(page.get_by_label("Data set").locator("option:checked")).to_have_text("judged (30)")
    expect(page.get_by_label("Data set").locator("option")).to_have_count(4)  # a larger one that nobody judged as well
    expect(page.get_by_text("To see published figures here, choose a convention")).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_role("columnheader", name="published")).to_have_count(0)
    expect(page.locator(".plot .main-svg").first).to_be_visible()
    page.get_by_label("Data set").select_option("wholly failed")
    expect(said).to_be_hidden()
    expect(
        page.get_by_text("No caption of wholly failed has a score, because the metrics returned only errors.")
    ).to_be_visible()
    for heading in ("Plots", "Agreement with human judgement", "Largest errors", "By category"):
        expect(page.get_by_role("heading", name=heading)).to_be_hidden()
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.reload()
    expect(page.get_by_text("No caption of wholly failed has a score")).to_be_visible()
    page.get_by_label("Data set").select_option("judged")
    expect(page.get_by_role("heading", name="Plots")).to_be_visible()
    expect(page.get_by_text("n is the number of single judgements: 90 of 30 captions of 15 images.")).to_be_visible()
    assert failures == []


def test_what_comes_of_a_data_set_that_was_left_does_nothing_to_the_next(page: Page, odd: Server) -> None:
    held: list[Route] = []
    page.route("**/api/analyse/points?**", lambda route: held.append(route))
    with page.expect_request("**/api/analyse/points?**"):
        page.goto(f"{odd.url}/analyse?dataset=judged", wait_until="commit")
    page.get_by_label("Data set").select_option("wholly failed")
    expect(page.get_by_text("No caption of wholly failed has a score")).to_be_visible()
    for route in held:
        route.continue_()
    expect(page.locator(".plot .main-svg").first).to_be_attached()
    page.unroute_all()
    page.get_by_label("Data set").select_option("mixed")
    expect(page.get_by_role("region", name="mixed: Kendall’s τ × 100")).to_be_visible()  # and nothing was thrown


def test_on_a_dark_page_what_nobody_has_seen_counts_no_seconds_and_all_else_is_made_for_a_paper(
    page: Page, odd: Server
) -> None:
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 1000, "height": 400})
    page.goto(f"{odd.url}/analyse?dataset=judged")
    _unseen(page)
    _people(page)
    for width in (320, 1366):
        page.set_viewport_size({"width": width, "height": 768})
        _saved_figure(page, width)
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    page.get_by_label("Data set").select_option("mixed")
    _orders_nothing(page)
    assert refused == []


def _unseen(page: Page) -> None:
    """A section that nobody has seen counts no seconds, and says so in print."""
    section = page.get_by_role("region", name="By category")
    expect(section).to_contain_text("Scroll to it before you print")
    page.emulate_media(media="print")
    expect(section).to_contain_text("Scroll to it before you print")
    page.emulate_media(media="screen")
    section.scroll_into_view_if_needed()
    expect(section.get_by_role("heading", name="By human level")).to_be_visible(timeout=SLOW_MS)


def _people(page: Page) -> None:
    """People stand beside one another in tables to take along."""
    section = page.get_by_role("region", name="How well people agree with one another", exact=True)
    expect(section).to_be_attached(timeout=SLOW_MS)
    section.scroll_into_view_if_needed()
    expect(section.get_by_role("region", name="Agreement of people").locator("tbody tr")).to_have_count(7)
    section.get_by_role("button", name="People as a metric: Kendall’s τ × 100 as LaTeX").click()
    _latex(page)


def _latex(page: Page) -> None:
    """Columns and the caption are chosen, and the text is copied or saved."""
    dialog = page.get_by_role("dialog", name="LaTeX")
    text = dialog.get_by_role("region", name="LaTeX")
    expect(text).to_contain_text("mean of the other judgements & 90 &")
    dialog.get_by_label("τ-b: 95 % interval").uncheck()
    dialog.get_by_label("τ-b", exact=True).uncheck()
    expect(text).not_to_contain_text("-b &")
    dialog.get_by_label("Caption").fill("People & metrics in τ.")
    dialog.get_by_label("Caption").blur()
    expect(text).to_contain_text("\\caption{People \\& metrics in")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    dialog.get_by_role("button", name="Copy").click()
    expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == text.inner_text()
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Save .tex").click()
    assert download.value.suggested_filename == "judged-people-as-a-metric.tex"
    assert "mean of the other judgements & 90 &" in Path(download.value.path()).read_text()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def _saved_figure(page: Page, width: int) -> None:
    """A figure saved from a dark page is light and of one size."""
    expect(page.locator("body.dark .plot .main-svg").first).to_be_visible()
    page.wait_for_function("width => document.querySelector('.plot .main-svg').clientWidth <= width", arg=width)
    with page.expect_download() as download:
        page.get_by_role("button", name="Plot as SVG").click()
    svg = Path(download.value.path()).read_text()
    assert LIGHT.search(svg) and not DARK.search(svg)
    expect(page.locator(".modebar-btn[data-title='Zoom in']").first).to_be_attached()
    expect(page.locator(".modebar-btn[data-title^='Share']")).to_have_count(0)  # it would send data elsewhere
    assert re.search(r'<svg[^>]* width="900"[^>]* height="600"', svg)
    expect(page.locator(".on-paper")).to_have_count(0)


def _orders_nothing(page: Page) -> None:
    """A metric that orders nothing hides no other metric's agreement."""
    rows = page.get_by_role("region", name="mixed: Kendall’s τ × 100").locator("tbody tr")
    expect(rows).to_have_count(3, timeout=SLOW_MS)
    expect(rows.nth(0)).to_contain_text("all scores are equal, so they give no order")
    expect(rows.nth(1)).to_contain_text(re.compile(r"M\s*smoothed\s*90.*…", re.DOTALL))
    expect(page.get_by_role("region", name="Which metric agrees better")).to_contain_text("M smoothed − M raw")
    expect(page.get_by_text("Smoothing changes")).to_have_count(0)  # the intervals of both changes contain 0
