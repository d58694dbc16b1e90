"""From the last key of an edited caption to the new overlay painted, in Chromium, with the label encoder.

The demo's first sample is edited, each time to a text it was never judged with before. The clock starts with the input
event and stops in the second animation frame after the page shows the new caption's phrases. The page waits for no
other key before it asks. Loading the models, which happens once, is left out.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.rows import NotHere, Row, percentile
from tests.benchmarks.serving import ours
from tests.chromium import CHROMIUM, QUIET

EDITS = 60
MOST_MS = 60.0  # at the 95th percentile
COLOURS = ("blue", "red", "green", "white", "yellow", "old")
THINGS = ("bus", "man", "street", "tree", "house", "dog", "car", "bicycle", "balcony", "jacket")

_EDIT = """(caption) => new Promise((resolve) => {
  const box = document.querySelector(".caption-field textarea");
  const frame = () => new Promise(requestAnimationFrame);
  const before = [...document.querySelectorAll(".phrase")].map((chip) => chip.textContent).join();
  const start = performance.now();
  const observer = new MutationObserver(async () => {
    const words = [...document.querySelectorAll(".phrase")].map((chip) => chip.textContent).join();
    if (!words || words === before) return;
    observer.disconnect();
    await frame();
    await frame();
    resolve(performance.now() - start);
  });
  observer.observe(document.querySelector(".sample-view"), { subtree: true, childList: true, characterData: true });
  box.value = caption;
  box.dispatchEvent(new Event("input", { bubbles: true }));
})"""


def run() -> Iterator[Row]:
    """Edit a caption again and again."""
    if not Path(CHROMIUM).exists():
        raise NotHere("needs Chromium: install Debian's package chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        with ours(Path(folder)) as server:
            page = browser.new_page()
            page.goto(f"{server.url}/inspect?sample=1")
            times = edited(page)
        browser.close()
    share = f"p50 {percentile(times, 50):.0f} ms, longest {max(times):.0f} ms"
    note = f"{EDITS} edits, {share}"
    yield Row("caption edit to new overlay painted, p95", percentile(times, 95), "ms", most=MOST_MS, note=note)


def edited(page: Page) -> list[float]:
    """Return how long each edit took, in ms."""
    page.locator(".regions").wait_for(timeout=120_000)
    page.get_by_label("Caption to score").click()
    page.evaluate(_EDIT, "A first edit loads what there is to load.")
    texts = [f"A {COLOURS[n % 6]} {THINGS[n % 10]} stands near a {COLOURS[n // 10]} wall." for n in range(EDITS)]
    return [float(page.evaluate(_EDIT, text)) for text in texts]
