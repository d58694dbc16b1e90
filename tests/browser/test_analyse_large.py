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


def corner(page: Page, x: float, y: float) -> tuple[float, float]:
    """Return where in the window a place of the plot is, as shares of its axes from the lower left."""
    drawn = page.locator(".plot .nsewdrag").first
    drawn.scroll_into_view_if_needed()
    box = drawn.bounding_box()
    assert box is not None
    return box["x"] + x * box["width"], box["y"] + (1 - y) * box["height"]


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
