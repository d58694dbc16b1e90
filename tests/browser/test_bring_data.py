"""A manager brings data of their own: files, columns, the import, and what came of it."""

import csv
import io
import re
import zipfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Server, with_workplace
from tests.browser.test_managing import fits

HOSTILE = "<img src=x onerror=document.title=1>"


def survey(folder: Path, name: str = "survey.csv", rows: int = 12, last: str = "4") -> Path:
    """Write a newcomer's table: other names, semicolons, decimal commas, judgements from 1 to 5."""
    path = folder / name
    lines = [f'b{n}.jpg;"A dog, number {n}";0,{n % 10};{n % 5 + 1 if n < rows else last}' for n in range(1, rows + 1)]
    path.write_text("\r\n".join(["file;text;score;human", *lines, ""]), encoding="utf-8-sig", newline="")
    return path


def pictures(folder: Path, count: int = 11) -> Path:
    path = folder / "photos.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(1, count + 1):
            content = io.BytesIO()
            Image.new("RGB", (60, 40), (20 * number, 90, 160)).save(content, "JPEG")
            archive.writestr(f"photos/b{number}.jpg", content.getvalue())
    return path


def bring(page: Page, server: Server, *files: Path, zips: tuple[Path, ...] = ()) -> Locator:
    """Open the box, send files and go on to the columns; returns the box."""
    page.goto(f"{server.url}/studies")
    page.get_by_role("button", name="Import data").click()
    box = page.get_by_role("dialog")
    box.locator("#bring-table").set_input_files(files)
    if zips:
        box.locator("#bring-zip").set_input_files(zips)
        expect(box).to_contain_text(f"{zips[-1].name}: received.")
    expect(box).to_contain_text(f"{files[-1].name}: received.")
    box.get_by_role("button", name="Continue").click()
    expect(box).to_contain_text("Preview of the samples")
    return box


def test_a_newcomers_table_with_its_pictures_comes_in_and_leads_to_a_study(
    page: Page, own_server: Server, tmp_path: Path
) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    box = bring(page, own_server, survey(tmp_path), zips=(pictures(tmp_path),))
    for name, column in {"Picture": "file", "Caption": "text", "Score": "score", "Human judgement": "human"}.items():
        expect(box.get_by_label(name, exact=True)).to_have_value(column)
    expect(box.get_by_label("Highest of the human judgements")).to_have_value("5")
    expect(box.get_by_role("region", name="First rows of the file").locator("tbody tr")).to_have_count(5)
    expect(box.get_by_role("region", name="Preview of the samples").locator("tbody tr").first).to_contain_text("0.25")
    expect(box.locator(".command")).to_have_text(
        "python app.py import csv survey.csv --images photos.zip --dataset survey "
        "--column image=file --column caption=text --human-scale 1-5"
    )
    fits(page, "columns")
    box.get_by_role("button", name="Import", exact=True).click()
    expect(box.get_by_role("heading", name="12 samples imported into survey")).to_be_visible()
    expect(box).to_contain_text("11 pictures found, 1 missing.")
    fits(page, "result")
    expect(box.get_by_role("link", name="Inspect the samples")).to_have_attribute("href", "/?dataset=survey")
    box.get_by_role("button", name="Make a study").click()
    expect(page.get_by_role("dialog", name="New study").get_by_label("survey")).to_be_checked()


def test_refused_rows_are_a_table_to_see_and_to_download_and_the_others_can_come_in(
    page: Page, own_server: Server, tmp_path: Path
) -> None:
    box = bring(page, own_server, survey(tmp_path, last=f"=1+1{HOSTILE}"))
    box.get_by_role("button", name="Import", exact=True).click()
    expect(box).to_contain_text("Nothing was imported, because 1 row has an error.")
    row = box.get_by_role("region", name="Refused").locator("tbody tr")
    expect(row).to_contain_text("survey.csv13human")
    expect(row).to_contain_text(HOSTILE)
    assert page.title() != "1"
    with page.expect_download() as saved:
        box.get_by_role("link", name="All as CSV").click()
    lines = list(csv.reader(saved.value.path().read_text("utf-8-sig").splitlines()))
    assert [line[:3] for line in lines] == [["file", "row", "field"], ["survey.csv", "13", "human"]]
    box.get_by_role("button", name="Import the rows without errors").click()
    expect(box.get_by_role("heading", name="11 samples imported into survey")).to_be_visible()
    expect(box).to_contain_text("1 row was skipped.")


def test_an_import_goes_on_while_nobody_looks_and_a_killed_server_is_told_in_words(
    page: Page, own_server: Server, tmp_path: Path
) -> None:
    box = bring(page, own_server, survey(tmp_path, rows=30_000))
    box.get_by_role("button", name="Import", exact=True).click()
    expect(box.get_by_role("progressbar", name="Importing")).to_be_visible()
    page.reload()  # somebody goes elsewhere and comes back
    page.get_by_role("button", name="Import data").click()
    expect(box.get_by_role("heading", name="30,000 samples imported into survey")).to_be_visible()
    box.get_by_role("button", name="Close").click()

    box = bring(page, own_server, survey(tmp_path, "other.csv", rows=60_000))
    box.get_by_role("button", name="Import", exact=True).click()
    expect(box.get_by_role("progressbar", name="Importing")).to_have_attribute("max", re.compile(r"\d{4,}"))
    own_server.kill()
    expect(box).to_contain_text("The connection is interrupted.")
    expect(box).not_to_contain_text("The server does not answer")
    own_server.start()
    expect(box).to_contain_text("This import no longer exists, because Capscope was restarted")
    expect(box).to_contain_text("If the data set of this import does not exist now, nothing was imported")

    assert not with_workplace(own_server, lambda w: w.repository.samples.has_dataset("other"))
