"""The report opens from the disk: whole, without asking anything of anybody."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from app import main
from tests.benchmarks.rated_scores import fill
from tests.benchmarks.studies import workplace
from tests.browser.axe import findings_in_both_colours

SAMPLES = 16
ALIKE = "tbody tr:nth-child(n + 4)"  # rows that are made as those above them, which axe would read for ten seconds


def test_the_report_opens_from_a_file_without_any_request(browser: Browser, tmp_path: Path) -> None:
    with workplace(tmp_path / "data") as place:
        fill(place, SAMPLES)
    file = tmp_path / "report.html"
    assert main(["report", "S", "--to", str(file)], {"CAPSCOPE_DATA": str(tmp_path / "data")}) == 0
    page = browser.new_context(color_scheme="light", viewport={"width": 320, "height": 640}).new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    expect(page.get_by_role("heading", level=1)).to_have_text("Report: S")
    expect(page.get_by_role("img").first).to_be_visible()
    assert asked == [file.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert "NaN" not in page.inner_text("body") and "None" not in page.inner_text("body")
    page.evaluate("alike => document.querySelectorAll(alike).forEach((row) => row.remove())", ALIKE)
    assert findings_in_both_colours(page) == []
    page.context.close()
