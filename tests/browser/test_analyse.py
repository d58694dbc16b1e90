"""Analyse in a browser: what is in sight, the plot, the errors and their codes, slices, and the other sections."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings_in_both_colours
from tests.browser.conftest import SLOW_MS, Server, serving, with_workplace, write_samples
from tests.command_line import quietly
from tests.once import made_once
from ui.services.importing.importing import import_files

MOST_CONTROLS = 40
CODED = 12
_CONTROLS = """[...document.querySelectorAll(".analyse :is(a, button, input, select, summary)")]
    .filter((one) => one.checkVisibility() && one.getClientRects().length).length"""
_FIRST_POINT = """() => {
    const plot = document.querySelector(".plot"), { left, top } = plot.getBoundingClientRect();
    const { _fullData: [{ x, y }], _fullLayout: { xaxis, yaxis } } = plot;
    return [left + xaxis._offset + xaxis.d2p(x[0]), top + yaxis._offset + yaxis.d2p(y[0])];
}"""


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory, shared_dir: Path) -> Iterator[Server]:
    """A server with all of Flickr8k-Expert and FLEUR's published scores, and a data set that nobody has judged."""
    folder, flickr = tmp_path_factory.mktemp("judged"), shared_dir / "data" / "flickr8k"

    def fill(data: Path) -> None:
        of = ("--dataset", "flickr8k-expert", "--images", flickr / "images", "--images", flickr / "images_224")
        quietly(data, "import", "flickr8k-expert", flickr / "flickr8k.json", *of)
        quietly(data, "import", "fleur-results", flickr / "fleur_flickr8k_expert.txt", *of[:2])

    with serving(folder / "data", made_once(tmp_path_factory, "real", fill)) as running:
        with_workplace(running, lambda w: import_files(w, "jsonl", [write_samples(folder / "files", 6)], "squares"))
        yield running
    shutil.rmtree(folder, ignore_errors=True)


def open_page(page: Page, server: Server, query: str = "") -> None:
    page.goto(f"{server.url}/analyse{query}")
    expect(page.locator(".plot[data-drawn]").first).to_be_visible(timeout=SLOW_MS)
    expect(rows(page).first).to_be_visible(timeout=SLOW_MS)


def rows(page: Page):  # type: ignore[no-untyped-def]
    return page.locator(".error-list tbody tr")


def test_the_page_in_one_look_has_few_controls_and_published_figures(page: Page, judged: Server) -> None:
    open_page(page, judged)
    agreement = page.get_by_role("region", name="Kendall’s τ")
    expect(agreement.locator("tbody tr").first).to_contain_text("53.03", timeout=SLOW_MS)
    expect(agreement.locator("tbody tr").first).to_contain_text("53.0 (FLEUR)")
    expect(page.locator("[download='flickr8k-expert-kendall-s-τ-100.csv']")).to_be_visible()
    assert page.evaluate(_CONTROLS) <= MOST_CONTROLS
    expect(page.get_by_text("Not shown: ")).to_contain_text("Captioners (needs names of two captioners)")
    assert findings_in_both_colours(page) == []


def test_sections_are_unfolded_and_saved(page: Page, judged: Server) -> None:
    open_page(page, judged)
    for name, content in (("By category", "By caption length"), ("Distributions and errors", "Mean errors")):
        page.locator("summary", has_text=name).click()
        expect(page.get_by_role("region", name=content).first).to_be_visible(timeout=SLOW_MS)
    with page.expect_download() as download:
        page.get_by_role("link", name="Mean errors, rescaled to 0–1 as CSV").click()
    assert Path(download.value.path()).read_text().startswith("score,errors,captions,")
    page.get_by_role("button", name="Mean errors, rescaled to 0–1 as LaTeX").click()
    expect(page.get_by_role("region", name="LaTeX")).to_contain_text("\\toprule")


def test_a_click_into_the_plot_opens_samples_and_a_line_makes_a_slice(page: Page, judged: Server) -> None:
    open_page(page, judged)
    plot = page.locator(".plot .nsewdrag").first
    plot.scroll_into_view_if_needed()
    page.mouse.click(*page.evaluate(_FIRST_POINT))
    expect(page.locator(".sample").get_by_text("sample 1 of ")).to_be_visible(timeout=SLOW_MS)
    page.get_by_role("button", name="Lasso").click()
    box = plot.bounding_box()
    assert box is not None
    corners = [(0.5, 0.98), (0.8, 0.98), (0.8, 0.6), (0.5, 0.6)]
    for number, (x, y) in enumerate([*corners, corners[0]]):
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"], steps=8)
        if number == 0:
            page.mouse.down()
    page.mouse.up()
    expect(page.locator(".lassoed")).to_contain_text("samples inside the line", timeout=SLOW_MS)
    page.locator(".lassoed").get_by_role("button", name="Make a slice").click()
    page.get_by_label("Name").fill("overrated")
    page.get_by_role("button", name="Save slice").click()
    expect(page.get_by_label("Slice", exact=True).locator("option:checked")).to_contain_text("overrated (")
    expect(page.get_by_text("follows from the selection")).to_be_visible(timeout=SLOW_MS)


def test_errors_are_coded_by_keys_beside_the_list(page: Page, judged: Server, tmp_path: Path) -> None:
    open_page(page, judged)
    page.locator(".codes button").first.wait_for(state="attached")  # the codes have come
    page.locator("summary", has_text="Code errors").click()
    page.keyboard.press("1")
    expect(page.get_by_text("First write your name or code")).to_be_visible()
    page.get_by_label("Coder", exact=True).fill("Ann")
    page.keyboard.press("Enter")
    for number in range(CODED):
        page.keyboard.press(str(1 + number % 6))
    counts = page.get_by_role("region", name="Coded errors of FLEUR")
    expect(counts.locator("tbody td:nth-child(3)")).to_have_text(["2"] * 6, timeout=SLOW_MS)
    expect(page.locator("tr[aria-current] td").first).to_have_text(str(CODED + 1))
    page.locator(".error-list").focus()
    page.keyboard.press("k")
    page.keyboard.press("0")
    expect(counts.locator("tbody td:nth-child(3)")).to_have_text([*["2"] * 5, "1"], timeout=SLOW_MS)
    with page.expect_download() as download:
        page.get_by_role("link", name="Export codes").click()
    file = tmp_path / "set.json"
    download.value.save_as(file)
    assert len(json.loads(file.read_text())["codings"]) == CODED - 1
    expect(page.locator(".sample")).to_contain_text("Human judgement", timeout=SLOW_MS)


def test_the_address_holds_the_choice_and_data_without_judgements_still_show_something(
    page: Page, judged: Server
) -> None:
    open_page(page, judged)
    page.get_by_label("Errors", exact=True).select_option("plain")
    expect(rows(page).first).to_be_visible()
    page.reload()
    expect(page.get_by_label("Errors", exact=True)).to_have_value("plain", timeout=SLOW_MS)
    page.goto(f"{judged.url}/analyse?dataset=squares")
    expect(page.get_by_text("Not shown: ")).to_contain_text("Agreement with human judgement", timeout=SLOW_MS)
