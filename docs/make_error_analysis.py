"""Follow docs/tutorial/error-analysis.md in a browser and save its pictures: tables and plots, no photographs.

Run it with `python docs/make_error_analysis.py DATA`. DATA is a folder with flickr8k.json and
fleur_flickr8k_expert.txt. The lists of captions on the page also need the folder DATA/images. The printed output has
the numbers that the tutorial quotes.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from make_pictures import PICTURES, ROOT, opened
from playwright.sync_api import Locator, Page, expect

NAME = "flickr8k-expert"
PATIENCE_MS = 120_000


def bring(data: Path, folder: str) -> None:
    """Import captions with human judgements, then FLEUR's published scores for these captions."""
    pictures = ["--images", str(data / "images")] if (data / "images").is_dir() else []
    for file in (("flickr8k-expert", "flickr8k.json", *pictures), ("fleur-results", "fleur_flickr8k_expert.txt")):
        kind, name, *more = file
        command = [sys.executable, "app.py", "import", kind, str(data / name), "--dataset", NAME, *more]
        subprocess.run([*command, "--data-dir", folder], cwd=ROOT, check=True)


def taken(place: Locator, name: str) -> None:
    """Scroll to a section of the page. Save its screenshot."""
    place.scroll_into_view_if_needed()
    expect(place).to_be_visible(timeout=PATIENCE_MS)
    place.screenshot(path=PICTURES / f"analysis-{name}.png", animations="disabled")


def table(page: Page, title: str) -> Locator:
    """Find a table by its title, print it as LaTeX, and return its section."""
    found = page.locator(".records", has=page.get_by_role("heading", name=title))
    expect(found).to_be_visible(timeout=PATIENCE_MS)
    with page.expect_download() as download:
        found.get_by_role("button", name="LaTeX").click()
    print(f"\n--- {download.value.suggested_filename}\n{Path(download.value.path()).read_text()}")
    return found


def agreement(page: Page) -> None:
    """Answer the tutorial's first question: does smoothing improve the agreement with people?

    The agreement is that on the order of captions.
    """
    expect(page.get_by_role("region", name="Which metric agrees better").locator("tbody tr")).to_have_count(
        2, timeout=PATIENCE_MS
    )
    table(page, f"{NAME}: Kendall’s τ")
    table(page, "Which metric agrees better")
    taken(page.locator(".analyse-section").first, "agreement")


def people(page: Page) -> None:
    """Measure how far people agree with one another. A metric's agreement with people is compared with this value."""
    page.locator("#people").scroll_into_view_if_needed()
    table(page, "People as a metric")
    table(page, "Agreement of people")
    taken(page.get_by_role("region", name="How well people agree with one another", exact=True), "people")


def distance(page: Page) -> None:
    """Answer the tutorial's second question: are smoothed scores closer to people's judgements?

    Show the errors, calibration of the scores.
    """
    page.get_by_role("heading", name="How far scores differ from human judgements").scroll_into_view_if_needed()
    table(page, "Mean errors")
    figure = page.locator("figure", has=page.get_by_role("heading", name="Calibration"))
    expect(figure.locator(".main-svg").first).to_be_visible(timeout=PATIENCE_MS)
    taken(page.locator(".study-figures").first, "calibration")
    page.get_by_text("The bins of the calibration plot").click()
    table(page, "Calibration: human judgement")


def parting(page: Page) -> None:
    """Answer the tutorial's third question: where do two scores differ?

    The two scores are the raw and the smoothed score. The question is also which of them is right.
    """
    page.get_by_role("heading", name="Where two scores differ").scroll_into_view_if_needed()
    expect(page.get_by_label("List by")).to_be_visible(timeout=PATIENCE_MS)
    table(page, "Which score is closer to human judgement? Errors as they are")
    page.get_by_label("Errors", exact=True).last.select_option("calibrated")
    expect(page.get_by_role("heading", name="errors calibrated")).to_be_visible(timeout=PATIENCE_MS)
    taken(table(page, "Which score is closer to human judgement?"), "nearer")
    page.get_by_label("List by").select_option("second right")
    expect(page.get_by_text("128 samples for which only the second score is right")).to_be_visible(timeout=PATIENCE_MS)
    page.get_by_role("button", name="Make a slice").click()
    page.get_by_label("Name").fill("only raw right")
    page.get_by_role("button", name="Save slice").click()
    expect(page.get_by_label("Slice", exact=True).locator("option:checked")).to_contain_text("only raw right (")
    page.locator("#categories").scroll_into_view_if_needed()
    table(page, "By human level")
    page.get_by_label("Slice", exact=True).select_option("")


def categories(page: Page) -> None:
    """Answer the tutorial's fourth question: for which captions are errors largest?

    The errors are those of the captions' scores. Kinds of captions are compared.
    """
    page.locator("#categories").scroll_into_view_if_needed()
    expect(page.get_by_role("region", name="By human level").locator("tbody tr").first).to_contain_text(
        "3,327", timeout=PATIENCE_MS
    )
    taken(table(page, "By human level"), "levels")
    for title in ("By caption length", "By kind of words"):
        table(page, title)


def lasso(page: Page) -> None:
    """Answer the tutorial's fifth question: which captions does FLEUR overrate?

    These captions get high scores from FLEUR but low ratings from people.
    """
    expect(page.locator(".plot").first).to_have_attribute("data-samples", "5664", timeout=PATIENCE_MS)
    page.locator("#plots").scroll_into_view_if_needed()
    page.get_by_role("button", name="Lasso").click()
    sheet = page.locator(".lasso-sheet")
    sheet.scroll_into_view_if_needed()
    box = sheet.bounding_box()
    assert box is not None
    line = ((0.55, -0.03), (0.9, -0.03), (0.9, 0.28), (0.55, 0.28), (0.55, -0.02))
    for number, (score, human) in enumerate(line):
        x, y = (0.04 + score) / 1.08, 1 - (0.04 + human) / 1.08  # the plot extends by 4 % beyond 0 and 1
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"], steps=10)
        if number == 0:
            page.mouse.down()
    page.mouse.up()
    print(page.locator(".lassoed").inner_text())
    taken(page.locator(".analyse-plot"), "lasso")
    page.locator(".lassoed").get_by_role("button", name="Make a slice").click()
    page.get_by_label("Name").fill("overrated")
    page.get_by_role("button", name="Save slice").click()
    expect(page.get_by_label("Slice", exact=True).locator("option:checked")).to_contain_text("overrated (")
    print(page.get_by_label("Slice", exact=True).locator("option:checked").inner_text())
    page.locator("#categories").scroll_into_view_if_needed()
    table(page, "By kind of words")


def report(page: Page) -> None:
    """Save one report file with the whole analysis."""
    with page.expect_download(timeout=PATIENCE_MS) as download:
        page.get_by_role("button", name="Report", exact=True).click()
    print(download.value.suggested_filename, Path(download.value.path()).stat().st_size, "bytes")


def main(data: Path) -> None:
    """Import the data and answer all questions of the tutorial."""
    with tempfile.TemporaryDirectory() as folder:
        bring(data, folder)
        with opened(1280, 900, folder) as (page, address):
            page.goto(f"{address}/analyse?dataset={NAME}")
            for part in (agreement, people, distance, parting, categories, lasso, report):
                part(page)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
