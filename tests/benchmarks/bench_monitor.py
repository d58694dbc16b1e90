"""The monitor of a study with 200 raters × 50 items: the server's answer, and the dialog in a browser."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from tests.benchmarks.monitored_study import ITEMS, RATERS, monitored_study
from tests.benchmarks.rows import Row
from tests.benchmarks.serving import ours
from tests.benchmarks.studies import workplace
from tests.chromium import CHROMIUM, QUIET
from ui.services.studies.participants import study_monitor
from ui.services.studies.rater_quality import Monitor
from ui.web.access.security import Secret

TIMES = 7
MOST_PAGE_MS, MOST_ANSWER_MS = 300.0, 500.0


def run() -> list[Row]:
    """Measure."""
    size = f"{RATERS} raters × {ITEMS} items"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with workplace(folder / "data") as place:
            Secret(folder / "data" / "secret.key")  # by which the raters made here are known
            study = monitored_study(place, folder / "files")
            answer = [_ms(lambda: study_monitor(place, study)) for _ in range(TIMES)]
            Monitor(place).look(study.id)  # loads scipy and pandas
            quality = _ms(lambda: Monitor(place).look(study.id))
            holds = len(study_monitor(place, study).raters) == RATERS
        rows = [
            Row(f"monitor, {size}: server's answer, median", median(answer), "ms", most=MOST_ANSWER_MS, holds=holds),
            Row(f"quality of raters, {size}: first look, packages loaded", quality, "ms", most=MOST_ANSWER_MS),
        ]
        if not Path(CHROMIUM).exists():
            return rows
        return [*rows, _page(folder / "data", size)]


def _page(data: Path, size: str) -> Row:
    with sync_playwright() as playwright, ours(data, door=False) as here:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.goto(f"{here.url}/studies")
        times = []
        for _ in range(TIMES):
            page.get_by_role("button", name="Monitor", exact=True).wait_for()
            times.append(page.evaluate(_OPENED))
            page.keyboard.press("Escape")
        browser.close()
    return Row(f"monitor, {size}: from the click to the table, median", median(times), "ms", most=MOST_PAGE_MS)


_OPENED = """async () => {
  const began = performance.now();
  [...document.querySelectorAll("button")].find((one) => one.textContent === "Monitor").click();
  while (document.querySelectorAll(".monitored tbody tr").length < 200) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""


def _ms(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)
