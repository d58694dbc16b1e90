"""Recruited raters in real browsers: they read the page, press keys, and use nothing else of the server.

The page may be in any language. So these raters find their way by elements, and read only the numbers of scenes.
"""

import asyncio
import re
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Browser, Error, Page, Response

from tests.making import CRITERIA
from tests.recruited_raters import Recruited
from tests.simulated_raters import SimulatedRater

PATIENCE_MS = 180_000  # thirty browsers share the machine
PRACTICE_SHARE_WRONG = 0.3
# What the page shows, and a text that changes with the next page or item.
SHOWN = """() => {
  const has = (selector) => document.querySelector(selector) !== null;
  const heading = document.querySelector("h1")?.textContent ?? "";
  if (has("section.rate")) {
    const item = document.querySelector("section.rate"), image = item.querySelector(".picture img");
    if (!image?.complete) return null;
    const practice = item.querySelector(".practice");
    return {page: "item", mark: image.src, text: item.innerText, practice: practice?.innerText ?? null};
  }
  const pages = {consent: ".consent", check: "input[name^=check-]", before: ".entry-questions", example: ".example",
    welcome: ".welcome .enter button.primary"};
  const page = Object.keys(pages).find((name) => has(pages[name]));
  if (page) return {page, mark: page + heading};
  return has(".way-back") ? {page: "end", mark: heading} : null;  // every end leads back to the platform
}"""
CHANGED = f"(mark) => {{ const shown = ({SHOWN})(); return shown && shown.mark !== mark ? shown : null; }}"


@dataclass(slots=True, kw_only=True)
class RaterInBrowser(Recruited):
    """A recruited rater who uses the page with keyboard and mouse."""

    browser: Browser
    replies: list[asyncio.Task[None]] = field(default_factory=list)

    async def take_part(self, study: int, most: int, leaves_after: int) -> None:
        """Come, and go as far as the fate lets this one."""
        network = f"10.{int(self.code) // 250}.{int(self.code) % 250}.7"
        context = await self.browser.new_context(extra_http_headers={"X-Forwarded-For": network})
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()
        page.on("response", lambda response: self.replies.append(asyncio.create_task(self.note_saves(response))))
        await page.goto(f"{self.url}/r/{self.link}?PROLIFIC_PID={self.person}")
        shown = await self.changed(page, "")
        while shown["page"] not in ("item", "end"):
            await self.pass_page(page, shown["page"])
            shown = await self.changed(page, shown["mark"])
        sitting = SimulatedRater(self.kind, self.numbers)
        while shown["page"] == "item":
            if self.fate in ("returns", "vanishes") and self.rated >= leaves_after:
                break
            await self.do_item(page, sitting, shown)
            shown = await self.changed(page, shown["mark"])
            if self.rated > 2 * most:
                raise AssertionError(f"{self.code} gets more than {most} items")
        if self.fate == "returns":
            await self.leave(page, shown["mark"])
        self.stage = shown["page"]
        await page.wait_for_load_state("networkidle")
        await asyncio.gather(*self.replies)
        await context.close()

    async def note_saves(self, response: Response) -> None:
        """Note which answers the server acknowledged or refused."""
        if not response.url.endswith("/api/rate/saves") or not response.ok:
            return
        try:
            results = (await response.json())["results"]
        except Error:  # the page was left before the response was complete, so it acknowledged nothing
            return
        for answer, result in zip(response.request.post_data_json["saves"], results, strict=True):
            if not result["saved"]:
                self.refused.append(str(result))
            elif answer["kind"] in ("rating", "report"):
                self.acknowledged[answer["key"]] = answer

    async def changed(self, page: Page, mark: str) -> Any:
        """Return what the page shows once it differs from a mark."""
        return await (await page.wait_for_function(CHANGED, arg=mark)).json_value()

    async def pass_page(self, page: Page, name: str) -> None:
        """Answer a page before the items."""
        if name == "consent" and self.fate == "declines":
            await page.locator(".actions button").nth(1).click()
            return await page.locator("dialog[open] button").last.click()
        if name == "before":
            await page.locator("input[type=radio]").nth(1 if self.fate == "screened" else 0).check()
        if name == "check":
            questions = page.locator("fieldset")
            for at, right in enumerate(self.right):
                choices = questions.nth(at).locator("input")
                values = [await choices.nth(n).get_attribute("value") for n in range(await choices.count())]
                is_right = self.fate != "fails check"
                await choices.nth(next(n for n, value in enumerate(values) if (value == right) == is_right)).check()
        button = ".entry-questions button.primary" if name in ("before", "check") else ".actions button.primary"
        await page.locator(".enter button.primary" if name == "welcome" else button).click()

    async def do_item(self, page: Page, sitting: SimulatedRater, shown: Any) -> None:
        """Rate or skip the item in view, and go on."""
        if shown["practice"] is not None:
            return await self.practise_on(page)
        self.rated += 1
        if self.rated == self.skips:
            self.skipped += 1
            await page.keyboard.press("x")
            await page.locator("#report-reason").select_option("cannot_judge")
            await page.locator("#report-words").fill("I cannot read the caption.")
            return await page.locator(".report .actions button").first.click()
        for point in self.judged(sitting, shown["text"]):
            await page.keyboard.press(str(point))
        await page.keyboard.press("Enter")

    def judged(self, sitting: SimulatedRater, text: str) -> list[int]:
        """Return the points of an item by what the page says."""
        said = re.search(r"Scene (\d+) deserves ([\d.]+)", text)
        caption, value = re.search(r"“(Scene \d+\.)”", text), re.search(r"\b([01]\.\d{3})\b", text)
        assert said and caption and value, text
        is_turned = abs(float(said[2]) - float(value[1])) > 0.01
        bad = {"factuality": f"Scene {said[1]}." != caption[1], "consistency": is_turned}
        deserved = self.quality.setdefault(caption[1], self.numbers.normal(3, 0.9, len(CRITERIA)))
        return sitting.points(deserved, [bad.get(criterion, False) for criterion in CRITERIA])

    async def practise_on(self, page: Page) -> None:
        """Answer practice whose score is turned round: some give a wrong answer first and correct it."""
        first = 4 if self.numbers.random() < PRACTICE_SHARE_WRONG else 1
        for point in (first, 3, 3):
            await page.keyboard.press(str(point))
        if first == 4:
            await page.locator(".practice-words", has_text="✗").wait_for()
            await page.locator("fieldset").first.locator("input[value='1']").check()
        await page.locator(".practice-words", has_text="✓").wait_for()
        await page.locator(".foot button.primary").click()

    async def leave(self, page: Page, mark: str) -> None:
        """Return the submission by the page's own button."""
        await page.locator(".tools button").last.click()
        await page.locator("dialog[open] button", has_text="…").click()
        await page.locator("dialog[open] button").last.click()
        await self.changed(page, mark)
