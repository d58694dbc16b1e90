"""From the key that leaves an item to the next item painted, in Chromium, beside a bare Gradio app with three radios.

Both pages are in one browser and measured by turns: ours by a study's link, and a bare one. The clock starts with the
key's own time stamp and stops in the second animation frame after the page shows the next item, its picture loaded and
decoded and its questions open. Frames come 60 times a second, so the clock of a page without any work shows up to two
of them, 33.3 ms. Pictures are not veiled, so that every item has one to paint. Raters think before they leave an item.
"""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.rows import NotHere, Row, percentile
from tests.benchmarks.serving import bare, ours
from tests.benchmarks.studies import make_study, workplace, write_pictures
from tests.chromium import CHROMIUM, QUIET

ITEMS = 100
TURNS, ITEMS_A_TURN, BARE_ITEMS_A_TURN = 4, 16, 4  # a bare page needs seconds for each
THINK_MS = 400
MOST_MS = 40.0  # at the 95th percentile

# Shows(place) says whether the item at that place, from 1, stands on the page; its picture is found by the selector.
_STOPWATCH = """([picture, shows, place]) => {
  const shown = eval(shows);
  window.painted = new Promise((resolve) => {
    let start = null, looking = false;
    addEventListener("keydown", (event) => { start = event.timeStamp; }, { capture: true, once: true });
    const frame = () => new Promise(requestAnimationFrame);
    const look = async () => {
      const image = document.querySelector(picture);
      if (start === null || looking || !shown(place) || !image?.complete || !image.naturalWidth) return;
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
_OURS = ("figure.picture img", "(place) => document.querySelector(`section.rate[aria-label='Item ${place}']`)")
_BARE = (
    "img[data-testid='detailed-image'], .image-frame img, .image-container img",
    """(place) => document.querySelector("#caption textarea")?.value === `Item ${place}`
      && document.querySelector(".image-frame img, .image-container img")?.src !== window.pictureBefore
      && !document.querySelector("input[type=radio]:checked")""",
)


@dataclass(frozen=True, slots=True)
class Contestant:
    """A page that shows its first item, and how its items are answered and told apart."""

    page: Page
    answer: Callable[[Page], None]
    shown: tuple[str, str]  # selector of the picture, and whether the item at a place stands there
    items_a_turn: int
    times_ms: list[float] = field(default_factory=list)

    def take_turn(self, turn: int) -> None:
        """Answer some items, and measure how long each next one takes."""
        self.page.bring_to_front()
        for place in range(turn * self.items_a_turn + 2, (turn + 1) * self.items_a_turn + 2):
            self.answer(self.page)
            self.page.wait_for_timeout(THINK_MS)
            self.page.evaluate(_STOPWATCH, [*self.shown, place])
            self.page.keyboard.press("Enter")
            self.times_ms.append(self.page.evaluate("window.painted"))


def run() -> list[Row]:
    """Measure the pages by turns."""
    if not Path(CHROMIUM).exists():
        raise NotHere("needs Chromium: install Debian's package chromium")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        pictures = write_pictures(folder / "pictures", ITEMS)
        with workplace(folder / "door") as place:
            study = make_study(place, folder / "door files", ITEMS, pictures)
            _, token = place.repository.links.make(study.id)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        with (
            ours(folder / "door", door=True) as door,
            bare("bare_rating", folder, str(pictures)) as event,
        ):
            contestants = (
                Contestant(_let_in(browser.new_page(), f"{door.url}/r/{token}"), _answer, _OURS, ITEMS_A_TURN),
                Contestant(_opened(browser.new_page(), event.url), _answer_bare, _BARE, BARE_ITEMS_A_TURN),
            )
            for turn in range(TURNS):
                for contestant in contestants:
                    contestant.take_turn(turn)
        browser.close()
    return _rows(*(contestant.times_ms for contestant in contestants))


def _let_in(page: Page, url: str) -> Page:
    """Open our page as a rater with a link who starts."""
    page.set_default_timeout(120_000)
    page.goto(url)
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Next").wait_for()
    return page


def _opened(page: Page, url: str) -> Page:
    """Open the bare app."""
    page.set_default_timeout(120_000)
    page.goto(url)
    page.locator("#next").wait_for()
    page.locator(_BARE[0]).first.wait_for()
    return page


def _answer(page: Page) -> None:
    """Answer the three questions of our page and wait until it says that they are stored."""
    for key in "432":
        page.keyboard.press(key)
    page.get_by_role("status").filter(has_text="Saved").wait_for()


def _answer_bare(page: Page) -> None:
    """Answer the three questions of the bare app and put the focus on its button."""
    for group in page.locator("fieldset").all():
        group.locator("input[type=radio]").nth(2).check()
    page.evaluate(f'window.pictureBefore = document.querySelector("{_BARE[0]}")?.src')
    page.locator("#next").focus()


def _rows(times: Sequence[float], bare_ms: Sequence[float]) -> list[Row]:
    what, other = f"key to next item painted, {len(times)} items", "bare Gradio app"
    return [
        Row(f"{what}, p50", percentile(times, 50), "ms", percentile(bare_ms, 50), other),
        Row(f"{what}, p95", percentile(times, 95), "ms", percentile(bare_ms, 95), other, most=MOST_MS),
    ]
