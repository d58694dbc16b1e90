"""A rater's first visit on a slow phone by a study's link: requests, bytes and time.

Chromium's own network and processor limits make the phone slow: 1.6 Mbit/s, 150 ms a request, a quarter of this
machine's speed. Each visit has an empty cache. The clock starts when the browser asks for the page. It stops in the
second animation frame that shows the button "Start". Requests and bytes are counted until the first picture is loaded.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.benchmarks.rows import NotHere, Row, percentile
from tests.benchmarks.serving import ours
from tests.benchmarks.studies import make_study, workplace, write_pictures
from tests.chromium import CHROMIUM, QUIET
from tests.transfers import Transfers

ITEMS = 12
VISITS = 7
SCREEN = {"width": 390, "height": 844}
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
SLOWER = 4  # times
MOST_REQUESTS, MOST_KIB, MOST_S = 15, 150, 2.0

_STOPWATCH = """
window.startShown = new Promise((resolve) => {
  const look = () => {
    const isThere = [...document.querySelectorAll("button")].some((one) => one.textContent === "Start");
    requestAnimationFrame(isThere ? () => requestAnimationFrame(() => resolve(performance.now())) : look);
  };
  look();
});
"""
_PICTURE = """() => new Promise((resolve) => {
  const look = () => {
    const image = document.querySelector("figure.picture img");
    if (image?.complete && image.naturalWidth) resolve(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})"""


@dataclass(frozen=True, slots=True)
class Visit:
    """What one first visit cost."""

    start_s: float  # until "Start" can be seen
    picture_s: float  # from the press on "Start" to the first picture
    requests: int
    kib: float  # of all answers before the first picture's, as they were sent, heads included


def run() -> list[Row]:
    """Measure several visits."""
    if not Path(CHROMIUM).exists():
        raise NotHere("needs Chromium: install Debian's package chromium")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        with workplace(folder / "data") as place:
            study = make_study(place, folder / "files", ITEMS, write_pictures(folder / "pictures", ITEMS))
            _, token = place.repository.links.make(study.id)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        with ours(folder / "data") as server:
            visits = [visit(browser, f"{server.url}/r/{token}", f"PHONE{number}") for number in range(VISITS)]
        browser.close()
    return _rows(visits)


def visit(browser: Browser, url: str, code: str) -> Visit:
    """Visit the page as somebody new until the first picture is there."""
    context = browser.new_context(viewport=SCREEN)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(60_000)
    phone = context.new_cdp_session(page)
    transfers = Transfers(phone)
    phone.send("Network.emulateNetworkConditions", NETWORK)
    phone.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.add_init_script(_STOPWATCH)
    page.goto(url, wait_until="commit")
    start_ms: float = page.evaluate("window.startShown")
    page.get_by_label("Your code").fill(code)
    pressed: float = page.evaluate("performance.now()")
    page.get_by_role("button", name="Start").click()
    picture_ms: float = page.evaluate(_PICTURE) - pressed
    before = transfers.before("/image")
    context.close()
    return Visit(start_ms / 1000, picture_ms / 1000, len(before), sum(one.bytes for one in before) / 1024)


def _rows(visits: Sequence[Visit]) -> list[Row]:
    what = "first visit on a slow phone"
    starts = [one.start_s for one in visits]
    spread = f"{min(starts):.2f} to {max(starts):.2f} s"
    pictures = percentile([one.picture_s for one in visits], 50)
    requests, kib = max(one.requests for one in visits), max(one.kib for one in visits)
    return [
        Row(f"{what}: Start button, p50 of {len(visits)}", percentile(starts, 50), "s", most=MOST_S, note=spread),
        Row(f"{what}: press on Start to first picture, p50", pictures, "s"),
        Row(f"{what}: requests before the first picture", requests, "", most=MOST_REQUESTS),
        Row(f"{what}: bytes before the first picture", kib, "KiB", most=MOST_KIB),
    ]
