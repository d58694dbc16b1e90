"""A newcomer with nothing but the demo gets a benchmark by the page, and sees FLEUR's published agreement."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Server
from tests.file_server import serving_files
from tests.published_copies import mirrored


def test_a_newcomer_gets_a_benchmark_after_a_file_that_is_not_there(
    page: Page, tmp_path: Path, shared_dir: Path
) -> None:
    copies = mirrored(shared_dir / "data")
    with serving_files({path: text for path, text in copies.items() if "nebula" not in path}) as mirror:
        server = Server(tmp_path / "data", CAPSCOPE_MIRROR=mirror.url)
        server.data_dir.mkdir()
        server.start()
        try:
            page.goto(f"{server.url}/analyse")
            page.get_by_role("link", name="Get published data").click()
            box = page.get_by_role("dialog")
            expect(box.get_by_role("listitem").filter(has_text="flickr8k-cf")).to_contain_text("size unknown")
            box.get_by_role("button", name="Get nebula", exact=True).click()
            expect(box).to_contain_text("(404). Nothing of nebula was imported.")
            box.get_by_role("button", name="Back to the list").click()
            box.get_by_role("button", name="Get flickr8k-expert").click()
            expect(box).to_contain_text("5,664 samples imported into flickr8k-expert", timeout=120_000)
            expect(box).to_contain_text("Please cite: Hodosh")
            box.get_by_role("link", name="Analyse").click()
            agreement = page.locator("#agreement, section").filter(has_text="Agreement with human judgement").first
            expect(agreement).to_contain_text("53.03", timeout=120_000)
            expect(page.get_by_role("link", name="Get published data")).to_be_hidden()
        finally:
            server.stop()
