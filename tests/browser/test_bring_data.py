"""A manager brings data of their own: files, columns, the import, and what came of it."""

import csv
import io
import re
import zipfile
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, Route, expect

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


def test_import_waits_for_the_preview_of_a_column_that_was_just_ticked(
    page: Page, own_server: Server, tmp_path: Path
) -> None:
    path = tmp_path / "splits.csv"
    path.write_text("image,caption,split\n" + "".join(f"b{n}.jpg,A dog {n},test\n" for n in range(12)))
    box = bring(page, own_server, path)
    expect(box.get_by_role("region", name="Preview of the samples").locator("tbody tr").first).to_be_visible()
    held: list[Route] = []
    page.route("**/look", lambda route: held.append(route))
    box.get_by_label("split", exact=True).check()
    box.get_by_role("button", name="Import", exact=True).click()
    expect(box).to_contain_text("Reading the rows …")
    expect(box).not_to_contain_text("No row can be read")
    held[0].continue_()
    expect(box.get_by_role("heading", name="12 samples imported into splits")).to_be_visible()
    expect(box).to_contain_text("This column is kept, to filter by: split.")


def test_a_column_of_explanations_comes_in_and_long_cells_leave_the_menus_in_sight(
    page: Page, own_server: Server, tmp_path: Path
) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    path = tmp_path / "explained.csv"
    long = "The caption names a dog, but the picture shows a cat on a sofa. " * 6
    rows = [f'b{n}.jpg,"A dog, number {n}",0.{n},"{long}"' for n in range(1, 6)]
    path.write_text("\n".join(["image,caption,score,explanation", *rows, ""]))
    box = bring(page, own_server, path)
    expect(box.get_by_label("Explanation of the score")).to_have_value("explanation")
    preview = box.get_by_role("region", name="Preview of the samples")
    expect(preview.locator("tbody tr").first).to_contain_text("The caption names a dog")
    picture = box.get_by_label("Picture", exact=True).bounding_box()
    top = box.bounding_box()
    assert picture is not None and top is not None and picture["y"] - top["y"] < 760
    box.get_by_role("button", name="Import", exact=True).click()
    box.get_by_role("button", name="Make a study").click()
    expect(page.get_by_role("dialog", name="New study")).to_contain_text("explanations: score 5")


def test_columns_of_ones_own_are_ticked_to_be_kept(page: Page, own_server: Server, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    path = tmp_path / "split.csv"
    path.write_text("image,caption,split,score:M\na.jpg,A dog.,test,0.5\n")
    box = bring(page, own_server, path)
    kept = box.get_by_role("group", name="Columns to keep as filters")
    expect(kept.get_by_role("checkbox")).to_have_count(1)
    kept.get_by_label("split").check()
    expect(box.locator("code.command")).to_contain_text("--keep split")
    box.get_by_role("button", name="Import", exact=True).click()
    expect(box.get_by_role("heading", name="1 samples imported into split")).to_be_visible()


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


def test_an_import_is_cancelled_by_its_button(page: Page, own_server: Server, tmp_path: Path) -> None:
    box = bring(page, own_server, survey(tmp_path, rows=60_000))
    box.get_by_role("button", name="Import", exact=True).click()
    box.get_by_role("button", name="Cancel the import").click()
    expect(box.get_by_role("heading", name="Cancelled")).to_be_visible()
    expect(box).to_contain_text("Nothing was imported.")
    box.get_by_role("button", name="Back to the columns").click()
    expect(box.get_by_label("Caption", exact=True)).to_have_value("text")
    assert not with_workplace(own_server, lambda w: w.repository.samples.has_dataset("survey"))


@pytest.mark.parametrize("width", [1366, 390])
def test_menus_change_what_was_guessed_and_say_at_once_what_would_be_read(
    page: Page, own_server: Server, tmp_path: Path, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 768})
    path = tmp_path / "Excel.txt"
    rows = "".join(f"b{n}.jpg\tEin Hund\tA dog {n}\t{n}\r\n" for n in range(1, 9))
    path.write_bytes(f"Bild\tUnterschrift\tcaption\tpunkte\r\n{rows}".encode("utf-16"))
    box = bring(page, own_server, path)
    read = box.get_by_role("region", name="Preview of the samples").locator("tbody tr").first
    expect(box).to_contain_text("there is no column 'image'")
    box.get_by_label("Picture", exact=True).select_option("Bild")
    expect(read).to_contain_text("A dog 1")
    box.get_by_label("Caption", exact=True).select_option("Unterschrift")
    expect(read).to_contain_text("Ein Hund")
    box.get_by_label("Score", exact=True).select_option("punkte")
    expect(box).to_contain_text("are outside 0 to 1")
    box.get_by_label("Highest of the scores").fill("8")
    box.get_by_label("Metric of the scores").fill("BLEURT")
    expect(read).to_contain_text("BLEURT 1")
    fits(page, "menus")
    box.get_by_role("button", name="Import", exact=True).click()
    expect(box.get_by_role("heading", name="8 samples imported into Excel")).to_be_visible()
