"""The static copy of the demo: written by the command, served as plain files below a path, walked as a visitor."""

import json
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import psutil
import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import colour, findings
from tests.browser.warm import warm
from tests.once import made_once
from tests.plain_files import QuietFiles

MOST_BYTES = 3_500_000  # without photographs; 18 samples with their edits, and the words that references share
PATIENCE_S = 300


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy, three folders below what is served."""
    below = Path("papers") / "2026" / "demo"
    return made_once(tmp_path_factory, "copy", lambda top: export(top / below)) / below


def export(folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    log = folder.with_name("log")
    process = psutil.Process(warm().fork(["demo", "export", str(folder)], log))
    process.wait(PATIENCE_S)
    assert "Wrote" in log.read_text(), log.read_text()


@pytest.fixture
def address(copy: Path) -> Iterator[str]:
    """Where the copy is served."""
    served = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietFiles, directory=str(copy.parents[2])))
    served.daemon_threads = True
    Thread(target=served.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{served.server_address[1]}/papers/2026/demo"
    served.shutdown()
    served.server_close()


def marks(page: Page) -> list[str | None]:
    """Return what the page says of each phrase."""
    return [chip.get_attribute("aria-label") for chip in page.locator(".phrase").all()]


def test_the_copy_is_small_and_everything_to_try_was_recorded(copy: Path) -> None:
    files = [path for path in copy.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files if path.parent.name != "pictures") <= MOST_BYTES
    index = json.loads((copy / "recorded" / "index.json").read_text())
    asked = [json.loads(question.removeprefix("POST /api/judge ")) for question in index if "/api/judge" in question]
    captions = {one["sample"]: {own["caption"] for own in asked if own["sample"] == one["sample"]} for one in asked}
    assert len(captions) == 18 and all(4 <= len(found) <= 7 for found in captions.values())  # and the sample's own
    told = [json.loads((copy / path.lstrip("/")).read_text())[asked] for asked, path in index.items()]
    assert all(one.get("error") is None for one in told if isinstance(one, dict))
    readme = (copy / "README.md").read_text()
    assert readme.startswith("---\ntitle: Capscope\n") and "\nsdk: static\napp_file: index.html\n" in readme
    assert "- bus.jpg: AGPL-3.0" in readme and "- grace_hopper.jpg: public domain" in readme


def test_a_visitor_walks_the_copy_also_on_a_small_dark_screen_and_nothing_is_asked_of_another_host(
    page: Page, address: str
) -> None:
    asked: list[str] = []
    failed: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
    page.goto(f"{address}/")
    expect(page.locator("path.region[data-look=mentioned]").first).to_be_visible()
    expect(page.locator(".recorded-note")).to_contain_text("A recording:")
    expect(page.get_by_role("button", name="Add picture …")).to_be_hidden()
    _suits_a_small_dark_screen(page)
    _edit(page)
    _go_on(page)
    assert failed == []
    assert [url for url in asked if not url.startswith((f"{address}/", "data:", "blob:"))] == []


def _edit(page: Page) -> None:
    """A sentence lights the regions that it names. Every edit that is offered changes what is marked, and is undone."""
    page.locator(".said-sentence", has_text="bus").first.hover()
    expect(page.locator("path.region.lit").first).to_be_visible()
    expect(page.locator(".said-where").first).to_contain_text("“blue city bus”: on the picture")
    page.locator(".live-sentence").hover()
    expect(page.locator("path.region.lit")).to_have_count(0)
    before = marks(page)
    english = page.get_by_text("as English")
    tries = page.locator(".trials button:not(:has-text('Undo'))")
    assert before and tries.count() >= 4
    for button in tries.all():
        button.click()
        expect(page.locator(".change-score")).to_be_visible()
        assert marks(page) != before
        expect(english).to_have_count(0)  # the notice for captions of other languages
        page.get_by_role("button", name="Undo").click()
        expect(page.locator(".change")).to_be_hidden()
        assert marks(page) == before
    expect(page.get_by_role("button", name="Edit the caption")).to_be_hidden()  # nothing here could judge it


def _go_on(page: Page) -> None:
    """The next sample has an address that opens it again; the list of samples is there, what asks a server is not."""
    shown = page.locator(".marked-caption")
    first = shown.inner_text()
    page.get_by_role("button", name="Next sample").click()
    expect(shown).not_to_have_text(first)
    second = shown.inner_text()
    page.reload()
    expect(shown).to_have_text(second)
    page.get_by_role("button", name="Find samples").click()
    expect(page.locator(".sample-list button.row")).to_have_count(18)
    expect(page.get_by_label("Data set")).to_be_hidden()
    page.locator(".sample-list button.row").last.click()
    expect(shown).not_to_have_text(second)
    assert findings(page) == []


def _suits_a_small_dark_screen(page: Page) -> None:
    before = page.viewport_size
    assert before is not None
    page.set_viewport_size({"width": 320, "height": 640})
    colour(page, "dark")
    page.wait_for_function("document.documentElement.scrollWidth <= 320")
    assert findings(page) == []
    colour(page, "light")
    page.set_viewport_size(before)
