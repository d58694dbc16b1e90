"""Thirty browsers that open one link in the same second behind the documented nginx, until each shows its first item.

Each is a real Chromium context with a cache and cookies of its own. All share this machine's cores with the server, so
the seconds say much about the machine; that every browser gets through, and what it was refused, do not.
"""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from tests.benchmarks.rows import NotHere, Row, percentile
from tests.benchmarks.serving import free_port, ours
from tests.benchmarks.studies import make_study, workplace, write_picture
from tests.browser.nginx import NGINX, proxy
from tests.chromium import CHROMIUM, QUIET

BROWSERS = 30
ITEMS = 6
PATIENCE_MS = 300_000


@dataclass(slots=True)
class Visit:
    """What one browser met."""

    seconds: float = 0.0  # from opening the link to the first picture
    requests: int = 0
    refused: list[int] = field(default_factory=list)  # statuses of 400 and more
    reached: bool = False


def run() -> list[Row]:
    """Let the class come."""
    if not Path(CHROMIUM).exists() or not Path(NGINX).exists():
        raise NotHere("needs Chromium and nginx: install Debian's packages chromium and nginx-light")
    with tempfile.TemporaryDirectory() as name, _served(Path(name)) as link:
        visits = asyncio.run(_class(link))
    seconds = [visit.seconds for visit in visits if visit.reached]
    refused = sum(len(visit.refused) for visit in visits)
    all_in = len(seconds) == BROWSERS
    note = f"refused: {refused} of {sum(visit.requests for visit in visits)} requests"
    what = f"browsers of {BROWSERS} that see the first item"
    return [
        Row(what, float(len(seconds)), "", least=float(BROWSERS), holds=all_in and not refused, note=note),
        Row("requests of a first visit, most", float(max(visit.requests for visit in visits)), ""),
        Row("from the link to the first picture, p50", percentile(seconds or [0.0], 50), "s"),
        Row("from the link to the first picture, slowest", max(seconds, default=0.0), "s"),
    ]


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """Serve a study behind nginx; yields its open link."""
    pictures = folder / "pictures"
    pictures.mkdir()
    for number in range(ITEMS):
        write_picture(pictures / f"{number:05d}.jpg", number)
    with workplace(folder / "data") as place:
        study = make_study(place, folder / "files", ITEMS, pictures)
        _, token = place.repository.links.make(study.id)
    port = free_port()
    url = f"https://127.0.0.1:{port}"
    with ours(folder / "data", public_url=url) as server:
        upstream = int(server.url.rpartition(":")[2])
        with proxy(folder, port, upstream, ""):
            yield f"{url}/r/{token}"


async def _class(link: str) -> list[Visit]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        visits = await asyncio.gather(*(_visit(browser, link, f"CLASS{number}") for number in range(BROWSERS)))
        await browser.close()
    return list(visits)


async def _visit(browser: Browser, link: str, code: str) -> Visit:
    """Come in and look at the first item. Start is pressed as soon as it is there."""
    visit = Visit()
    context = await browser.new_context(ignore_https_errors=True)
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_MS)

    def note(status: int) -> None:
        visit.requests += 1
        if status >= 400:
            visit.refused.append(status)

    page.on("response", lambda response: note(response.status))
    start = time.perf_counter()
    await page.goto(link)
    await page.get_by_label("Your code").fill(code)
    await page.get_by_role("button", name="Start").click()
    picture = page.locator("figure.picture img")
    await picture.wait_for()
    await page.wait_for_function("() => document.querySelector('figure.picture img')?.naturalWidth > 0")
    visit.seconds, visit.reached = time.perf_counter() - start, True
    await context.close()
    return visit
