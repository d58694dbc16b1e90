"""Recruited raters in real browsers: they read the page, press keys, and know nothing of the server.

A page may be in any language. So these raters find their way by elements, and read only the numbers of scenes.
"""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Browser, Page, Response

from tests.making import CRITERIA
from tests.recruited_raters import Recruited
from tests.simulated_raters import SimulatedRater

PATIENCE_MS = 120_000  # thirty browsers share the machine
STAGE = ".consent, .entry-questions, .example, .enter button.primary, section.rate, .column.done"
# The words of the item on the page, once its picture is there.
SHOWN = """() => {
  const item = document.querySelector("section.rate");
  if (!item) return document.querySelector(".foot") ? null : {};
  const image = item.querySelector(".picture img");
  return image?.complete ? {words: item.innerText, image: image.currentSrc || image.src} : null;
}"""


@dataclass(slots=True, kw_only=True)
class RaterInBrowser(Recruited):
    """A recruited rater who uses the page with keyboard and mouse."""

    browser: Browser

    async def take_part(self, study: int, most: int, leaves_after: int) -> None:
        """Come, and go as far as the fate lets this one."""
        network = f"10.{int(self.code) // 250}.{int(self.code) % 250}.7"
        context = await self.browser.new_context(extra_http_headers={"X-Forwarded-For": network})
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()
        page.on("response", self.note_saves)
        await page.goto(f"{self.url}/r/{self.link}?PROLIFIC_PID={self.person}")
        ...
