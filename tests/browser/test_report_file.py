"""The report opens from the disk: whole, without asking anything of anybody."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.axe import findings_in_both_colours
from tests.command_line import quietly
from tests.making import answer_all, import_rows, make_study, rows
from ui.services.workplace import Workplace

ALIKE = "tbody tr:nth-child(n + 4)"  # rows that are made as those above them, which axe would read for ten seconds


def test_the_report_opens_from_a_file_without_any_request(
    browser: Browser, workplace: Workplace, tmp_path: Path
) -> None:
    import_rows(workplace, tmp_path / "files", rows(12))
    study = make_study(workplace, "S", form="expert-side-by-side")
    for code, point in (("K1", 2), ("K2", 4)):
        answer_all(workplace.repository, study, workplace.repository.raters.add(code), point)
    file = tmp_path / "report.html"
    quietly(workplace.data_dir, "report", "S", "--to", file)
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
