"""From the key that leaves an item to the next item painted, in Chromium, by a study's link.

The clock starts with the key's own time stamp and stops in the second animation frame after the page shows the next
item, its picture loaded and decoded and its questions open. Frames come 60 times a second, so the clock of a page
without any work shows up to two of them, 33.3 ms. Pictures are not veiled, so that every item has one to paint. Raters
think before they leave an item.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.rows import NotHere, Row, percentile
from tests.benchmarks.serving import ours
from tests.benchmarks.studies import make_study, workplace, write_pictures
from tests.chromium import CHROMIUM, QUIET

ITEMS, MEASURED = 100, 64
THINK_MS = 400
MOST_MS = 40.0  # at the 95th percentile

_STOPWATCH = """(place) => {
  const shown = () => document.querySelector(`section.rate[aria-label='Item ${place}']`);
  window.painted = new Promise((resolve) => {
    let start = null, looking = false;
    addEventListener("keydown", (event) => { start = event.timeStamp; }, { capture: true, once: true });
    const frame = () => new Promise(requestAnimationFrame);
    const look = async () => {
      const image = document.querySelector("figure.picture img");
      if (start === null || looking || !shown() || !image?.complete || !image.naturalWidth) return;
      looking = true;
      observer.disconnect();
      document.removeEventListener("load", look, true);
      await image.decode();
      await frame();
      await frame();
      resolve(performance.now() - start);
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    document.addEventListener("load", look, true); // a window hears of no picture that has loaded
  });
}"""


def run() -> Iterator[Row]:
    """Answer some items, and measure how long each next one takes."""
    if not Path(CHROMIUM).exists():
        raise NotHere("needs Chromium: install Debian's package chromium")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        with workplace(folder / "door") as place:
            study = make_study(place, folder / "door files", ITEMS, write_pictures(folder / "pictures", ITEMS))
            _, token = place.repository.links.make(study.id)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        with ours(folder / "door", door=True) as door:
            page = browser.new_page()
            page.set_default_timeout(120_000)
            page.goto(f"{door.url}/r/{token}")
            page.get_by_role("button", name="Start").click()
            page.get_by_role("button", name="Next").wait_for()
            times = [_next_ms(page, place) for place in range(2, MEASURED + 2)]
        browser.close()
    what = f"key to next item painted, {len(times)} items"
    yield Row(f"{what}, p50", percentile(times, 50), "ms")
    yield Row(f"{what}, p95", percentile(times, 95), "ms", most=MOST_MS)


def _next_ms(page: Page, place: int) -> float:
    """Answer the three questions, wait until they are stored, and go on to the item at a place."""
    for key in "432":
        page.keyboard.press(key)
    page.get_by_role("status").filter(has_text="Saved").wait_for()
    page.wait_for_timeout(THINK_MS)
    page.evaluate(_STOPWATCH, place)
    page.keyboard.press("Enter")
    return float(page.evaluate("window.painted"))
