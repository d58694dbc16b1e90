"""Make the README's pictures.

They show the demo study from a new data folder, in a real browser. docs/make_film.py makes the
README's film.
"""

import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Error, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "assets" / "pictures"
ADMIRAL = 7  # number of the demo's sample with a photograph in the public domain
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]


@contextmanager
def serving(folder: str) -> Iterator[str]:
    """Serve a data folder; yields its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = [sys.executable, "app.py", "--port", port, "--data-dir", folder]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        server.stdout.readline()  # the server prints its address just before it listens
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def rate(page: Page, address: str) -> None:
    """Show a half-answered item with a photograph in the public domain."""
    page.goto(f"{address}/rate", wait_until="domcontentloaded")
    page.get_by_label("Your code").fill("K7")
    page.get_by_role("button", name="Start").click()
    while not page.get_by_text("naval uniform").count():
        page.keyboard.type("344")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status").filter(has_text=re.compile("Saved|Nothing to save yet"))).to_be_visible()
    page.keyboard.type("4")
    page.get_by_role("group", name="Factuality").get_by_role("radio", name="3").hover()
    page.wait_for_function("document.querySelector('figure img')?.naturalWidth")
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    page.screenshot(path=PICTURES / "rate.png")


def inspect(page: Page, address: str) -> None:
    """Show a phrase of a caption and its region of the picture."""
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(f"{address}/inspect?sample={ADMIRAL}")
    page.wait_for_function("document.querySelector('.region-stage img')?.naturalWidth")  # wait for the photograph
    phrase = page.locator(".phrase", has_text="uniform").first
    expect(phrase).to_be_visible(timeout=120_000)
    phrase.hover()
    page.screenshot(path=PICTURES / "inspect.png", animations="disabled")


@contextmanager
def opened(width: int, height: int, data_dir: str | None = None) -> Iterator[tuple[Page, str]]:
    """Open a page of a data folder, or of a new demo. Yields the page and the server's address."""
    with tempfile.TemporaryDirectory() as fresh, serving(data_dir or fresh) as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": width, "height": height})
        for attempt in range(60):
            try:
                page.goto(address)
                break
            except Error:  # the server is still starting
                if attempt == 59:
                    raise
                page.wait_for_timeout(500)
        yield page, address
        browser.close()


def main() -> None:
    """Save all pictures for the README."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with opened(1280, 660) as (page, address):
        for take in (rate, inspect):
            take(page, address)


if __name__ == "__main__":
    main()
