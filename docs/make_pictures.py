"""Takes the README's pictures: a fresh data folder, the demo study, a real browser. Run it by `make pictures`."""

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
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]


@contextmanager
def demo_server() -> Iterator[str]:
    """Serve a fresh demo; yields its address."""
    with socket.socket() as probe, tempfile.TemporaryDirectory() as folder:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
        probe.close()
        command = [sys.executable, "app.py", "--port", port, "--data-dir", folder]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            server.stdout.readline()  # it says where it is once it is about to listen
            yield f"http://127.0.0.1:{port}"
            server.terminate()


def rate(page: Page, address: str) -> None:
    """Show a half answered item whose photograph is in the public domain."""
    page.goto(f"{address}/rate", wait_until="domcontentloaded")
    page.get_by_label("Your code").fill("K7")
    page.get_by_role("button", name="Start").click()
    while not page.get_by_text("naval uniform").count():
        page.keyboard.type("344")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    page.keyboard.type("4")
    page.get_by_role("group", name="Factuality").get_by_role("radio", name="3").hover()
    expect(page.locator("figure img")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    page.screenshot(path=PICTURES / "rate.png")


def studies(page: Page, address: str) -> None:
    """Show the study with its rater's progress."""
    page.goto(f"{address}/studies")
    expect(page.get_by_role("heading", name="Demo")).to_be_visible()
    page.screenshot(path=PICTURES / "studies.png")


def inspect(page: Page, address: str) -> None:
    """Show a phrase and the region it belongs to."""
    page.set_viewport_size({"width": 1280, "height": 1180})  # the picture above and the phrases beneath it, unscrolled
    page.goto(f"{address}/inspect?text=naval")
    phrase = page.locator(".phrase", has_text="uniform").first
    expect(phrase).to_be_visible(timeout=120_000)
    phrase.hover()
    page.screenshot(path=PICTURES / "inspect.png", animations="disabled")


def main() -> None:
    """Take every picture."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with demo_server() as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 660})
        for attempt in range(60):
            try:
                page.goto(address)
                break
            except Error:  # the server is still starting
                if attempt == 59:
                    raise
                page.wait_for_timeout(500)
        rate(page, address)
        studies(page, address)
        inspect(page, address)
        browser.close()


if __name__ == "__main__":
    main()
