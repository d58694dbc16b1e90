"""Analyse with so many samples that the server counts them."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from tests.benchmarks.growth import DATASET, large_data
from tests.browser.conftest import SLOW_MS, Server

SAMPLES = 60_000


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("large")
    running = Server(folder / "data")
    large_data(running.data_dir, SAMPLES)
    running.data_dir.chmod(0o700)
    running.start()
    yield running
    running.stop()
    shutil.rmtree(folder, ignore_errors=True)


def open_page(page: Page, server: Server, query: str = "") -> None:
    page.goto(f"{server.url}/analyse?dataset={DATASET}{query}")
    expect(page.locator(".plot .main-svg").first).to_be_visible(timeout=SLOW_MS)


def corner(page: Page, x: float, y: float) -> tuple[float, float]:
    """Return where in the window a place of the plot is, as shares of its axes from the lower left."""
    drawn = page.locator(".plot .nsewdrag").first
    drawn.scroll_into_view_if_needed()
    box = drawn.bounding_box()
    assert box is not None
    return box["x"] + x * box["width"], box["y"] + (1 - y) * box["height"]


def test_many_samples_are_drawn_as_counts_and_one_by_one_from_a_zoom_on(page: Page, large: Server) -> None:
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    open_page(page, large)
    plot = page.get_by_role("figure", name="human judgement, rescaled to 0–1 against CIDEr, 60,000 samples")
    expect(plot.locator(".heatmaplayer image")).to_have_count(1)
    expect(plot).to_have_attribute("data-shown", "60000")
    assert not any("/api/analyse/points" in url for url in sent)  # 60,000 numbers in each column

    for end, (x, y) in enumerate(((0.48, 0.48), (0.56, 0.56))):
        page.mouse.move(*corner(page, x, y), steps=5)
        if end == 0:
            page.mouse.down()
    page.mouse.up()
    expect(plot.locator(".heatmaplayer image")).to_have_count(0, timeout=SLOW_MS)
    shown = int(plot.get_attribute("data-shown") or 0)
    assert 0 < shown <= 5_000

    page.mouse.dblclick(*corner(page, 0.5, 0.5))
    expect(plot.locator(".heatmaplayer image")).to_have_count(1, timeout=SLOW_MS)
    expect(plot).to_have_attribute("data-shown", "60000")


def test_a_click_into_the_counts_opens_a_sample_before_the_library_is_there_and_after(
    page: Page, large: Server
) -> None:
    held: list[Route] = []
    page.route("**/plotly.min.js", lambda route: held.append(route))
    page.goto(f"{large.url}/analyse?dataset={DATASET}", wait_until="commit")  # what is held may hold up the rest
    plot = page.locator(".plot")
    expect(plot.locator(".plot-preview rect").first).to_be_visible(timeout=SLOW_MS)
    plot.click()  # in the middle, once the sections above no longer move it
    sample = page.get_by_role("region", name="Sample", exact=True)
    expect(sample.get_by_text("at this point")).to_be_visible(timeout=SLOW_MS)
    first = sample.inner_text()
    for route in held:
        route.continue_()
    expect(plot.locator(".main-svg").first).to_be_visible(timeout=SLOW_MS)
    page.mouse.click(*corner(page, 0.2, 0.8))
    expect(sample).not_to_have_text(first)


def test_a_line_holds_all_samples_within_it_and_makes_a_slice_of_as_many(page: Page, large: Server) -> None:
    page.route("**/api/analyse/correlations?*", lambda route: route.abort())  # it grows above the plot
    open_page(page, large)
    expect(page.get_by_label("Slice", exact=True)).to_be_visible(timeout=SLOW_MS)
    agreement = page.get_by_role("region", name="Agreement with human judgement")
    expect(agreement.get_by_role("button", name="Try again")).to_be_visible(timeout=SLOW_MS)
    page.get_by_role("button", name="Lasso").click()
    expect(page.locator(".lasso-sheet")).to_be_visible()
    corners = ((0.3, 0.3), (0.7, 0.3), (0.7, 0.7), (0.3, 0.7), (0.3, 0.3))
    for number, (x, y) in enumerate(corners):
        page.mouse.move(*corner(page, x, y), steps=8)
        if number == 0:
            page.mouse.down()
    page.mouse.up()
    said = page.locator(".lassoed")
    expect(said).to_contain_text("samples inside the line", timeout=SLOW_MS)
    count = said.inner_text().split()[0]
    assert 8_000 < int(count.replace(",", "")) < 15_000  # 0.43² of 60,000: the axes reach 4 % beyond the scale
    said.get_by_role("button", name="Make a slice").click()
    page.get_by_label("Name").fill("middle")
    page.get_by_role("button", name="Save slice").click()
    expect(page.get_by_label("Slice", exact=True).locator("option:checked")).to_have_text(f"middle ({count})")
    expect(page.locator(".plot")).to_have_attribute("data-samples", count.replace(",", ""))
    page.get_by_role("button", name="Remove slice").click()
    expect(page.locator(".plot")).to_have_attribute("data-samples", str(SAMPLES))


def test_scores_per_human_level_and_metric_against_metric_are_drawn_of_many_samples(page: Page, large: Server) -> None:
    open_page(page, large, "&plot=level")
    violins = page.get_by_role("figure", name="Distribution of CIDEr, CLIPScore")
    expect(violins.locator(".violinlayer path.violin")).to_have_count(10, timeout=SLOW_MS)
    expect(violins).to_have_attribute("data-samples", str(SAMPLES))
    page.get_by_label("Plot", exact=True).select_option("metrics")
    expect(page.get_by_role("figure", name="CLIPScore against CIDEr, 59,400 samples")).to_be_visible(timeout=SLOW_MS)
    page.get_by_label("Plot", exact=True).select_option("raw")
    expect(page.get_by_text("CIDEr has no scores before smoothing")).to_be_visible()


def test_a_long_reading_says_how_far_it_is_how_long_it_takes_and_is_cancelled(page: Page, large: Server) -> None:
    held: list[Route] = []
    ended: list[str] = []
    page.route("**/api/analyse/metrics?*", lambda route: held.append(route))
    how_far = {"what": "Reading the scores of 60,000 samples", "done": 20_000, "total": 60_000, "seconds": 4.0}

    def work(route: Route) -> None:
        if route.request.method == "DELETE":
            ended.append(route.request.url)
        route.fulfill(json=how_far)

    page.route("**/api/analyse/work/*", work)
    page.goto(f"{large.url}/analyse?dataset={DATASET}")
    expect(page.get_by_text("Reading the scores of 60,000 samples …")).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_text("20,000 of 60,000, 5,000 a second, 8 s left")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled.")).to_be_visible()
    assert len(ended) == 1
    page.unroute("**/api/analyse/metrics?*")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".plot .main-svg").first).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_text("Cancelled.")).to_have_count(0)


def test_what_reads_a_whole_data_set_is_waited_for_as_long_as_the_server_works(page: Page, large: Server) -> None:
    held: list[Route] = []
    page.route("**/api/analyse/slices?*", lambda route: held.append(route))
    followed: dict[str, bool] = {}
    page.on(
        "request",
        lambda sent: followed.setdefault(
            sent.url.partition("?")[0].rpartition("/")[2], "x-capscope-work" in sent.headers
        ),
    )
    open_page(page, large)
    expect(page.get_by_text("Counting the samples of slices")).to_be_visible(timeout=SLOW_MS)
    held[0].continue_()
    expect(page.get_by_label("Slice", exact=True)).to_be_visible(timeout=SLOW_MS)
    for path in ("metrics", "slices", "density", "errors", "unscored"):
        assert followed[path], path
