"""The Studies page with 200 studies of five raters each: from the address to the first paint, and to the last card.

The browser has been there once, so that scripts are cached and compiled, as they are for a manager who watches.
"""

import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

from core.studies.planning.study_request import StudyRequest
from tests.benchmarks.rows import NotHere, Row
from tests.benchmarks.serving import ours
from tests.benchmarks.studies import make_study, workplace
from tests.chromium import CHROMIUM, QUIET
from ui.services.studies import actions as services
from ui.web.access.security import Secret

STUDIES, RATERS, ITEMS = 200, 5, 12
TIMES = 7
MOST_MS = 300.0
_FIRST_PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def run() -> list[Row]:
    """Measure the page."""
    if not Path(CHROMIUM).exists():
        raise NotHere("needs Chromium: install Debian's package chromium")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        with workplace(folder / "data") as place:
            Secret(folder / "data" / "secret.key")  # by which the raters made here are known
            make_study(place, folder / "files", ITEMS)
            raters = [place.repository.raters.add(f"R{number}") for number in range(RATERS)]
            for number in range(STUDIES - 1):
                study = services.create_study(place, StudyRequest(f"Study {number}", "bench", seed=number))
                for rater in raters:
                    place.repository.desk.queue(study.id, rater)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        with ours(folder / "data", door=False) as here:
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            page.set_default_timeout(120_000)
            times = [_opened(page, f"{here.url}/studies") for _ in range(TIMES + 1)][1:]
        browser.close()
    first, last = (median(column) for column in zip(*times, strict=True))
    what = f"Studies page, {STUDIES} studies × {RATERS} raters"
    return [
        Row(f"{what}: first paint, median", first, "ms", most=MOST_MS),
        Row(f"{what}: every card there, median", last, "ms"),
    ]


def _opened(page: Page, url: str) -> tuple[float, float]:
    """Return the times from the address to the first paint and to the last card, in ms."""
    page.goto(url)
    page.locator(".study-card").nth(STUDIES - 1).wait_for(state="attached")
    cards: float = page.evaluate("() => performance.now()")
    page.wait_for_function(_FIRST_PAINT)
    return page.evaluate(_FIRST_PAINT), cards
