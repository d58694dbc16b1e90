import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.axe import findings_in_both_colours
from tests.browser.conftest import (
    SLOW_MS,
    Server,
    enter,
    make_study,
    rate_by_keys,
    saved,
    with_workplace,
    write_samples,
)
from tests.browser.real import real_folder
from ui.services.importing.importing import import_files

CODED, UNDONE = 20, 3


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory, shared_dir: Path) -> Iterator[Server]:
    """A server with all of Flickr8k-Expert and FLEUR's published scores, and a data set that nobody has judged."""
    folder = tmp_path_factory.mktemp("judged")
    running = Server(folder / "data")
    shutil.copytree(real_folder(tmp_path_factory, shared_dir), running.data_dir)
    with_workplace(running, lambda w: import_files(w, "jsonl", [write_samples(folder / "files", 6)], "squares"))
    running.start()
    yield running
    running.stop()
    shutil.rmtree(folder, ignore_errors=True)


def open_page(page: Page, server: Server, query: str = "") -> None:
    page.goto(f"{server.url}/analyse{query}")
    expect(page.locator(".plot .main-svg").first).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_role("region", name="Rows of errors")).to_contain_text("snowboard")


def test_published_figures_stand_beside_ours_a_click_leads_to_the_picture_and_every_plot_is_drawn_or_says_why_not(
    page: Page, judged: Server
) -> None:
    open_page(page, judged)
    _published_figures(page)
    _click_into_the_plot(page)
    for plot, drawn in (("level", ".violinlayer path"), ("raw", ".scatterlayer path, .heatmaplayer image")):
        page.get_by_label("Plot", exact=True).select_option(plot)
        expect(page.locator(f".plot {drawn}".replace(", ", ", .plot ")).first).to_be_visible(timeout=SLOW_MS)
        expect(page.locator(".plot .ytitle")).to_have_text("FLEUR")
        with page.expect_download() as download:
            page.get_by_role("button", name="Plot as SVG").click()
        assert Path(download.value.path()).read_text().startswith("<svg")
    page.get_by_label("Plot", exact=True).select_option("metrics")
    expect(page.get_by_text("There is only one metric.")).to_be_visible()


def test_a_plot_added_to_the_list_is_offered_drawn_and_saved(page: Page, judged: Server) -> None:
    row = (
        '{ key: "same", name: "Metric against itself", metrics: 1, fileName: (_, first) => `${first} twice`,'
        " axes: (first) => ({ x: scores(first), y: scores(first) }) },"
    )
    first = re.compile(r"(const PLOTS\s*=\s*\[)(?=\s*\{\s*key: .human.)")

    def with_row(route: Route) -> None:
        script = first.sub(lambda match: match[1] + row, route.fetch().text())
        route.fulfill(content_type="text/javascript", body=script)

    page.route("**/bundles/*.js", with_row)
    open_page(page, judged, "?plot=human")
    page.get_by_label("Plot", exact=True).select_option("Metric against itself")
    expect(page.locator(".plot .xtitle")).to_have_text("FLEUR", timeout=SLOW_MS)
    expect(page.locator(".plot .ytitle")).to_have_text("FLEUR")
    with page.expect_download() as download:
        page.get_by_role("button", name="Plot as SVG").click()
    assert download.value.suggested_filename == "flickr8k-expert-fleur-twice.svg"


def _published_figures(page: Page) -> None:
    rows = page.get_by_role("region", name="flickr8k-expert: Kendall’s τ × 100").locator("tbody tr")
    expect(rows).to_have_count(2, timeout=SLOW_MS)
    for row, figures in ((0, ("16,992", "52.67", "53.03", "53.0")), (1, ("16,992", "56.08", "34.91", "34.9"))):
        for figure in figures:
            expect(rows.nth(row)).to_contain_text(figure)
    table = page.get_by_role("region", name="flickr8k-expert: Kendall’s τ × 100")
    assert table.evaluate("(box) => box.scrollWidth <= box.clientWidth")  # "published" is not cut
    switch = page.get_by_role("checkbox", name="show what papers print for")
    expect(switch).not_to_be_checked()
    switch.check()
    meteor = rows.filter(has_text="METEOR")
    expect(meteor).to_contain_text("METEOR printed")
    expect(meteor).to_contain_text("41.8")
    expect(meteor).to_contain_text("Table")
    switch.uncheck()
    expect(rows).to_have_count(2)
    expect(page.get_by_text("Smoothing changes FLEUR by +18.1 in τ-c and by −3.4 in τ-b.")).to_be_visible()
    compared = page.get_by_role("region", name="Which metric agrees better").locator("tbody tr")
    for row, figures in ((0, ("b", "16,992", "−3.4", "≤")), (1, ("c", "16,992", "18.1", "≤"))):
        expect(compared.nth(row)).to_contain_text("FLEUR smoothed − FLEUR raw", timeout=SLOW_MS)
        for figure in figures:
            expect(compared.nth(row)).to_contain_text(figure)


def _click_into_the_plot(page: Page) -> None:
    drawn = page.locator(".plot .nsewdrag").first
    drawn.scroll_into_view_if_needed()
    box = drawn.bounding_box()
    assert box is not None
    sample = page.get_by_role("region", name="Sample", exact=True)
    low, crowd = box["height"] * 0.955, box["width"] * 0.05  # where scores are lowest and people agree
    drawn.hover(position={"x": crowd * 2, "y": low})
    drawn.click(position={"x": crowd, "y": low})
    place = sample.get_by_text("at this point")
    expect(sample.get_by_role("heading", name="FLEUR")).to_be_visible()
    first = place.inner_text()
    sample.get_by_role("button", name="Next").click()
    expect(place).not_to_have_text(first)
    picture = sample.locator("figure img")
    expect(picture).to_be_visible()
    page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=picture.element_handle())


def test_until_the_plotting_library_is_there_the_density_is_drawn_without_it(page: Page, judged: Server) -> None:
    held: list[Route] = []
    page.route("**/plotly.min.js", lambda route: held.append(route))
    page.goto(f"{judged.url}/analyse", wait_until="commit")  # what is held may hold up the rest
    plot = page.get_by_role("figure", name="against FLEUR, 5,664 samples")
    cells = plot.locator(".plot-preview rect")
    expect(cells.first).to_be_visible()
    first = cells.first.bounding_box()
    for route in held:
        route.continue_()
    expect(plot.locator(".main-svg").first).to_be_visible(timeout=SLOW_MS)
    expect(plot.locator(".plot-preview")).to_have_count(0)
    heat, frame = plot.locator(".heatmaplayer image").bounding_box(), plot.locator(".nsewdrag").bounding_box()
    assert first and heat and frame
    assert abs(first["x"] - max(heat["x"], frame["x"])) < 8  # the cells with the lowest scores lie where they lay


def test_another_plot_chosen_before_the_library_is_there_takes_the_place_of_the_density(
    page: Page, judged: Server
) -> None:
    held: list[Route] = []
    page.route("**/plotly.min.js", lambda route: held.append(route))
    page.goto(f"{judged.url}/analyse", wait_until="commit")  # what is held may hold up the rest
    expect(page.locator(".plot-preview rect").first).to_be_visible()
    page.get_by_label("Plot", exact=True).select_option("level")
    for route in held:
        route.continue_()
    expect(page.get_by_role("figure", name="Distribution of FLEUR").locator(".violinlayer path").first).to_be_visible()
    expect(page.locator(".plot-preview")).to_have_count(0)


def test_errors_are_coded_by_keys_exported_and_imported_with_the_same_counts_and_coders_are_compared(
    page: Page, judged: Server, tmp_path: Path
) -> None:
    open_page(page, judged)
    _who_codes_is_asked(page)
    _twenty_are_coded(page, tmp_path / "set.json")
    _a_name_is_typed(page)
    _examples_are_drawn(page)
    _a_second_coder_sees_kappa(page)


def _who_codes_is_asked(page: Page) -> None:
    page.get_by_role("region", name="Rows of errors").focus()
    page.keyboard.press("1")
    expect(page.get_by_text("First write your name or code")).to_be_visible()
    expect(page.get_by_label("Coder", exact=True)).to_be_focused()
    expect(page.get_by_text("No errors are coded yet")).to_be_visible()


def _twenty_are_coded(page: Page, file: Path) -> None:
    page.get_by_label("Coder", exact=True).fill("Ann")
    page.get_by_role("region", name="Rows of errors").focus()
    for number in range(CODED):
        page.keyboard.press(str(1 + number % 6))
    counts = page.get_by_role("region", name="Number of errors per code")
    # each save draws the counts anew and says so: only these are what the last one draws
    expect(counts.locator("tbody td:nth-child(3)")).to_have_text(["4", "4", "3", "3", "3", "3"])
    expect(counts.locator("tbody tr").first).to_contain_text("Overpenalization of Captions Lacking Details4")
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    expect(page.locator("tr[aria-current] td").first).to_have_text(str(CODED + 1))
    before = counts.locator("tbody tr").all_inner_texts()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export coded set").click()
    download.value.save_as(file)
    assert len(json.loads(file.read_text())["codings"]) == CODED
    for _ in range(UNDONE):
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Undo", exact=True).click()
    expect(counts.locator("tbody td:nth-child(3)")).to_have_text(["3", "3", "3", "3", "3", "2"])
    page.locator("#import-set").set_input_files(file)
    expect(page.get_by_text(f"Imported {CODED} codes: {UNDONE} new, 0 changed.")).to_be_visible()
    assert counts.locator("tbody tr").all_inner_texts() == before


def _a_name_is_typed(page: Page) -> None:
    """On any keyboard digits code; a name is typed without drawing the list anew."""
    page.get_by_label("Codebook").select_option("polos")
    expect(page.get_by_role("button", name="1 OCLD")).to_be_visible()
    row = page.locator(".error-list tbody tr").first.element_handle()
    page.get_by_label("Coder", exact=True).fill("")
    page.get_by_label("Coder", exact=True).press_sequentially("Eve")
    assert row.evaluate("row => row.isConnected")
    region = page.get_by_role("region", name="Rows of errors")
    region.focus()
    region.dispatch_event("keydown", {"key": "&", "code": "Digit1", "bubbles": True})  # as AZERTY has the first digit
    expect(page.locator(".error-list tbody tr").first).to_contain_text("Eve: OCLD")


def _examples_are_drawn(page: Page) -> None:
    wrong = {"start": 0, "end": 1, "stance": "said", "where": "nowhere", "regions": []}
    read = [{"start": 0, "end": 5, "hints": [wrong]}]  # the regions contradict the first word
    page.route("**/api/samples/*/sentences", lambda route: route.fulfill(json=read))
    page.route("**/api/analyse/examples?*", _with_an_explanation)  # Polos gives none
    page.get_by_role("button", name="Figure of examples").click()
    figure = page.get_by_role("dialog", name="Coded examples")
    expect(figure.locator("svg")).to_contain_text("coded by")
    marked = figure.locator("tspan").first
    expect(marked).to_have_css("fill", "rgb(179, 38, 30)")
    expect(marked).to_have_text("Elephants")
    expect(figure.locator("svg")).to_contain_text("Elephants stand there.")
    captions = figure.locator("svg text").filter(has_text="“")
    figure.get_by_text("Change the order").click()
    first, second = captions.nth(0).text_content(), captions.nth(1).text_content()
    assert first and second and first != second
    figure.get_by_role("button", name="Down").first.click()
    expect(captions.nth(0)).to_have_text(second)
    expect(figure.get_by_role("button", name="Up").nth(1)).to_be_focused()  # it can only go up now
    figure.get_by_role("button", name="Remove").first.click()
    expect(captions.nth(0)).to_have_text(first)
    page.unroute("**/api/samples/*/sentences")
    page.unroute("**/api/analyse/examples?*")
    with page.expect_download() as download:
        figure.get_by_role("button", name="Examples as PNG").click()
    assert download.value.suggested_filename == "flickr8k-expert-fleur-polos-examples.png"
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")
    page.keyboard.press("Escape")
    expect(figure).to_be_hidden()


def _with_an_explanation(route: Route) -> None:
    answer = route.fetch()
    (one,) = answer.json()
    explained = one | {"explanation": "Elephants stand there."}
    route.fulfill(json=[explained, explained | {"caption": "Another caption."}])


def _a_second_coder_sees_kappa(page: Page) -> None:
    region = page.get_by_role("region", name="Rows of errors")
    for coder, keys in (("Cy", "112"), ("Di", "122")):
        page.get_by_label("Coder", exact=True).fill(coder)
        region.get_by_role("button").first.click()
        region.focus()
        for key in keys:
            page.keyboard.press(key)
    agreement = page.get_by_role("region", name="Agreement between coders")
    expect(agreement).to_contain_text("Cy, Di")
    expect(agreement).to_contain_text("0.400")


def test_who_codes_faster_than_pages_come_codes_the_rows_of_the_next_page(page: Page, judged: Server) -> None:
    open_page(page, judged)
    page.get_by_label("Codebook").select_option("polos")
    expect(page.get_by_role("button", name="1 OCLD")).to_be_visible()
    page.get_by_label("Coder", exact=True).fill("Fay")
    rows = page.get_by_role("region", name="Rows of errors").locator("tbody tr")
    whole, current = rows.count(), page.locator("tr[aria-current] td").first
    rows.first.get_by_role("button").click()
    held: list[Route] = []
    page.route("**/api/analyse/errors?**page=2**", lambda route: held.append(route))
    with page.expect_request("**/api/analyse/errors?**page=2**"):
        for _ in range(whole):
            page.keyboard.press("1")
    page.keyboard.press("2")
    page.keyboard.press("2")
    for route in held:
        route.continue_()
    expect(current).to_have_text(str(whole + 3))
    expect(rows.nth(1)).to_contain_text(re.compile("Fay: (?!OCLD)"))
    page.get_by_role("navigation", name="Pages of errors").get_by_role("button", name="Previous page").click()
    expect(rows.first.locator("td").first).to_have_text("1")
    expect(rows.first).to_contain_text("Fay: OCLD")


def test_a_slice_is_saved_by_name_or_made_of_a_line_around_points_and_every_figure_follows(
    page: Page, judged: Server
) -> None:
    open_page(page, judged)
    _by_name(page)
    _by_a_line(page)


def _by_name(page: Page) -> None:
    page.get_by_role("button", name="New slice").click()
    page.get_by_label("Name").fill("agreed high")
    page.get_by_label("human from").fill("0.85")
    page.get_by_role("button", name="Save slice").click()
    expect(page.get_by_label("Slice", exact=True).locator("option:checked")).to_have_text("agreed high (152)")
    expect(page.get_by_role("region", name="Rows of errors")).not_to_contain_text("snowboard jumps high")
    agreement = page.get_by_role("region", name="flickr8k-expert: Kendall’s τ × 100")
    expect(agreement.locator("tbody tr").first).to_contain_text("456", timeout=SLOW_MS)
    page.go_back()
    expect(page.get_by_label("Slice", exact=True).locator("option:checked")).to_have_text("all samples")
    expect(page.get_by_role("region", name="Rows of errors")).to_contain_text("snowboard jumps high")
    page.go_forward()
    expect(page.get_by_label("Slice", exact=True).locator("option:checked")).to_have_text("agreed high (152)")
    page.get_by_role("button", name="Remove slice").click()
    expect(page.get_by_role("region", name="Rows of errors")).to_contain_text("snowboard jumps high")
    expect(agreement.locator("tbody tr").first).to_contain_text("16,992", timeout=SLOW_MS)
    # nothing that stands above the plot is still to come
    expect(page.get_by_role("region", name="Which metric agrees better")).to_be_visible(timeout=SLOW_MS)


def _by_a_line(page: Page) -> None:
    """What lies within a line can be taken along."""
    page.get_by_role("button", name="Lasso").click()
    sheet = page.locator(".lasso-sheet")
    sheet.scroll_into_view_if_needed()
    box = sheet.bounding_box()
    assert box is not None
    # plot's 4 % of room beyond 0 and 1: from 0.5 to 0.75 across, from below 0 to above a third upwards
    corners = [
        ((0.04 + x) / 1.08, 1 - (0.04 + y) / 1.08) for x, y in ((0.5, -0.03), (0.75, -0.03), (0.75, 0.4), (0.5, 0.4))
    ]
    for number, (x, y) in enumerate([*corners, corners[0]]):
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"], steps=8)
        if number == 0:
            page.mouse.down()
    page.mouse.up()
    said = page.locator(".lassoed")
    expect(said).to_contain_text("samples inside the line")
    count = int(said.inner_text().split()[0])
    said.get_by_role("button", name="Make a slice").click()
    page.get_by_label("Name").fill("overrated")
    page.get_by_role("button", name="Save slice").click()
    expect(page.get_by_label("Slice", exact=True).locator("option:checked")).to_have_text(f"overrated ({count})")
    expect(page.get_by_text("depends on the human judgements")).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_role("region", name="Rows of errors").locator("tbody tr").first).to_be_visible()
    page.get_by_role("button", name="Export slice").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as JSONL").click()
    assert len(Path(download.value.path()).read_text().splitlines()) == count
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Remove slice").click()


def test_where_two_scores_part_calibration_and_categories_come_when_they_are_seen_and_the_report_holds_them(
    page: Page, judged: Server
) -> None:
    open_page(page, judged)
    page.get_by_role("heading", name="Where two scores differ").scroll_into_view_if_needed()
    nearer = page.get_by_role("region", name="Which score is closer to human judgement").locator("tbody tr")
    expect(nearer.nth(0)).to_contain_text("FLEUR", timeout=SLOW_MS)
    expect(nearer.nth(2)).to_contain_text("FLEUR − FLEUR raw")
    parted = page.get_by_role("region", name="Samples with the largest differences between two scores").locator(
        "tbody tr"
    )
    expect(parted.first).to_contain_text("0.500")  # the widest gap
    page.get_by_label("List by").select_option("second right")
    expect(
        page.get_by_text("116 samples for which only the second score is right; scores are rescaled")
    ).to_be_visible()
    parted.first.get_by_role("button").click()
    expect(page.get_by_role("region", name="Sample", exact=True).get_by_role("heading", name="FLEUR")).to_be_visible()
    page.get_by_role("heading", name="How far scores differ from human judgements").scroll_into_view_if_needed()
    errors = page.get_by_role("region", name="Mean errors").locator("tbody tr")
    expect(errors.nth(2)).to_contain_text("calibrated", timeout=SLOW_MS)
    expect(
        page.get_by_role("figure", name="Mean human judgement of captions").locator(".main-svg").first
    ).to_be_visible()
    page.evaluate("() => { window.printed = 0; window.print = () => { window.printed += 1; }; }")
    page.get_by_role("button", name="Calibration as PDF").click()
    page.wait_for_function("window.printed === 1")
    assert page.title() == "flickr8k-expert-calibration"  # under which the browser offers to save it
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.get_by_role("heading", name="By category").scroll_into_view_if_needed()
    expect(page.get_by_role("region", name="By human level").locator("tbody tr")).to_have_count(8, timeout=SLOW_MS)
    with page.expect_download(timeout=SLOW_MS) as download:
        page.get_by_role("button", name="Report", exact=True).click()
    assert download.value.suggested_filename == "flickr8k-expert-report.html"
    assert "By human level" in Path(download.value.path()).read_text()


def test_a_studys_results_stand_on_the_page_of_data_that_nobody_judged_and_all_of_it_suits_a_phone_and_axe(
    page: Page, judged: Server
) -> None:
    study = make_study(judged, "results", "squares", metrics=("FLEUR",), size=4)
    page.set_viewport_size({"width": 320, "height": 640})
    enter(page, judged, study, "res1")
    rate_by_keys(page, "432\n" * 3)
    saved(page)
    page.goto(f"{judged.url}/analyse?dataset=squares")
    _says_what_is_missing(page)
    _results(page)
    assert findings_in_both_colours(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.get_by_label("Data set").select_option("flickr8k-expert")
    expect(page.get_by_role("region", name="Rows of errors")).to_contain_text("snowboard")
    expect(page.get_by_role("heading", name="Coded errors")).to_be_visible()
    page.locator(".error-caption").first.click()
    sample = page.get_by_role("region", name="Sample", exact=True)
    expect(sample.get_by_role("heading", name="FLEUR")).to_be_visible()
    expect(sample).to_be_in_viewport()  # it stands far below the list
    assert findings_in_both_colours(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def _says_what_is_missing(page: Page) -> None:
    """A plot that needs judgements is not offered."""
    expect(page.get_by_text("Captions of squares have no human judgements")).to_be_visible()
    offered = page.get_by_label("Plot", exact=True).locator("option")
    expect(offered).to_have_text(["Raw and smoothed score", "One metric and another"])
    expect(page.get_by_role("button", name="Plot as SVG")).to_be_visible(timeout=SLOW_MS)


def _results(page: Page) -> None:
    expect(page.get_by_label("Study", exact=True)).to_be_attached()
    page.get_by_role("heading", name="Study results").scroll_into_view_if_needed()
    results = page.get_by_role("region", name="Study results")
    expect(results.get_by_role("region", name="Ratings", exact=True).locator("tbody tr")).to_have_count(3)
    expect(results).to_contain_text("no item was rated by two raters")
    expect(results).to_contain_text("no rated sample has a human judgement")
    expect(results.get_by_role("region", name="Agreement between raters")).to_be_visible()
    expect(page.locator(".study-plot .main-svg").first).to_be_visible()
    for figure in ("Mean ratings with 95 % intervals", "Distribution of ratings (0: abstained)"):
        for kind, begins in (("PNG", b"\x89PNG"), ("SVG", b"<svg"), ("CSV", b'"metric"')):
            with page.expect_download() as download:
                results.get_by_role("button", name=f"{figure} as {kind}").click()
            assert Path(download.value.path()).read_bytes().startswith(begins)
