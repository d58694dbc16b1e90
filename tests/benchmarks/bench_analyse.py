"""The Analyse page at 42,166 samples, three metrics and four raters in SQLite, in a real Chromium and over HTTP.

The server runs in a process of its own, has answered once ("warm") and is idle; the data lie in SQLite; every
navigation has an empty browser cache. A plot counts as painted in the second animation frame after all samples are
drawn as a density; the first is drawn before plotly is there, and how long that and the single points take is told
beside it. A filter is timed from the change of the control to the plot of the filtered samples, with agreement
switched off.
"""

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from core.analysis.slice_conditions import Lasso, Parting, Range
from core.analysis.slices import Slice
from tests.benchmarks.rated_scores import CRITERION, DATASET, METRICS, RATERS, SAMPLES, fill
from tests.benchmarks.rows import NotHere, Row
from tests.benchmarks.serving import Running, ours
from tests.benchmarks.studies import workplace
from tests.chromium import CHROMIUM, QUIET
from ui.services.workplace import KEY
from ui.web.access.security import Secret

VISITS, PAGES = 5, 20
REST_MS = 1000  # between two filters: the list of errors follows the plot
MOST_FIRST_PLOT_S, MOST_FILTER_MS, MOST_PAYLOAD_MB, MOST_PAGE_MS = 1.5, 300.0, 1.0, 100.0
VIEW: Any = {"width": 1366, "height": 768}
PATIENCE_MS = 120_000
A, B = "A", "B"
SLICES = (
    Slice("human score", human=Range(0.5)),
    Slice("score", metric="A", score=Range(0.2, 0.6)),
    Slice("error", metric="B", error=Range(0.3)),
    Slice("caption length", words=Range(8, 12)),
    Slice("phrase kind", phrase="number"),
    Slice("error code", code="others"),
    Slice("rating", criterion=CRITERION, rating=Range(None, 2.5)),
    Slice("words of the caption", caption="dog, two men, red"),
    Slice("words of explanations", explanation="names, omits"),
    Slice("two scores part", parting=Parting(A, B, gap=Range(0.3))),
    Slice("one score right, calibrated", parting=Parting(A, B, "first right", errors="calibrated")),
    Slice("lasso", lasso=Lasso(A, None, ((0.2, 0.1), (0.8, 0.2), (0.7, 0.6), (0.3, 0.5)))),
)
LINE = ((0.2, 0.8), (0.8, 0.8), (0.75, 0.3), (0.3, 0.25), (0.2, 0.8))  # of the plot's width and height
# Resolves with the time since navigation (or since `start`) once the plot shows another number of samples than before.
_PAINTED = """([start, before]) => new Promise((resolve) => {
  const frame = () => new Promise(requestAnimationFrame);
  const look = async () => {
    const shown = document.querySelector(".plot")?.dataset.samples;
    if (shown === undefined || shown === before) return;
    observer.disconnect();
    await frame();
    await frame();
    resolve(performance.now() - start);
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true, attributes: true });
  look();
})"""
# Resolves with the times since navigation when plotly has drawn the density and when it has drawn the single points.
_WHOLE = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const plot = document.querySelector(".plot");
  while (!plot.querySelector(".main-svg") || plot.querySelector(".plot-preview") || !plot.whole) await frame();
  const density = performance.now();
  await plot.whole;
  await frame();
  await frame();
  return [density, performance.now()];
}"""
# Resolves with the time from letting go of a line to the painted count of what lies within it.
_LASSOED = """() => { window.lassoed = new Promise((resolve) => {
  const frame = () => new Promise(requestAnimationFrame);
  let start;
  const sheet = document.querySelector(".lasso-sheet");
  sheet.addEventListener("pointerup", () => (start = performance.now()), { capture: true });
  new MutationObserver(async () => {
    await frame();
    await frame();
    resolve(performance.now() - start);
  }).observe(document.querySelector(".plot"), { attributeFilter: ["data-lassoed"] });
}); }"""
_CHOOSE = f"""async (name) => {{
  const choice = document.querySelector("#slice");
  const painted = ({_PAINTED})([performance.now(), document.querySelector(".plot").dataset.samples]);
  choice.value = name;
  choice.dispatchEvent(new Event("change"));
  return painted;
}}"""


def run() -> list[Row]:
    """Fill a data folder, then measure what a visitor waits for."""
    if not Path(CHROMIUM).exists():
        raise NotHere("needs Chromium: install Debian's package chromium")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with workplace(folder) as place:
            Secret(folder / KEY)  # as the server makes it before there are raters
            fill(place)
            place.repository.codings.set(1, "A", "expert", "Ann", "others")
            for one in SLICES:
                place.repository.slices.save(DATASET, one)
        return measured(folder)


def measured(folder: Path) -> list[Row]:
    """Measure on a data folder that is filled."""
    size = f"{SAMPLES:,} × {RATERS} raters × {len(METRICS)} metrics"
    with ours(folder) as server, _browser() as browser:
        cold = _first_plot(browser, server)
        warm = [_first_plot(browser, server) for _ in range(VISITS)]
        filters = _filters(browser, server.url)
        payload, page = _payload(server.url), _page(server.url)
    first, density, points = (statistics.median(times) for times in zip(*warm, strict=True))
    info = f"{cold[0]:.2f} s for the first visit after a start, which reads the data into memory"
    rows = [Row(f"first plot, {size}", first, "s", most=MOST_FIRST_PLOT_S, note=info)]
    rows.append(Row("the same plot drawn by plotly", density, "s", note=f"with every single point {points:.2f} s"))
    rows += [Row(name, ms, "ms", most=MOST_FILTER_MS) for name, ms in filters]
    rows.append(Row("payload of a plot, compressed", payload[0], "MB", most=MOST_PAYLOAD_MB, note=payload[1]))
    rows.append(Row("a page of 25 errors, median", page, "ms", most=MOST_PAGE_MS))
    return rows


@contextmanager
def _browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


def _first_plot(browser: Browser, server: Running) -> tuple[float, float, float]:
    """Return seconds from navigation, with an empty cache, to the painted plot, to plotly's, and to its single points.

    Then the server finishes the rest.
    """
    page = _opened(browser, server.url)
    times = [page.evaluate(_PAINTED, [0, None]), *page.evaluate(_WHOLE)]
    page.context.close()
    server.rest()
    first, density, points = (time / 1000 for time in times)
    return first, density, points


def _opened(browser: Browser, url: str) -> Page:
    """Go to the page; returns as soon as the server answers."""
    page = browser.new_context(viewport=VIEW).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{url}/analyse?dataset={DATASET}", wait_until="commit")
    return page


def _filters(browser: Browser, url: str) -> list[tuple[str, float]]:
    """Return how long each filter takes to the painted plot, one after the other on one page."""
    page = browser.new_context(viewport=VIEW).new_page()
    page.set_default_timeout(PATIENCE_MS)
    # Agreement, which comes after the plot and takes far longer, is left out: it would slow down the next filter.
    page.route("**/api/analyse/correlations*", lambda route: route.abort())
    page.goto(f"{url}/analyse?dataset={DATASET}")
    page.locator(f"#slice option[value='{SLICES[-1].name}']").wait_for(state="attached")
    page.locator(".error-list").wait_for()
    found = []
    for one in SLICES:
        found.append((f"filter change by {one.name}", page.evaluate(_CHOOSE, one.name)))
        page.wait_for_timeout(REST_MS)
    page.evaluate(_CHOOSE, "")
    found.append(("a line drawn around points", _lassoed(page)))
    page.context.close()
    return found


def _lassoed(page: Page) -> float:
    """Return how long it takes, in ms, to count what lies within a line around many of the points."""
    page.wait_for_timeout(REST_MS)
    page.get_by_role("button", name="Lasso").click()
    sheet = page.locator(".lasso-sheet")
    sheet.scroll_into_view_if_needed()
    box = sheet.bounding_box()
    assert box is not None
    page.evaluate(_LASSOED)
    for number, (x, y) in enumerate(LINE):
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"], steps=30)
        if number == 0:
            page.mouse.down()
    page.mouse.up()
    ms: float = page.evaluate("() => window.lassoed")
    return ms


def _payload(url: str) -> tuple[float, str]:
    """Return the megabytes of a plot's data as they are sent, and what else the page loads once."""
    params: dict[str, Any] = {"dataset": DATASET, "metric": list(METRICS)}
    with httpx.Client(base_url=url, headers={"accept-encoding": "gzip"}, timeout=60) as client:
        sent = {}
        for path, query in (("/api/analyse/points", params), ("/plotly.min.js", {})):
            with client.stream("GET", path, params=query) as answer:
                sent[path] = sum(map(len, answer.iter_raw())) / 2**20
                assert answer.headers["content-encoding"] == "gzip", path
        plain = len(client.get("/api/analyse/points", params=params).content) / 2**20
    script = sent["/plotly.min.js"]
    return sent["/api/analyse/points"], f"{plain:.2f} MB plain; plotly itself {script:.2f} MB, kept by the browser"


def _page(url: str) -> float:
    times = []
    with httpx.Client(base_url=url, timeout=60) as client:
        for number in range(PAGES):
            start = time.perf_counter()
            query = {"dataset": DATASET, "metric": "A", "page": 1 + 80 * number}
            assert len(client.get("/api/analyse/errors", params=query).json()["rows"]) == 25
            times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)
